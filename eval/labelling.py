"""The commands `export` and `label`: a store's memories become a labelled set."""

from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from eval.export import export_store
from eval.label import label_set
from eval.session import rng
from ltm.commands.output import AsJson, print_values
from ltm.commands.store_options import store_options
from ltm.memory import Memory
from ltm.settings import Settings
from ltm.wiring import open_chat_model


def export(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Where the set is written.")],
    store: Annotated[Path | None, typer.Option(help="The same as --path.")] = None,
    users: Annotated[int, typer.Option(help="Users to sample.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Sample a store into a set to be labelled."""
    named = store_options(context)
    with Memory.open(store or named.path, settings=Settings(**named.values)) as memory:
        found = export_store(memory, folder, users=users, rng=rng())
    said = f"{found.memories} memories of {found.users} users in {folder}; next: python -m eval label {folder}"
    print_values([found], lambda: typer.echo(said), as_json=as_json)


def label(
    folder: Annotated[Path, typer.Argument(help="An exported set.")],
    per_user: Annotated[int, typer.Option(min=1, help="Memories of each user to propose intents for.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Propose an intent for memories that have none: the user's own words, or what LTM_LLM_MODEL thinks of."""
    model = open_chat_model(Settings())
    with nullcontext() if model is None else closing(model):
        found = label_set(folder, per_user=per_user, rng=rng(), model=model)
    said = (
        f"{found.proposed} proposed intents beside {found.kept} that were there, {found.without} memories without; "
        "judge each proposal before using the set"
    )
    print_values([found], lambda: typer.echo(said), as_json=as_json)

"""Which store a command works on, and how it opens it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import typer
from rich.console import Console

from ltm.commands.store_options import store_options
from ltm.errors import InvalidRequestError
from ltm.memory import Memory
from ltm.settings import Settings

UNFOLDED = 10_000
"""Columns where nobody looks at the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The store that the options and the `LTM_` variables name."""

    path: Path | None
    settings: Settings

    @property
    def zone(self) -> ZoneInfo:
        """Return the zone in which times are shown, and read where they name none."""
        return ZoneInfo(self.settings.timezone)

    def lacks(self, what: str, user: str) -> str:
        """Return what to say where a user has nothing of a kind: a slip in the name of user or store is seen in it."""
        store = self.path or (self.settings.path if self.settings.database_url is None else "the database")
        return f"no {what} of user {user!r} in namespace {self.settings.namespace!r} of {store}"

    def open(self) -> Memory:
        """Open the memory; whoever calls this closes it."""
        return Memory.open(self.path, settings=self.settings)

    def moment(self, text: str | None) -> datetime | None:
        """Read an ISO 8601 time or date; without an offset it is taken in the settings' time zone."""
        if text is None:
            return None
        try:
            when = datetime.fromisoformat(text)
        except ValueError:
            raise InvalidRequestError(f"no ISO 8601 time: {text!r}, e.g. 2026-10-08T10:00+08:00") from None
        return when if when.tzinfo else when.replace(tzinfo=self.zone)


def where(context: typer.Context) -> Where:
    """Return the store that the command line and the environment name."""
    named = store_options(context)
    return Where(path=named.path, settings=Settings(**named.values))


def console() -> Console:
    """Return a console on the present standard output; markup in users' words is never interpreted.

    Nothing is folded or cut where the output is no terminal: a script or `grep` reads whole rows.
    """
    out = Console(markup=False, highlight=False, soft_wrap=True)
    if not out.is_terminal:
        out.width = UNFOLDED
    return out

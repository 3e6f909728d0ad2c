"""Options that several commands share."""

from typing import Annotated

import typer

from ltm.errors import InvalidRequestError

User = Annotated[str, typer.Option("--user", "-u", help="Whose memory.", show_default=False)]
Key = Annotated[str | None, typer.Option("--key", "-k", help="Slot name.")]
MemoryId = Annotated[str | None, typer.Option("--memory", "-m", help="Memory id.")]
Session = Annotated[str | None, typer.Option("--session", "-s", help="Session id.")]
At = Annotated[str | None, typer.Option("--at", help="ISO 8601 time; without an offset in LTM_TIMEZONE.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change, change nothing.")]
Reason = Annotated[str, typer.Option("--reason", "-r", help="Why; kept in the chain.", show_default=False)]
Limit = Annotated[int | None, typer.Option("--limit", "-n", help="At most so many.")]


def require_one_name(key: str | None, memory_id: str | None) -> None:
    """Refuse a command that names its memory by both options or by neither.

    Raises:
        InvalidRequestError: It does.
    """
    if (key is None) == (memory_id is None):
        raise InvalidRequestError("name the memory by --key or by --memory")

"""The command `export`: a user's whole memory, for a data-access request."""

from collections.abc import Iterator, Mapping

import typer

from ltm.cli.options import User
from ltm.cli.where import where
from ltm.commands.output import AsJson, print_json
from ltm.memory import Memory

PAGE = 500


def export(context: typer.Context, user: User, as_json: AsJson = True) -> None:
    """Print everything known about a user as JSON Lines: memories with their chains, held candidates, decisions."""
    del as_json  # There is no other form; scripts may say so all the same.
    is_known = False
    with where(context).open() as memory:
        for row in _rows(memory, user):
            is_known = True
            print_json(row)
    if not is_known:
        # An empty answer to a request for access had better be no slip in the name of the user or the store.
        typer.echo(f"this store knows nothing of {user!r}", err=True)


def _rows(memory: Memory, user: str) -> Iterator[Mapping[str, object]]:
    for memory_id in _memory_ids(memory, user):
        chain = memory.history(user, memory_id=memory_id)
        yield {"type": "memory", "memory_id": memory_id, "key": chain[-1].key, "versions": chain}
    for held in memory.pending(user):
        yield {"type": "pending", "candidate": held}
    for decision in memory.decisions(user):
        yield {"type": "decision", "decision": decision}


def _memory_ids(memory: Memory, user: str) -> Iterator[str]:
    after = None
    while page := memory.list(user, status=None, limit=PAGE, after=after):
        yield from (record.memory_id for record in page)
        after = page[-1].memory_id

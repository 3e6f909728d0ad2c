"""The command `export`: a user's whole memory, for a data-access request."""

from collections.abc import Iterator

import typer

from ltm.cli.options import User
from ltm.cli.plain import print_json
from ltm.cli.where import where
from ltm.memory import Memory

PAGE = 500


def export(context: typer.Context, user: User) -> None:
    """Print everything known about a user as JSON Lines: memories with their chains, held candidates, decisions."""
    with where(context).open() as memory:
        for memory_id in _memory_ids(memory, user):
            chain = memory.history(user, memory_id=memory_id)
            print_json({"type": "memory", "memory_id": memory_id, "key": chain[-1].key, "versions": chain})
        for held in memory.pending(user):
            print_json({"type": "pending", "candidate": held})
        for decision in memory.decisions(user):
            print_json({"type": "decision", "decision": decision})


def _memory_ids(memory: Memory, user: str) -> Iterator[str]:
    after = None
    while page := memory.list(user, status=None, limit=PAGE, after=after):
        yield from (record.memory_id for record in page)
        after = page[-1].memory_id

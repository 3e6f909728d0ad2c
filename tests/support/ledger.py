"""What a process that may be killed says that it has done, and what others make of it."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class Voice:
    """A file that outlives the writer: a line is in it once `say` has returned, whatever kills the process then."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def say(self, **fields: object) -> None:
        """Write one line in one call."""
        os.write(self._file, json.dumps(fields).encode() + b"\n")


@dataclass(slots=True, kw_only=True)
class Ledger:
    """What writers have said over all rounds in one store.

    Attributes:
        kept: User and least version by memory id.
        erased: Memory ids that must be nowhere.
        unsure: Users one of whose writes was cut off in the last round; only whole or not at all is certain of it.
        writes: Writes that were acknowledged.
    """

    kept: dict[str, tuple[str, int]] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    writes: int = 0

    def read(self, path: Path) -> None:
        """Take over what a writer said."""
        self.unsure = set()
        for line in _lines(path):
            said = json.loads(line)
            if "about" in said:
                self.unsure.add(said["about"])
            if "user" not in said:
                continue
            self.unsure.discard(said["user"])
            self.writes += 1
            for memory_id, version in said.get("kept", ()):
                self.kept[memory_id] = (said["user"], version)
            self.forget(said.get("erased", ()))

    def forget(self, memory_ids: Iterable[str]) -> None:
        """Take over an erasure."""
        self.erased.update(memory_ids)
        for memory_id in memory_ids:
            self.kept.pop(memory_id, None)


def _lines(path: Path) -> Sequence[bytes]:
    # A line without an end was being written when the process died, and was never said.
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []

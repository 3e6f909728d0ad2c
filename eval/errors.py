"""What can go wrong in an evaluation that is not a fault of the library under test."""

from collections.abc import Sequence

from ltm.errors import LtmError

_SHOWN = 10


class DatasetError(LtmError):
    """A file of an evaluation cannot be understood. The message lists the places, at most ten, and what was looked for.

    Attributes:
        problems: All of them.
    """

    def __init__(self, source: str, problems: Sequence[str], *, wanted: str = "a labelled set") -> None:
        shown = "".join(f"\n  - {problem}" for problem in problems[:_SHOWN])
        more = f"\n  ... and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        super().__init__(f"{source} cannot be read as {wanted}:{shown}{more}")
        self.problems = tuple(problems)


class EvaluationError(LtmError):
    """An evaluation cannot be run or compared as asked; the message says what to change."""

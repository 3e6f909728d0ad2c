"""The stories' file format, parsed strictly: an unknown field is an error, not a test that was never run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from eval.datasets.files import SUFFIXES, is_lines, read_rows
from eval.errors import DatasetError

_WANTED = "stories, one a line (docs/reference/eval.md says how to write them)"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TurnPart(_Part):
    """One turn to observe."""

    id: str | None = None
    role: str
    text: str
    at: AwareDatetime | None = None


class Observe(_Part):
    """Turns handed to `observe` in one call."""

    user: str
    session: str | None = None
    turns: tuple[TurnPart, ...]


class Reply(_Part):
    """One answer of the scripted model: candidates as JSON, or raw text."""

    candidates: tuple[dict[str, Any], ...] | None = None
    raw: str | None = None


class Transition(_Part):
    """A change of state."""

    user: str
    machine: str
    to: str
    at: AwareDatetime | None = None


class Rollback(_Part):
    """A chain taken back to an earlier version."""

    user: str
    key: str
    to_version: int
    reason: str = "rollback"


class Revert(_Part):
    """Everything learnt from a session undone."""

    user: str
    session: str
    reason: str = "revert"


class Erase(_Part):
    """A user erased."""

    user: str


class Expected(_Part):
    """A memory to look for; every given field must match. `value: null` is a value, an absent one is not asked."""

    user: str = ""
    key: str | None = None
    value: Any = None
    value_contains: Any = None
    text_contains: str | None = None


class RecallStep(_Part):
    """A recall and what its block must and must not say."""

    user: str
    intent: str
    now: AwareDatetime | None = None
    token_budget: int | None = 300
    must_include: tuple[str, ...] = ()
    must_exclude: tuple[str, ...] = ()
    empty: bool | None = None


class AsOf(_Part):
    """What must have been true at a time."""

    user: str
    when: AwareDatetime
    known_at: AwareDatetime | None = None
    active: tuple[Expected, ...] = ()
    not_active: tuple[Expected, ...] = ()


class Step(_Part):
    """Exactly one of its fields is given."""

    observe: Observe | None = None
    llm: tuple[Reply, ...] | None = None
    transition: Transition | None = None
    rollback: Rollback | None = None
    revert: Revert | None = None
    erase: Erase | None = None
    recall: RecallStep | None = None
    as_of: AsOf | None = None

    @model_validator(mode="after")
    def _one_field(self) -> "Step":
        if len(self.model_fields_set) != 1:
            raise ValueError(f"a step does one thing; this has {sorted(self.model_fields_set) or 'none'}")
        return self


class Chain(_Part):
    """The values of a key's history, oldest first."""

    user: str
    key: str
    values: tuple[Any, ...]


class ExpectedDecision(_Part):
    """At least one decision for the turn has one of the reasons, or actions."""

    user: str
    turn_id: str
    reason_in: tuple[str, ...] = ()
    action_in: tuple[str, ...] = ()


class Expect(_Part):
    """What must hold when every step was taken."""

    active: tuple[Expected, ...] = ()
    not_active: tuple[Expected, ...] = ()
    pending: tuple[Expected, ...] = ()
    chain: tuple[Chain, ...] = ()
    decisions: tuple[ExpectedDecision, ...] = ()


class Story(_Part):
    """One story."""

    id: str
    kind: str
    lang: str = "en"
    packs: tuple[str, ...] = ()
    steps: tuple[Step, ...] = Field(min_length=1)
    expect: Expect = Expect()

    @property
    def needs_model(self) -> bool:
        """Tell whether a step scripts the model; without one the story runs with rules only."""
        return any(step.llm is not None for step in self.steps)

    @property
    def user_turns(self) -> int:
        """Count the user turns that are observed."""
        turns = (turn for step in self.steps if step.observe for turn in step.observe.turns)
        return sum(turn.role == "user" for turn in turns)


def read_stories(path: Path) -> list[Story]:
    """Return the stories of a file, or of every file of JSON lines in a folder, by file name and line.

    Raises:
        DatasetError: There is none, or one is malformed; the message names file, line and field.
    """
    if not path.exists():
        raise DatasetError(str(path), [f"there is no such file or folder in {Path.cwd()}"], wanted=_WANTED)
    files = sorted(inner for inner in path.iterdir() if is_lines(inner)) if path.is_dir() else [path]
    if not files:
        looked_for = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
        raise DatasetError(str(path), [f"there is no file of JSON lines in it ({looked_for})"], wanted=_WANTED)
    return [story for file in files for story in _read_file(file)]


def _read_file(path: Path) -> Iterator[Story]:
    for row in read_rows(path):
        try:
            yield Story.model_validate(row.fields)
        except ValidationError as error:
            problems = [f"{row.source}: {_place(problem)}: {problem['msg']}" for problem in error.errors()]
            raise DatasetError(str(path), problems, wanted=_WANTED) from error


def _place(problem: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in problem["loc"]) or "story"

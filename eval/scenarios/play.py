"""Take a story's steps through the public API."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from eval.scenarios.match import matches, same_value
from eval.scenarios.story import AsOf, Expected, Observe, RecallStep, Reply, Rollback, Step, Story
from ltm.errors import LtmError
from ltm.memory import Memory
from ltm.models import MemoryVersion, Turn

_PAGE = 200

Script = Callable[[Sequence[Reply]], None]
"""Gives the model the replies of the next `observe`."""


@dataclass(slots=True)
class Played:
    """What the steps brought up."""

    failures: list[str] = field(default_factory=list)
    model_calls: int = 0


def play(memory: Memory, story: Story, script: Script) -> Played:
    """Take every step; a step that raises is a failure and ends the story."""
    played = Played()
    for number, step in enumerate(story.steps, start=1):
        try:
            played.failures.extend(f"step {number}: {words}" for words in _take(memory, step, script, played))
        except LtmError as error:
            played.failures.append(f"step {number}: {type(error).__name__}: {error}")
            break
    return played


def active_memories(memory: Memory, user: str) -> Iterator[MemoryVersion]:
    """Yield every active memory of a user, by id."""
    after: str | None = None
    while page := memory.list(user, status="active", limit=_PAGE, after=after):
        yield from page
        after = page[-1].memory_id


def check_active(records: Sequence[MemoryVersion], expected: Expected) -> str | None:
    """Return what is wrong where no record is the expected one, else None."""
    if any(matches(record, expected) for record in records):
        return None
    same_key = [record for record in records if expected.key is not None and record.key == expected.key]
    has = "; ".join(f"{record.value!r} {record.text!r}" for record in same_key) or "nothing on that key"
    return f"not active: {describe(expected)}; has {has}"


def check_not_active(records: Sequence[MemoryVersion], expected: Expected) -> str | None:
    """Return what is wrong where a record is one that must not be, else None."""
    wrong = next((record for record in records if matches(record, expected)), None)
    return None if wrong is None else f"must not be active: {describe(expected)}; has {wrong.value!r} {wrong.text!r}"


def describe(expected: Expected) -> str:
    """Return the fields that the story gives."""
    return str(expected.model_dump(include=expected.model_fields_set - {"user"}, mode="json"))


def _take(memory: Memory, step: Step, script: Script, played: Played) -> Iterator[str]:
    if step.llm is not None:
        script(step.llm)
    elif step.observe is not None:
        played.model_calls += _observe(memory, step.observe)
        script(())
    elif step.recall is not None:
        yield from _recall(memory, step.recall)
    elif step.as_of is not None:
        yield from _as_of(memory, step.as_of)
    else:
        _change(memory, step)


def _change(memory: Memory, step: Step) -> None:
    if step.transition is not None:
        change = step.transition
        memory.transition(change.user, change.machine, change.to, at=change.at)
    elif step.rollback is not None:
        _rollback(memory, step.rollback)
    elif step.revert is not None:
        memory.revert(step.revert.user, session_id=step.revert.session, reason=step.revert.reason)
    elif step.erase is not None:
        memory.erase(step.erase.user)


def _observe(memory: Memory, step: Observe) -> int:
    turns = [Turn(role=turn.role, text=turn.text, at=turn.at, id=turn.id) for turn in step.turns]
    return memory.observe(step.user, turns, session_id=step.session).model_calls


def _rollback(memory: Memory, step: Rollback) -> None:
    head = memory.history(step.user, key=step.key)[-1]
    memory.rollback(step.user, head.memory_id, to_version=step.to_version, reason=step.reason)


def _recall(memory: Memory, step: RecallStep) -> Iterator[str]:
    found = memory.recall(step.user, step.intent, now=step.now, token_budget=step.token_budget)
    where = f"recall {step.intent!r}"
    yield from (f"{where} lacks {words!r}: {found.text!r}" for words in step.must_include if words not in found.text)
    yield from (f"{where} must not say {words!r}" for words in step.must_exclude if words in found.text)
    if step.empty is not None and step.empty != (found.text == ""):
        yield f"{where} must {'' if step.empty else 'not '}be empty: {found.text!r}"
    if step.token_budget is not None and found.tokens > step.token_budget:
        yield f"{where} has {found.tokens} tokens, more than {step.token_budget}"


def _as_of(memory: Memory, step: AsOf) -> Iterator[str]:
    records = memory.as_of(step.user, step.when, known_at=step.known_at)
    checks = [*(check_active(records, expected) for expected in step.active),
              *(check_not_active(records, expected) for expected in step.not_active)]  # fmt: skip
    yield from (f"as of {step.when.isoformat()}: {words}" for words in checks if words)


def check_chain(versions: Sequence[MemoryVersion], values: Sequence[object]) -> bool:
    """Tell whether the values of the history are these, in this order."""
    return len(versions) == len(values) and all(
        same_value(version.value, value) for version, value in zip(versions, values, strict=True)
    )

"""What must hold after a story's last step."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.scenarios.match import matches
from eval.scenarios.play import active_memories, check_active, check_chain, check_not_active, describe
from eval.scenarios.results import ActionPair
from eval.scenarios.story import Chain, ExpectedDecision, Story
from ltm.errors import MemoryNotFoundError
from ltm.memory import Memory
from ltm.models import Action, Decision, MemoryVersion, Reason

_PAGE = 500
_ACTION_OF = {
    Reason.NEW: Action.CREATE,
    Reason.CHANGED: Action.UPDATE,
    Reason.ADDED: Action.UPDATE,
    Reason.REMOVED: Action.UPDATE,
    Reason.DENIED: Action.DELETE,
    Reason.STALE_STATEMENT: Action.UPDATE,
}
"""The action that a reason stands for; every other reason is one to ignore."""
_BOLDEST = (Action.DELETE, Action.UPDATE, Action.CREATE, Action.IGNORE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the final state shows; see `Result` for the counts."""

    failures: tuple[str, ...]
    polluting: int
    missed: int
    actions: tuple[ActionPair, ...]


def check(memory: Memory, story: Story) -> Checked:
    """Compare the final state with every expectation of the story."""
    expect = story.expect
    users = {expected.user for expected in (*expect.active, *expect.not_active)}
    records = {user: list(active_memories(memory, user)) for user in users}
    missing = [check_active(records[expected.user], expected) for expected in expect.active]
    wrong = [check_not_active(records[expected.user], expected) for expected in expect.not_active]
    judged = expect.decisions or _to_be_ignored(story)
    decisions = {user: list(_decisions(memory, user)) for user in {part.user for part in judged}}
    failures = [
        *missing,
        *wrong,
        *_pending(memory, story),
        *(_chain(memory, chain) for chain in expect.chain),
        *(_decided(decisions[part.user], part) for part in expect.decisions),
    ]
    return Checked(
        failures=tuple(words for words in failures if words),
        polluting=_polluting(records, story),
        missed=sum(words is not None for words in missing),
        actions=tuple(_action(decisions[part.user], part) for part in judged),
    )


def _polluting(records: dict[str, list[MemoryVersion]], story: Story) -> int:
    wrong: defaultdict[str, set[str]] = defaultdict(set)
    for expected in story.expect.not_active:
        found = (record.memory_id for record in records[expected.user] if matches(record, expected))
        wrong[expected.user].update(found)
    return sum(len(ids) for ids in wrong.values())


def _pending(memory: Memory, story: Story) -> Iterator[str]:
    for expected in story.expect.pending:
        held = memory.pending(expected.user)
        if not any(matches(candidate, expected) for candidate in held):
            yield f"not pending: {describe(expected)}; held are {[candidate.text for candidate in held]}"


def _chain(memory: Memory, chain: Chain) -> str | None:
    try:
        versions: Sequence[MemoryVersion] = memory.history(chain.user, key=chain.key)
    except MemoryNotFoundError:
        versions = ()
    if check_chain(versions, chain.values):
        return None
    return f"chain of {chain.key} is {[version.value for version in versions]}, not {list(chain.values)}"


def _decisions(memory: Memory, user: str) -> Iterator[Decision]:
    after: int | None = None
    while page := memory.decisions(user, limit=_PAGE, after=after):
        yield from page
        after = page[-1].decision_id


def _to_be_ignored(story: Story) -> tuple[ExpectedDecision, ...]:
    """Return every user turn of a story that asks for no memory at all: none of them may teach anything."""
    if story.expect.active or story.expect.pending:
        return ()
    return tuple(
        ExpectedDecision(user=step.observe.user, turn_id=turn.id)
        for step in story.steps
        if step.observe is not None
        for turn in step.observe.turns
        if turn.role == "user" and turn.id is not None
    )


def _decided(decisions: Sequence[Decision], expected: ExpectedDecision) -> str | None:
    of_turn = [decision for decision in decisions if decision.turn_id == expected.turn_id]
    for decision in of_turn:
        reason_fits = not expected.reason_in or decision.reason in expected.reason_in
        if reason_fits and (not expected.action_in or decision.action in expected.action_in):
            return None
    has = [f"{decision.action}/{decision.reason}" for decision in of_turn]
    return f"turn {expected.turn_id} has decisions {has}, none of {[*expected.reason_in, *expected.action_in]}"


def _action(decisions: Sequence[Decision], expected: ExpectedDecision) -> ActionPair:
    """Pair the first action that the story allows with the boldest one taken, or with the expected one if it was."""
    if expected.action_in:
        wanted = Action(expected.action_in[0])
    else:
        wanted = _ACTION_OF.get(Reason(expected.reason_in[0]), Action.IGNORE) if expected.reason_in else Action.IGNORE
    taken = {decision.action for decision in decisions if decision.turn_id == expected.turn_id}
    actual = wanted if wanted in taken else next((action for action in _BOLDEST if action in taken), None)
    return ActionPair(expected=wanted, actual=actual)

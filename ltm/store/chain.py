"""The rules of a version chain: where a version stands in time, what the value is there, how a chain is mended.

Pure: no SQL, no clock. A chain is a tuple of links in version order (1, 2, ...). *Truth order* is (valid_from,
version) over the links that are not reverted; the last in truth order is the head.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from ltm.models import Action, Json, Op, Status, canonical
from ltm.ports import NewVersion

Say: TypeAlias = Callable[[Json, str], str]
"""Makes the sentence for a folded set value; the second argument is a sentence in the language to use."""

MadeBy: TypeAlias = Literal["statement", "end", "rollback", "undo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One version as stored.

    Attributes:
        content: What was said; never changes.
        recorded_at: When the store learnt it.
        reverted_at: When it was undone, or None.
        confidence: The content's, or what reinforcement raised it to.
        made_by: Which rule made it; only a statement, or the end of a memory, was taught by somebody.
    """

    version: int
    content: NewVersion
    confidence: float
    recorded_at: datetime
    reverted_at: datetime | None = None
    made_by: MadeBy = "statement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A link in its place.

    Attributes:
        valid_to: Where the next in truth order begins, None while it lasts. A reverted link's interval is empty.
        value: The whole value there.
        text: The sentence for the whole value.
    """

    link: Link
    status: Status
    valid_to: datetime | None
    value: Json
    text: str


def place(links: Sequence[Link], say: Say) -> tuple[Placed, ...]:
    """Put every link in its place, in version order."""
    standing = _truth_order(links)
    placed = {item.link.version: item for item in _place_standing(standing, say)}
    for link in links:
        if link.reverted_at is not None:
            placed[link.version] = _place_reverted(link, links, say)
    return tuple(placed[link.version] for link in links)


def place_last(placed: tuple[Placed, ...], link: Link, say: Say) -> tuple[Placed, ...]:
    """Put one more link behind a chain that is in place; equals `place` of all, without the work where it is last."""
    head = find_head(placed)
    if head is not None and _rank(head.link) > _rank(link):
        return place([*(item.link for item in placed), link], say)
    shown = _fold_one(None if head is None else _carried_on(head), link, say)
    added = Placed(link=link, status=shown[2], valid_to=None, value=shown[0], text=shown[1])
    if head is None:
        return (*placed, added)
    at = head.link.version - 1
    closed = replace(head, status=_closed(head.status), valid_to=link.content.valid_from)
    return (*placed[:at], closed, *placed[at + 1 :], added)


def find_head(placed: Sequence[Placed]) -> Placed | None:
    """Return the last in truth order; None for a chain without a standing link."""
    standing = [item for item in placed if item.link.reverted_at is None]
    return max(standing, key=lambda item: _rank(item.link), default=None)


def known(links: Sequence[Link], at: datetime) -> tuple[Link, ...]:
    """Return the chain as it was known at a time: later links unknown, later undoing not yet done."""
    return tuple(
        link if link.reverted_at is None or link.reverted_at <= at else replace(link, reverted_at=None)
        for link in links
        if link.recorded_at <= at
    )


def find_true_at(placed: Sequence[Placed], when: datetime) -> Placed | None:
    """Return what was true at a time, with status `active`; None where the memory did not hold then."""
    begun = [item for item in placed if item.link.reverted_at is None and item.link.content.valid_from <= when]
    last = max(begun, key=lambda item: _rank(item.link), default=None)
    if last is None or last.status not in HOLDING:
        return None
    return replace(last, status=Status.ACTIVE)


HOLDING = (Status.ACTIVE, Status.SUPERSEDED)
"""Statuses of a version that says what is, or was, true in its interval."""


def rolled_back(
    links: Sequence[Link], to_version: int, *, now: datetime, say: Say, reason: str, actor: str
) -> tuple[tuple[Link, ...], NewVersion]:
    """Revert everything behind `to_version` and return the links and the version to append.

    That carries value, text and status of `to_version`, from the earliest undone valid_from that lies behind it on;
    from its own on where only late statements are undone.
    """
    target = place(links, say)[to_version - 1]
    undone = [link for link in links if link.version > to_version and link.reverted_at is None]
    behind = [link.content.valid_from for link in undone if _rank(link) > _rank(target.link)]
    start = min(behind, default=target.link.content.valid_from)
    carried = _carry(target, _begun(target), start, reason, actor)
    return _reverted(links, {link.version for link in undone}, now), carried


def ended(head: Placed, status: Status, *, at: datetime, reason: str, actor: str) -> NewVersion:
    """Return the version that ends a memory and keeps its value; never before the head began."""
    start = max(at, head.link.content.valid_from)
    action = Action.DELETE if status is Status.RETRACTED else Action.UPDATE
    return replace(_carry(head, status, start, reason, actor), action=action)


def undone(
    links: Sequence[Link], versions: Collection[int], *, now: datetime, say: Say, reason: str, actor: str
) -> tuple[tuple[Link, ...], NewVersion]:
    """Revert some versions, which must be standing, and return the links and the version to append.

    That carries what remains at the earliest undone valid_from; where nothing remains there, the undone value with
    status `reverted`.
    """
    before = place(links, say)
    first = min((link for link in links if link.version in versions), key=_rank)
    start = first.content.valid_from
    rest = _reverted(links, versions, now)
    remaining = [item for item in _place_standing(_truth_order(rest), say) if item.link.content.valid_from <= start]
    if not remaining:
        return rest, _carry(before[first.version - 1], Status.REVERTED, start, reason, actor)
    return rest, _carry(remaining[-1], _begun(remaining[-1]), start, reason, actor)


def _rank(link: Link) -> tuple[datetime, int]:
    return link.content.valid_from, link.version


def _truth_order(links: Sequence[Link]) -> list[Link]:
    return sorted((link for link in links if link.reverted_at is None), key=_rank)


def _place_standing(standing: Sequence[Link], say: Say) -> Iterator[Placed]:
    running: Json = None
    for place_no, link in enumerate(standing):
        value, text, status = _fold_one(running, link, say)
        running = value if status is Status.ACTIVE else None
        is_last = place_no == len(standing) - 1
        yield Placed(
            link=link,
            status=status if is_last else _closed(status),
            valid_to=None if is_last else standing[place_no + 1].content.valid_from,
            value=value,
            text=text,
        )


def _place_reverted(link: Link, links: Sequence[Link], say: Say) -> Placed:
    """Show a reverted link's value as it was believed when recorded."""
    # A link may have been undone in the moment in which it was recorded.
    then = [
        replace(other, reverted_at=None) if other.version == link.version else other
        for other in known(links, link.recorded_at)
        if other.version <= link.version
    ]
    believed = next(item for item in _place_standing(_truth_order(then), say) if item.link.version == link.version)
    return replace(believed, link=link, status=Status.REVERTED, valid_to=link.content.valid_from)


def _fold_one(running: Json, link: Link, say: Say) -> tuple[Json, str, Status]:
    """Return whole value, sentence and status of a link that stands behind the running value."""
    content = link.content
    if content.begins_as is not Status.ACTIVE:
        return content.value, content.text, content.begins_as
    if content.op is Op.SET:
        return content.value, content.text, Status.ACTIVE
    members = _merge(running, content.value, content.op)
    if not members:
        return [], content.text, Status.RETRACTED
    return members, say(members, content.text), Status.ACTIVE


def _merge(running: Json, members: Json, op: Op) -> list[Json]:
    stored, given = _members(running), _members(members)
    if op is Op.REMOVE:
        gone = {canonical(member) for member in given}
        return [member for member in stored if canonical(member) not in gone]
    merged: dict[str, Json] = {}
    for member in (*stored, *given):
        merged.setdefault(canonical(member), member)
    return list(merged.values())


def _members(value: Json) -> list[Json]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _carried_on(head: Placed) -> Json:
    return head.value if head.status is Status.ACTIVE else None


def _closed(status: Status) -> Status:
    return Status.SUPERSEDED if status is Status.ACTIVE else status


def _begun(placed: Placed) -> Status:
    """Return the status it has, or would have, where nothing follows it."""
    content = placed.link.content
    if content.begins_as is not Status.ACTIVE:
        return content.begins_as
    return Status.ACTIVE if content.op is Op.SET or placed.value else Status.RETRACTED


def _carry(placed: Placed, status: Status, start: datetime, reason: str, actor: str) -> NewVersion:
    return replace(
        placed.link.content,
        text=placed.text,
        value=placed.value,
        op=Op.SET,
        confidence=placed.link.confidence,
        valid_from=start,
        begins_as=status,
        action=Action.UPDATE,
        reason=reason,
        actor=actor,
        external_id=None,
        evidence=(),
        expected_version=None,
    )


def _reverted(links: Sequence[Link], versions: Collection[int], now: datetime) -> tuple[Link, ...]:
    return tuple(replace(link, reverted_at=now) if link.version in versions else link for link in links)

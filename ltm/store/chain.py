"""The rules of a version chain: where a version stands in time, and what the value is there.

Pure: no SQL, no clock. A chain is a tuple of links in version order (1, 2, ...). *Truth order* is (valid_from,
version) over the links that are not reverted; the last in truth order is the head.

What mends a chain says nothing of its own: an undoing shows what remains at its place, a rollback what its version
shows. So undoing one more of those that spoke, or an old statement that turns up, changes what they show as well.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from ltm.models import Json, Op, Status
from ltm.ports import NewVersion
from ltm.store.members import merge

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
        carries: The version that a rollback went back to.
    """

    version: int
    content: NewVersion
    confidence: float
    recorded_at: datetime
    reverted_at: datetime | None = None
    made_by: MadeBy = "statement"
    carries: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A link in its place.

    Attributes:
        valid_to: Where the next in truth order begins, None while it lasts. A reverted link's interval is empty.
        begun: Its status while nothing follows it.
        value: The whole value there.
        text: The sentence for the whole value.
        source: The link whose words it shows; another one only for what mends a chain.
    """

    link: Link
    status: Status
    valid_to: datetime | None
    begun: Status
    value: Json
    text: str
    source: Link


def place(links: Sequence[Link], say: Say) -> tuple[Placed, ...]:
    """Put every link in its place, in version order."""
    standing = truth_order(links)
    placed = {item.link.version: item for item in place_standing(standing, say)}
    placed |= {item.link.version: item for item in _place_reverted(links, say)}
    return tuple(placed[link.version] for link in links)


def place_last(placed: tuple[Placed, ...], head: Placed | None, link: Link, say: Say) -> tuple[Placed, ...]:
    """Put one more link into a chain that is in place; equals `place` of all, without the work where nothing folds it.

    Args:
        placed: The chain.
        head: Its head, as `find_head` gives it: whoever appends often need not look for it each time.
        link: What is appended.
        say: As for `place`.
    """
    before, after = (head, None) if head is None or rank(head.link) < rank(link) else _neighbours(placed, link)
    if link.made_by in MENDING or (after is not None and not speaks_alone(after.link)):
        return place([*(item.link for item in placed), link], say)
    added = _placed(
        _fold_one(before, link, say), link, valid_to=None if after is None else after.link.content.valid_from
    )
    if before is None:
        return (*placed, added)
    at = before.link.version - 1
    closed = replace(before, status=_closed(before.begun), valid_to=link.content.valid_from)
    return (*placed[:at], closed, *placed[at + 1 :], added)


def _neighbours(placed: Sequence[Placed], link: Link) -> tuple[Placed | None, Placed]:
    """Return what stands before and behind a link that is not the last in truth order."""
    standing = sorted((item for item in placed if item.link.reverted_at is None), key=_place_no)
    at = bisect_right(standing, rank(link), key=_place_no)
    return standing[at - 1] if at else None, standing[at]


def _place_no(item: Placed) -> tuple[datetime, int]:
    return rank(item.link)


def speaks_alone(link: Link) -> bool:
    """Tell whether what a link shows depends on no other one."""
    return link.content.op is Op.SET and link.made_by not in MENDING


def find_head(placed: Sequence[Placed]) -> Placed | None:
    """Return the last in truth order; None for a chain without a standing link."""
    standing = [item for item in placed if item.link.reverted_at is None]
    return max(standing, key=_place_no, default=None)


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
    last = max(begun, key=_place_no, default=None)
    if last is None or last.status not in HOLDING:
        return None
    return replace(last, status=Status.ACTIVE)


HOLDING = (Status.ACTIVE, Status.SUPERSEDED)
"""Statuses of a version that says what is, or was, true in its interval."""

MENDING: tuple[MadeBy, ...] = ("rollback", "undo")
"""Makers of links that show the words of others."""


def rank(link: Link) -> tuple[datetime, int]:
    """Return the place of a link in truth order."""
    return link.content.valid_from, link.version


def truth_order(links: Sequence[Link]) -> list[Link]:
    """Return the standing links in truth order."""
    return sorted((link for link in links if link.reverted_at is None), key=rank)


def place_standing(standing: Sequence[Link], say: Say) -> Iterator[Placed]:
    """Put standing links, given in truth order, in their places."""
    seen: dict[int, Placed] = {}
    before: Placed | None = None
    for place_no, link in enumerate(standing):
        shown = _show(link, before, seen, say)
        is_last = place_no == len(standing) - 1
        before = _placed(shown, link, valid_to=None if is_last else standing[place_no + 1].content.valid_from)
        seen[link.version] = before
        yield before


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    value: Json
    text: str
    status: Status
    source: Link


def _show(link: Link, before: Placed | None, seen: Mapping[int, Placed], say: Say) -> _Shown:
    if link.made_by == "undo":
        shown = before
    else:
        # A rollback to what was reverted already speaks for itself.
        shown = None if link.carries is None else seen.get(link.carries)
        if shown is None:
            return _fold_one(before, link, say)
    if shown is None:  # nothing remains
        return _Shown(value=link.content.value, text=link.content.text, status=Status.REVERTED, source=link)
    return _Shown(value=shown.value, text=shown.text, status=shown.begun, source=shown.source)


def _placed(shown: _Shown, link: Link, *, valid_to: datetime | None) -> Placed:
    return Placed(
        link=link,
        status=shown.status if valid_to is None else _closed(shown.status),
        valid_to=valid_to,
        begun=shown.status,
        value=shown.value,
        text=shown.text,
        source=shown.source,
    )


def _place_reverted(links: Sequence[Link], say: Say) -> Iterator[Placed]:
    """Show each reverted link's value as it was believed when it was recorded, in version order.

    What was believed is replayed version by version: a link that came last in truth order goes behind the head before
    it, and only where something had been undone meanwhile, or a link went elsewhere, is the chain of then placed anew.
    """
    undone_at = sorted({link.reverted_at for link in links if link.reverted_at is not None})
    head: Placed | None = None
    latest = datetime.min.replace(tzinfo=UTC)
    replayed: int | None = 0
    for link in links if undone_at else ():
        undone = bisect_right(undone_at, link.recorded_at)
        latest = max(latest, link.recorded_at)
        is_last = link.made_by not in MENDING and (head is None or rank(head.link) < rank(link))
        if is_last and undone == replayed and link.recorded_at == latest:
            head = believed = _placed(_fold_one(head, link, say), link, valid_to=None)
        else:
            standing = list(place_standing(truth_order(_believed(links, link)), say))
            head, believed = standing[-1], next(item for item in standing if item.link.version == link.version)
        # A link may have been undone in the moment in which it was recorded, and a clock may have been set back.
        is_over = link.reverted_at is not None and link.reverted_at <= link.recorded_at
        replayed = None if is_over or link.recorded_at < latest else undone
        if link.reverted_at is not None:
            yield replace(believed, link=link, status=Status.REVERTED, valid_to=link.content.valid_from)


def _believed(links: Sequence[Link], last: Link) -> list[Link]:
    """Return the chain as it was known when `last` was recorded, and stood."""
    then = known(links, last.recorded_at)
    return [
        replace(link, reverted_at=None) if link.version == last.version else link
        for link in then
        if link.version <= last.version
    ]


def _fold_one(before: Placed | None, link: Link, say: Say) -> _Shown:
    """Show a link that speaks for itself, behind what stands before it."""
    content = link.content
    if content.begins_as is not Status.ACTIVE or content.op is Op.SET:
        return _Shown(value=content.value, text=content.text, status=content.begins_as, source=link)
    running = before.value if before is not None and before.begun is Status.ACTIVE else None
    members = merge(running, content.value, content.op)
    if not members:
        return _Shown(value=[], text=content.text, status=Status.RETRACTED, source=link)
    return _Shown(value=members, text=say(members, content.text), status=Status.ACTIVE, source=link)


def _closed(status: Status) -> Status:
    return Status.SUPERSEDED if status is Status.ACTIVE else status

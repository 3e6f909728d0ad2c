"""How a chain is mended: rolled back, ended, partly undone. Pure, as `ltm.store.chain` is."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ltm.models import Action, Op, Status
from ltm.ports import NewVersion
from ltm.store.chain import Link, MadeBy, Placed, Say, place, place_standing, rank, truth_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """A chain some of whose links were reverted, and what is to be appended to it.

    Attributes:
        links: The chain; only `reverted_at` has changed.
        carries: As in `Link`.
    """

    links: tuple[Link, ...]
    content: NewVersion
    made_by: MadeBy
    carries: int | None = None


def rolled_back(links: Sequence[Link], to_version: int, *, now: datetime, say: Say, reason: str, actor: str) -> Mended:
    """Revert everything behind `to_version`; what is appended carries that one.

    It shows value, text and status of `to_version` without what is undone, from the earliest undone valid_from that
    lies behind it on; from its own on where only late statements are undone.
    """
    undone = [link for link in links if link.version > to_version and link.reverted_at is None]
    rest = _reverted(links, {link.version for link in undone}, now)
    target = place(rest, say)[to_version - 1]
    behind = [link.content.valid_from for link in undone if rank(link) > rank(target.link)]
    start = min(behind, default=target.link.content.valid_from)
    return Mended(
        links=rest,
        content=_carry(target, target.begun, start, reason, actor),
        made_by="rollback",
        carries=target.source.version,
    )


def ended(head: Placed, status: Status, *, at: datetime, reason: str, actor: str) -> NewVersion:
    """Return the version that ends a memory and keeps its value; never before the head began."""
    start = max(at, head.link.content.valid_from)
    action = Action.DELETE if status is Status.RETRACTED else Action.UPDATE
    return replace(_carry(head, status, start, reason, actor), action=action)


def undone(
    links: Sequence[Link], versions: Collection[int], *, now: datetime, say: Say, reason: str, actor: str
) -> Mended:
    """Revert some versions, which must be standing, and with them the rollbacks to them.

    What is appended shows what remains at the earliest undone valid_from; where nothing remains there, the undone
    value with status `reverted`.
    """
    before = place(links, say)
    gone = _with_rollbacks(links, versions)
    first = min((link for link in links if link.version in gone), key=rank)
    start = first.content.valid_from
    rest = _reverted(links, gone, now)
    remaining = [item for item in place_standing(truth_order(rest), say) if item.link.content.valid_from <= start]
    shown, status = (remaining[-1], remaining[-1].begun) if remaining else (before[first.version - 1], Status.REVERTED)
    return Mended(links=rest, content=_carry(shown, status, start, reason, actor), made_by="undo")


def _with_rollbacks(links: Sequence[Link], versions: Collection[int]) -> set[int]:
    gone = set(versions)
    for link in links:
        if link.reverted_at is None and link.carries in gone:
            gone.add(link.version)
    return gone


def _carry(placed: Placed, status: Status, start: datetime, reason: str, actor: str) -> NewVersion:
    return replace(
        placed.source.content,
        text=placed.text,
        value=placed.value,
        op=Op.SET,
        confidence=placed.source.confidence,
        valid_from=start,
        begins_as=status,
        action=Action.UPDATE,
        reason=reason,
        actor=actor,
        external_id=None,
        evidence=(),
        sightings=(),
        expected_version=None,
    )


def _reverted(links: Sequence[Link], versions: Collection[int], now: datetime) -> tuple[Link, ...]:
    return tuple(replace(link, reverted_at=now) if link.version in versions else link for link in links)

"""What a recall is asked, checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from ltm.errors import InvalidRequestError
from ltm.models import Kind, Owner, Turn
from ltm.models.check import check_count, check_fraction, check_text, check_time, check_word
from ltm.ports import Clock

MAX_LIMIT = 200
MAX_BUDGET = 10_000_000
DEFAULT_LIMIT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """One recall. Make it with `checked_request`, which says what is acceptable.

    Attributes:
        token_budget: Upper bound on the block's o200k tokens; None means no bound.
        limit: Upper bound on the items.
        kinds: Only these kinds; empty means all.
        history: Earlier turns of this dialogue, oldest first, the intent not among them.
        as_of: Recall what was true then; None recalls what is true.
        now: Time of the question, UTC.
        zone: The user's time zone.
        min_relevance: None uses the profile's floor, 0 none (and no small-talk gate), else a floor on relevance.
        explain: Give every item the terms of its score.
    """

    owner: Owner
    intent: str
    now: datetime
    zone: tzinfo
    token_budget: int | None = None
    limit: int = DEFAULT_LIMIT
    kinds: tuple[Kind, ...] = ()
    history: tuple[Turn, ...] = ()
    as_of: datetime | None = None
    min_relevance: float | None = None
    explain: bool = False


def checked_request(
    owner: Owner,
    intent: object,
    *,
    clock: Clock,
    default_zone: tzinfo,
    now: object = None,
    tz: object = None,
    token_budget: object = None,
    limit: object = DEFAULT_LIMIT,
    kinds: Iterable[object] | None = None,
    history: Sequence[Turn] = (),
    as_of: object = None,
    min_relevance: object = None,
    explain: bool = False,
) -> RecallRequest:
    """Check the arguments of `Memory.recall`.

    Args:
        owner: Whose memories.
        intent: 1 to 32,768 characters, not blank.
        clock: Says what time it is where `now` is None.
        default_zone: Of the settings; the user's zone where neither `tz` nor `now` says it.
        now: Aware datetime, or None.
        tz: IANA name or tzinfo of the user; None takes that of `now`.
        token_budget: At least 1, or None.
        limit: 1 to 200.
        kinds: Kinds or their names; None and none mean all.
        history: Turns.
        as_of: Aware datetime, or None.
        min_relevance: 0 to 1, or None.
        explain: Whether to explain.

    Raises:
        InvalidRequestError: One of them is not acceptable; the message names it.
    """
    return RecallRequest(
        owner=owner,
        intent=check_text(intent, "intent"),
        now=clock.now() if now is None else check_time(now, "now"),
        zone=_zone(tz, now, default_zone),
        token_budget=None
        if token_budget is None
        else check_count(token_budget, "token_budget", low=1, high=MAX_BUDGET),
        limit=check_count(limit, "limit", low=1, high=MAX_LIMIT),
        kinds=_kinds(kinds),
        history=_history(history),
        as_of=None if as_of is None else check_time(as_of, "as_of"),
        min_relevance=None if min_relevance is None else check_fraction(min_relevance, "min_relevance"),
        explain=bool(explain),
    )


def _zone(tz: object, now: object, default: tzinfo) -> tzinfo:
    if tz is None:
        return (now.tzinfo if isinstance(now, datetime) else None) or default
    if isinstance(tz, tzinfo):
        return tz
    if not isinstance(tz, str):
        raise InvalidRequestError(f"tz must be an IANA name or a tzinfo, not {type(tz).__name__}")
    try:
        return ZoneInfo(tz)
    except (KeyError, OSError, ValueError) as error:  # unknown, a folder's name, a path
        raise InvalidRequestError(f"tz {tz!r} is no IANA time zone") from error


def _kinds(kinds: Iterable[object] | None) -> tuple[Kind, ...]:
    if kinds is None:
        return ()
    if isinstance(kinds, str | Kind):
        return (check_word(kinds, Kind, "kinds"),)
    return tuple(sorted({check_word(kind, Kind, "kinds") for kind in kinds}))


def _history(history: Sequence[Turn]) -> tuple[Turn, ...]:
    turns = tuple(history)
    for turn in turns:
        if not isinstance(turn, Turn):
            raise InvalidRequestError(f"history must hold turns, not {type(turn).__name__}")
    return turns

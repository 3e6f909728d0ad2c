"""Rows of any known shape to memories and queries, with every problem noted."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from eval.datasets import fields
from eval.datasets.fields import Row, read_ids
from eval.datasets.times import parse_time
from eval.datasets.values import ANYBODY, CorpusMemory, Query
from ltm.errors import InvalidRequestError
from ltm.models import Json, Kind, Role, Turn

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Time of the first memory of a set without times; each further row is a second later, so that order is kept."""


def read_memory(row: Row, position: int, problems: list[str]) -> CorpusMemory | None:
    """Return the memory, or None after noting what the row lacks."""
    text = row.text(fields.TEXT)
    if text is None:
        problems.append(row.lacks("text", fields.TEXT))
        return None
    at = _read_time(row, fields.AT, problems)
    kind, speaker = row.text(("kind",)), row.text(fields.SPEAKER)
    return CorpusMemory(
        memory_id=row.text(fields.ID) or str(position),
        user=row.text(fields.USER) or ANYBODY,
        text=_with_speaker(text.strip(), speaker),
        at=at or UNDATED + timedelta(seconds=position),
        context=row.text(fields.CONTEXT),
        kind=kind if kind in set(Kind) else None,
        key=row.text(("key",)),
        value=cast("Json", row.fields.get("value")),
        session=row.text(fields.SESSION),
        split=row.text(("split",)),
    )


def read_query(row: Row, position: int, problems: list[str]) -> tuple[Query, bool] | None:
    """Return the query and whether it says when it is asked, or None after noting what the row lacks."""
    intent = row.text(fields.INTENT)
    if intent is None:
        problems.append(row.lacks("intent", fields.INTENT))
        return None
    now = _read_time(row, fields.NOW, problems)
    relevant = read_ids(row.pick(fields.RELEVANT))
    query = Query(
        query_id=row.text(fields.QUERY_ID) or f"q{position}",
        user=row.text(fields.USER) or ANYBODY,
        intent=intent.strip(),
        now=now or UNDATED,
        relevant=relevant,
        category=_read_category(row),
        needs_nothing=bool(row.pick(fields.NOTHING)),
        history=read_history(row.pick(fields.HISTORY), row, problems),
        forbidden=frozenset(read_ids(row.pick(fields.FORBIDDEN))),
        split=row.text(("split",)),
    )
    return query, now is not None


def read_history(raw: object, row: Row, problems: list[str]) -> tuple[Turn, ...]:
    """Return earlier turns: strings are the user's, objects carry a role or a speaker."""
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        return ()
    turns = []
    for part in raw:
        inner = Row(source=row.source, fields=part if isinstance(part, Mapping) else {"role": "user", "text": part})
        text, role = inner.text(fields.TEXT), inner.text(("role", "speaker"))
        try:
            turns.append(
                Turn(
                    role=role if role in set(Role) else Role.USER, text=text or "", at=parse_time(inner.pick(fields.AT))
                )
            )
        except InvalidRequestError as error:
            problems.append(f"{row.source}: history: {error}")
    return tuple(turns)


def _read_time(row: Row, names: Sequence[str], problems: list[str]) -> datetime | None:
    found = [row.fields[name] for name in names if row.fields.get(name) is not None]
    day, clock = row.text(("date",)), row.text(("time",))
    joined = [f"{day} {clock}"] if day and clock else []
    moments = (moment for raw in (*joined, *found) if (moment := parse_time(raw)) is not None)
    moment = next(moments, None)
    if found and moment is None:
        problems.append(f"{row.source}: {found[0]!r} is no time that is understood (ISO 8601 is)")
    return moment


def _read_category(row: Row) -> str:
    named = row.text(fields.CATEGORY)
    return ANYBODY if named is None or named in fields.QUERY_WORDS else named


def _with_speaker(text: str, speaker: str | None) -> str:
    """Put a person's name before what they said, as LoCoMo's retrieval units do; a mere role is no name."""
    if speaker is None or speaker in set(Role) or text.startswith(f"{speaker}:"):
        return text
    return f"{speaker}: {text}"

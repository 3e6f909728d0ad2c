"""Records, decisions and recalls as tables."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo

from rich.table import Table

from ltm.models import Decision, Json, MemoryVersion, PendingCandidate, RecallItem


def show_value(value: Json) -> str:
    """Return a value in one short line: members of a set side by side, fields of an object where they are known."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return " ".join(f"{name}={show_value(member)}" for name, member in value.items() if member is not None)
    if isinstance(value, Sequence):
        return ", ".join(show_value(member) for member in value)
    return "" if value is None else json.dumps(value)


WORDY = {"text", "quote"}
"""Columns that may take more than one line."""


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading not in WORDY)
    return table


def record_table(records: Iterable[MemoryVersion], zone: tzinfo) -> Table:
    """Return heads, one a row."""
    table = _table("memory", "key", "text", "status", "since", "v")
    for record in records:
        since = record.valid_from.astimezone(zone)
        row = (record.memory_id, record.key or "", record.text, record.status, f"{since:%Y-%m-%d}", str(record.version))
        table.add_row(*row)
    return table


def decision_table(decisions: Iterable[Decision]) -> Table:
    """Return decisions, one a row; the candidate's quote says what it is about."""
    table = _table("turn", "action", "outcome", "reason", "key", "quote")
    for decision in decisions:
        candidate = decision.candidate
        key, quote = (candidate.key or "", candidate.quote) if candidate else ("", "")
        table.add_row(decision.turn_id or "", decision.action, decision.outcome, decision.reason, key, quote)
    return table


def pending_table(candidates: Iterable[PendingCandidate], zone: tzinfo) -> Table:
    """Return held candidates, one a row."""
    table = _table("pending", "key", "text", "reason", "sessions", "confidence", "until")
    for held in candidates:
        until = f"{held.expires_at.astimezone(zone):%Y-%m-%d}"
        seen, confidence = str(held.sessions_seen), f"{held.confidence:.2f}"
        table.add_row(held.pending_id, held.key or "", held.text, held.reason, seen, confidence, until)
    return table


def item_table(items: Iterable[RecallItem]) -> Table:
    """Return the items of a recall with every term of their scores."""
    table = _table(
        "text", "score", "relevance", "recency", "conf.", "dense z", "lexical z", "day", "beside", "signal", "tokens"
    )
    for item in items:
        terms = item.terms
        parts = (terms.dense_z, terms.lexical_z, terms.day_boost, terms.neighbour_boost, terms.signal) if terms else ()
        figures = (item.score, item.relevance, item.recency, item.confidence, *parts)
        table.add_row(item.memory.text, *(f"{figure:.2f}" for figure in figures), str(item.tokens))
    return table

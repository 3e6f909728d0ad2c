"""Memories and queries as read, made into one consistent set."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from eval.datasets.fields import Row, read_ids
from eval.datasets.rows import read_memory, read_query
from eval.datasets.values import ANYBODY, CorpusMemory, Dataset, Query, SkippedQuery
from eval.errors import DatasetError

DIALOGUES = frozenset({"locomo", "tmd", "realtalk"})
"""Sets known to be dialogue turns, whose context is the turn before on the same day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSet:
    """What a reader found in the files.

    Attributes:
        qrels: Query id to memory ids with grades, from files of their own; rows may carry judgements too.
        is_dialogue: Whether to give each turn its context; None asks the name of the set and the rows' speakers.
    """

    name: str
    memories: Sequence[Row]
    queries: Sequence[Row]
    qrels: Mapping[str, Mapping[str, int]]
    is_dialogue: bool | None = None
    packs: tuple[str, ...] = ()


def assemble(raw: RawSet) -> Dataset:
    """Return the set; ids that repeat among users are prefixed with the user.

    Raises:
        DatasetError: Rows that cannot be read, no memory or no query at all.
    """
    problems: list[str] = []
    memories = [kept for at, row in enumerate(raw.memories) if (kept := read_memory(row, at, problems)) is not None]
    pairs = [found for at, row in enumerate(raw.queries) if (found := read_query(row, at, problems)) is not None]
    if not raw.memories:
        problems.append("no memories: no row with a text and no file named corpus, memories, turns or messages")
    if not raw.queries:
        problems.append("no queries: no row with an intent, query or question")
    if problems:
        raise DatasetError(raw.name, problems)
    queries = [_judged(query, raw.qrels) for query, _ in pairs]
    queries = _with_owner(queries, memories)
    memories, queries = _with_unique_ids(memories, queries)
    queries = _with_time(queries, [dated for _, dated in pairs], memories)
    if _is_dialogue(raw):
        memories = _with_context(memories)
    scored, skipped = _judge(queries, memories)
    return Dataset(
        name=raw.name, lang=_language(memories), memories=tuple(memories), queries=tuple(scored), packs=raw.packs,
        skipped=tuple(skipped),
    )  # fmt: skip


def _judged(query: Query, qrels: Mapping[str, Mapping[str, int]]) -> Query:
    found = qrels.get(query.query_id)
    return query if found is None else replace(query, relevant={**query.relevant, **read_ids(found)})


def _with_owner(queries: Iterable[Query], memories: Iterable[CorpusMemory]) -> list[Query]:
    """Give a query without a user the one user who owns all its memories."""
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for memory in memories:
        owners[memory.memory_id].add(memory.user)
    settled = []
    for query in queries:
        users = set().union(*(owners[name] for name in query.relevant if name in owners))
        lacks = query.user == ANYBODY and len(users) == 1
        settled.append(replace(query, user=users.pop()) if lacks else query)
    return settled


def _with_unique_ids(memories: list[CorpusMemory], queries: list[Query]) -> tuple[list[CorpusMemory], list[Query]]:
    seen = Counter(memory.memory_id for memory in memories)
    asked = Counter(query.query_id for query in queries)
    if max(seen.values()) > 1:
        memories = [replace(memory, memory_id=f"{memory.user}/{memory.memory_id}") for memory in memories]
        queries = [
            replace(
                query,
                relevant={f"{query.user}/{name}": grade for name, grade in query.relevant.items()},
                forbidden=frozenset(f"{query.user}/{name}" for name in query.forbidden),
            )
            for query in queries
        ]
    if max(asked.values()) > 1:
        queries = [replace(query, query_id=f"{query.user}/{query.query_id}/{at}") for at, query in enumerate(queries)]
    twice = [name for name, count in Counter(memory.memory_id for memory in memories).items() if count > 1]
    if twice:
        raise DatasetError("corpus", [f"memory id {name!r} occurs more than once for its user" for name in twice])
    return memories, queries


def _with_time(queries: list[Query], dated: list[bool], memories: list[CorpusMemory]) -> list[Query]:
    """Ask an undated query when its user said the last thing."""
    last: dict[str, datetime] = {}
    for memory in memories:
        last[memory.user] = max(memory.at, last.get(memory.user, memory.at))
    return [
        query if has_time else replace(query, now=last.get(query.user, query.now))
        for query, has_time in zip(queries, dated, strict=True)
    ]


def _is_dialogue(raw: RawSet) -> bool:
    if raw.is_dialogue is not None:
        return raw.is_dialogue
    return raw.name in DIALOGUES or len({row.text(("speaker",)) for row in raw.memories} - {None}) > 1


def _with_context(memories: list[CorpusMemory]) -> list[CorpusMemory]:
    before: dict[str, CorpusMemory] = {}
    context: dict[str, str] = {}
    for memory in sorted(memories, key=lambda memory: memory.at):
        previous = before.get(memory.user)
        if previous is not None and previous.at.date() == memory.at.date():
            context[memory.memory_id] = previous.text
        before[memory.user] = memory
    return [replace(memory, context=memory.context or context.get(memory.memory_id)) for memory in memories]


def _judge(queries: list[Query], memories: list[CorpusMemory]) -> tuple[list[Query], list[SkippedQuery]]:
    owned = {(memory.user, memory.memory_id) for memory in memories}
    kept, skipped = [], []
    for query in queries:
        relevant = {name: grade for name, grade in query.relevant.items() if (query.user, name) in owned}
        if relevant or query.needs_nothing:
            kept.append(replace(query, relevant=relevant))
        else:
            reason = "no relevant memory in its user's corpus" if query.relevant else "no judgements"
            skipped.append(SkippedQuery(query_id=query.query_id, reason=reason))
    return kept, skipped


def _language(memories: Sequence[CorpusMemory]) -> str:
    letters = "".join(memory.text for memory in memories[:500])
    han = sum("\u4e00" <= letter <= "\u9fff" for letter in letters)
    return "zh" if han * 5 > len(letters) else "en"

"""A corpus into a store, as an application would write it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from eval.datasets import CorpusMemory, Dataset
from eval.metrics.outcomes import Ingest
from eval.runner.embedding_cache import CachedEmbedder
from ltm.errors import InvalidRequestError
from ltm.memory import Memory
from ltm.models import MemoryInput, MemoryVersion

BATCH = 256
Advance = Callable[[int], None]
"""Told how many more memories, or queries, are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Where the corpus went.

    Attributes:
        corpus_ids: Memory id in the store to the corpus id it is ranked under: of the last statement on a key, of the
            first of those that were merged.
        aliases: Every other corpus id to the one its memory is ranked under.
        superseded: Corpus ids that a later statement on the same key of the same user replaced.
        heads: The corpus memories that are current, for baselines; texts as stored.
    """

    corpus_ids: Mapping[str, str]
    aliases: Mapping[str, str]
    superseded: frozenset[str]
    heads: tuple[CorpusMemory, ...]
    ingest: Ingest


def store_corpus(
    memory: Memory, dataset: Dataset, embedder: CachedEmbedder, advance: Advance = lambda count: None
) -> Stored:
    """Write every memory with `remember_many`, user by user and oldest first; refused ones are noted and left out.

    Writing the same set again changes nothing, since each memory carries its corpus id as `external_id`.
    """
    started, embedding = perf_counter(), embedder.seconds
    refused: dict[str, str] = {}
    pairs: list[tuple[CorpusMemory, MemoryVersion]] = []
    for batch in batches(dataset.memories):
        for found in write_batch(memory, batch, refused):
            pairs.append(found)
        advance(len(batch))
    seconds = perf_counter() - started
    spent = embedder.seconds - embedding
    return settle(pairs, Ingest(count=len(pairs), seconds=seconds, embed_seconds=spent, refused=refused))


def batches(memories: Sequence[CorpusMemory]) -> Iterator[list[CorpusMemory]]:
    """Yield at most `BATCH` memories of one user at a time, user by user, each user's oldest first."""
    by_user: defaultdict[str, list[CorpusMemory]] = defaultdict(list)
    for memory in memories:
        by_user[memory.user].append(memory)
    for own in by_user.values():
        own.sort(key=lambda memory: memory.at)
        for start in range(0, len(own), BATCH):
            yield own[start : start + BATCH]


def write_batch(
    memory: Memory, batch: list[CorpusMemory], refused: dict[str, str]
) -> Iterator[tuple[CorpusMemory, MemoryVersion]]:
    """Write a batch of one user and yield what each memory became.

    Refused ones are left out, one after another, and noted with the reason; nothing is written before all are good.
    """
    batch = list(batch)
    while batch:
        try:
            records = memory.remember_many(batch[0].user, [_input(one) for one in batch])
        except InvalidRequestError as error:
            if error.index is None:
                raise
            refused[batch.pop(error.index).memory_id] = str(error)
        else:
            yield from zip(batch, records, strict=True)
            return


def _input(memory: CorpusMemory) -> MemoryInput:
    return MemoryInput(
        text=memory.text,
        key=memory.key,
        value=memory.value,
        kind=memory.kind,
        at=memory.at,
        context=memory.context,
        session_id=memory.session,
        external_id=memory.memory_id,
    )


def settle(pairs: Sequence[tuple[CorpusMemory, MemoryVersion]], ingest: Ingest) -> Stored:
    """Return where each memory went, told from all that was written, in the order of writing."""
    heads: dict[str, CorpusMemory] = {}
    for one, record in pairs:
        if record.memory_id not in heads or one.key is not None:
            heads[record.memory_id] = one
    aliases = {
        one.memory_id: heads[record.memory_id].memory_id
        for one, record in pairs
        if heads[record.memory_id].memory_id != one.memory_id
    }
    keyed = {one.memory_id for one, _ in pairs if one.key is not None}
    return Stored(
        corpus_ids={memory_id: head.memory_id for memory_id, head in heads.items()},
        aliases=aliases,
        superseded=frozenset(aliases.keys() & keyed),
        heads=tuple(heads.values()),
        ingest=replace(ingest, merged=len(aliases.keys() - keyed)),
    )

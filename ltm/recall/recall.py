"""Recall: gather, rank, select, render."""

from functools import cached_property

from ltm.models import MemoryVersion, Recall, RecallItem, Status, Suppressed
from ltm.packs import PackSet
from ltm.ports import Cache, Reader, Reranker, Spaces
from ltm.recall import render
from ltm.recall.profile import DEFAULT, Profile
from ltm.recall.question import read_question
from ltm.recall.rank import Ranked, rank
from ltm.recall.request import RecallRequest
from ltm.recall.rerank import rerank
from ltm.recall.retrieve import Gathered, Retriever, Settle, leave_it
from ltm.recall.select import Line, Selection, select
from ltm.recall.small_talk import SmallTalk
from ltm.recall.tokens import count_tokens
from ltm.recall.topics import TopicWords


class Recaller:
    """Answers intents with what is known about a user. Thread-safe; it never changes what ranking reads."""

    def __init__(
        self,
        *,
        reader: Reader,
        spaces: Spaces,
        cache: Cache,
        packs: PackSet,
        profile: Profile = DEFAULT,
        cache_ttl_s: float = 3600.0,
        settle: Settle = leave_it,
        reranker: Reranker | None = None,
    ) -> None:
        self._retriever = Retriever(
            reader=reader, spaces=spaces, cache=cache, profile=profile, cache_ttl_s=cache_ttl_s, settle=settle
        )
        self._reader = reader
        self._packs = packs
        self._profile = profile
        self._reranker = reranker

    def recall(self, request: RecallRequest) -> Recall:
        """Return the memories that bear on an intent, and the block for the prompt.

        Small talk, and an intent that nothing bears on, give no items and the text "".

        Raises:
            StoreUnavailableError: The SQL store did not answer.
            FingerprintMismatchError: The index was built with another embedder than its generation says.
        """
        if request.min_relevance != 0 and self._small_talk.is_all_of(request.intent):
            return Recall()
        gathered = self._retriever.gather(request)
        if gathered.pool is None or not gathered.pool.memories:
            return Recall(suppressed=Suppressed(status=gathered.stale), degraded=gathered.degraded)
        question = read_question(
            request.intent,
            words=self._topics,
            now=request.now,
            zone=request.zone,
            min_relevance=request.min_relevance,
            named=gathered.named,
        )
        ranked = rank(gathered.pool, question, self._profile, self._packs.half_life_days)
        ranked = rerank(ranked, request.intent, self._reranker, depth=self._profile.rerank_depth)
        selection = select(
            ranked,
            question,
            token_budget=request.token_budget,
            limit=request.limit,
            overlap=self._profile.duplicate_overlap,
        )
        return self._answer(request, gathered, ranked, selection)

    @cached_property
    def _small_talk(self) -> SmallTalk:
        """Compile the words at the first recall: whoever only writes never needs them."""
        return SmallTalk(self._packs)

    @cached_property
    def _topics(self) -> TopicWords:
        return TopicWords(self._packs)

    def _answer(self, request: RecallRequest, gathered: Gathered, ranked: Ranked, selection: Selection) -> Recall:
        records = self._records(request, selection)
        lines = [line for line in selection.lines if _is_still(line, records.get(line.memory.memory_id))]
        text = render.block([line.text for line in lines], selection.frame)
        around = count_tokens(selection.frame.header) + count_tokens(selection.frame.footer)
        return Recall(
            items=tuple(_item(line, records[line.memory.memory_id], ranked, explain=request.explain) for line in lines),
            text=text,
            tokens=around + sum(line.tokens for line in lines) if lines else 0,
            suppressed=Suppressed(
                status=gathered.stale + len(selection.lines) - len(lines),
                relevance=ranked.below,
                duplicate=selection.duplicate,
                budget=selection.budget,
                limit=selection.limit,
            ),
            degraded=gathered.degraded,
        )

    def _records(self, request: RecallRequest, selection: Selection) -> dict[str, MemoryVersion]:
        chosen = [line.memory for line in selection.lines]
        if request.as_of is not None:
            return {memory.memory_id: memory for memory in chosen if isinstance(memory, MemoryVersion)}
        return self._reader.records(request.owner, [memory.memory_id for memory in chosen]) if chosen else {}


def _is_still(line: Line, record: MemoryVersion | None) -> bool:
    """Return whether a memory is still what its line says: it may have changed or gone since the heads check."""
    return record is not None and record.status is Status.ACTIVE and record.text == line.memory.text


def _item(line: Line, record: MemoryVersion, ranked: Ranked, *, explain: bool) -> RecallItem:
    at = line.at
    return RecallItem(
        memory=record,
        score=float(ranked.score[at]),
        relevance=float(ranked.relevance[at]),
        recency=float(ranked.recency[at]),
        confidence=line.memory.confidence,
        tokens=line.tokens,
        terms=ranked.terms(at) if explain else None,
    )

"""Ask a new generation what real memories say, before anybody depends on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ltm.errors import ModelError, VectorIndexError
from ltm.lexical import encode_query
from ltm.ports import Hit, OwnedHead, PoolQuery, Reader, Space

TOP = 10
LEAST_FOUND = 0.9
"""Of the sampled memories that must be among the first ten for their own words. With a sound index it is nearly all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallCheck:
    """What a sample of memories found when each asked for its own words.

    Attributes:
        asked: Memories in the sample.
        found: Those that were among the first ten of the new generation themselves, or a memory of the same words.
        dense_overlap: Mean share of the first ten that live and new generation have in common; None without a live one
            that answers.
        lexical_overlap: The same for the words, which no embedder changes.
    """

    asked: int
    found: int
    dense_overlap: float | None
    lexical_overlap: float | None

    @property
    def is_sound(self) -> bool:
        """Tell whether the new generation may be used."""
        return self.found >= LEAST_FOUND * self.asked


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    dense: tuple[str, ...]
    lexical: tuple[str, ...]


def check_recall(read: Reader, new: Space, live: Space | None, sample: Sequence[OwnedHead]) -> RecallCheck:
    """Compare the answers of two generations to the words of sampled memories.

    Raises:
        ModelError: The new embedder did not answer.
        VectorIndexError: The new generation did not answer.
    """
    answers = {owned.head.memory_id: _ask(new, owned) for owned in sample}
    before = {} if live is None else _ask_all(live, sample)
    dense = [_overlap(answers[one].dense, then.dense) for one, then in before.items() if then.dense]
    words = [_overlap(answers[one].lexical, then.lexical) for one, then in before.items() if then.lexical]
    return RecallCheck(
        asked=len(sample),
        found=sum(_finds_itself(read, owned, answers) for owned in sample),
        dense_overlap=sum(dense) / len(dense) if dense else None,
        lexical_overlap=sum(words) / len(words) if words else None,
    )


def _ask_all(space: Space, sample: Sequence[OwnedHead]) -> Mapping[str, _Answer]:
    """Ask the live generation; one that does not answer is no reason against the new one."""
    try:
        return {owned.head.memory_id: _ask(space, owned) for owned in sample}
    except (ModelError, VectorIndexError):
        return {}


def _ask(space: Space, owned: OwnedHead) -> _Answer:
    text = owned.head.text
    query = PoolQuery(
        owner_key=owned.owner.key,
        dense=None if space.embedder is None else space.embedder.embed_query(text),
        sparse=encode_query(text),
        limit=TOP,
    )
    pool = space.index.search(query)
    return _Answer(dense=_ids(pool.dense), lexical=_ids(pool.lexical))


def _ids(hits: Sequence[Hit]) -> tuple[str, ...]:
    return tuple(hit.memory_id for hit in hits)


def _overlap(these: Sequence[str], those: Sequence[str]) -> float:
    return len(set(these) & set(those)) / max(len(these), len(those))


def _finds_itself(read: Reader, owned: OwnedHead, answers: Mapping[str, _Answer]) -> bool:
    answer = answers[owned.head.memory_id]
    hits = {*answer.dense, *answer.lexical}
    if owned.head.memory_id in hits:
        return True
    # Ended meanwhile, or one of many episodes with the same words.
    heads = read.owned([*hits, owned.head.memory_id])
    mine = heads.get(owned.head.memory_id)
    return (
        mine is None
        or mine.head != owned.head
        or any(heads[hit].head.text == owned.head.text for hit in hits & heads.keys())
    )

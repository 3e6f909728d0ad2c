"""What a search returns, and what it must never return."""

import numpy as np
import pytest

from ltm.errors import FingerprintMismatchError, InvalidRequestError
from ltm.lexical import bm25_scores, encode_document, encode_query
from ltm.models import Kind, Status
from ltm.ports import PoolQuery, TimeSpan, VectorIndex
from tests.contract.vector_index.points import MOMENT, ask, later, memory_id, point, vector

HOSTILE_OWNERS = [
    "1:n:ann",
    "1:n:Ann",
    "1:n:ann ",
    "1:n: ann",
    "1:n:a\u0301nn",
    "1:n:\u00e1nn",
    "1:n:*",
    "1:n:%",
    '1:n:"; drop --',
    "1:n:\U0001f600",
    "1:n:ann\n",
    "1:n:[ann]",
    "3:a/b:c",
    "1:a:b/c",
    "1:n:" + "x" * 255,
    "1:n:1",
    "1:n:true",
    "1:n:2026-03-02T10:00:00Z",
]


def test_both_channels_answer(index: VectorIndex) -> None:
    """Each channel ranks by its own score and says which version and status it found."""
    index.upsert([point(1, text="green tea", dense=(1, 0), version=3), point(2, text="black coffee", dense=(1, 1))])
    pool = index.search(ask(text="coffee", dense=(1, 0)))
    assert [hit.memory_id for hit in pool.dense] == [memory_id(1), memory_id(2)]
    assert [hit.score for hit in pool.dense] == pytest.approx([1.0, 0.5**0.5])
    assert [(hit.version, hit.status) for hit in pool.dense] == [(3, Status.ACTIVE), (1, Status.ACTIVE)]
    assert [hit.memory_id for hit in pool.lexical] == [memory_id(2)]


@pytest.mark.parametrize(
    ("dense", "text", "found"), [(None, None, (0, 0)), ((1,), None, (1, 0)), (None, "tea", (0, 1)), ((1,), "?", (1, 0))]
)
def test_a_channel_can_be_left_out(
    index: VectorIndex, dense: tuple[float, ...] | None, text: str | None, found: tuple[int, int]
) -> None:
    """A channel without a vector, or without terms, is empty."""
    index.upsert([point(1)])
    pool = index.search(ask(dense=dense, text=text))
    assert (len(pool.dense), len(pool.lexical)) == found


def test_an_empty_index_and_an_unknown_owner_have_no_hits(index: VectorIndex) -> None:
    """Nothing is found where nothing is, without an error."""
    assert index.search(ask(dense=(1,), text="tea")).dense == ()
    index.upsert([point(1)])
    pool = index.search(ask(owner="1:n:bob", dense=(1,), text="tea"))
    assert (pool.dense, pool.lexical) == ((), ())


def test_owners_are_compared_byte_for_byte(index: VectorIndex) -> None:
    """Keys that look alike, hold wildcards or other types' literals belong to different owners."""
    index.upsert([point(n, owner=owner) for n, owner in enumerate(HOSTILE_OWNERS)])
    for n, owner in enumerate(HOSTILE_OWNERS):
        pool = index.search(ask(owner=owner, dense=(1,), text="tea"))
        assert [hit.memory_id for hit in pool.dense] == [memory_id(n)]
        assert [hit.memory_id for hit in pool.lexical] == [memory_id(n)]
        assert index.count(owner) == 1
    assert index.search(ask(owner="", dense=(1,))).dense == ()


@pytest.mark.parametrize("status", [each for each in Status if each is not Status.ACTIVE])
def test_only_active_points_are_found(index: VectorIndex, status: Status) -> None:
    """A head that is not active is stored, counted and never found."""
    index.upsert([point(1, status=status), point(2)])
    pool = index.search(ask(dense=(1,), text="tea"))
    assert [hit.memory_id for hit in pool.dense + pool.lexical] == [memory_id(2)] * 2
    assert index.count() == 2


def test_kinds_narrow_the_search(index: VectorIndex) -> None:
    """Only the kinds that are named are considered; IDF stays that of the whole owner."""
    index.upsert([point(1, kind=Kind.FACT), point(2, kind=Kind.EPISODE), point(3, kind=Kind.STATE)])
    pool = index.search(ask(dense=(1,), text="tea", kinds=(Kind.EPISODE, Kind.STATE)))
    assert [hit.memory_id for hit in pool.dense] == [memory_id(2), memory_id(3)]
    assert pool.lexical[0].score == index.search(ask(text="tea")).lexical[0].score


def test_a_joint_search_scores_lexical_hits_in_both_channels(index: VectorIndex) -> None:
    """A lexical hit that the dense channel would not have reached has its dense score too, once and in order."""
    index.upsert([point(n, dense=(1, n / 10), text="milk " * n) for n in range(1, 4)])
    index.upsert([point(8, dense=(0, 1), text="tea"), point(9, dense=(1, 3), text="tea"), point(7, dense=(1,))])
    index.upsert([point(10, owner="1:n:bob", text="tea")])
    pool = index.search(ask(dense=(1, 0), text="milk tea", limit=2, is_joint=True))
    assert [hit.memory_id for hit in pool.dense[:2]] == [memory_id(7), memory_id(1)]
    assert {hit.memory_id for hit in pool.lexical} <= {hit.memory_id for hit in pool.dense}
    assert len({hit.memory_id for hit in pool.dense}) == len(pool.dense)
    assert [hit.score for hit in pool.dense] == sorted((hit.score for hit in pool.dense), reverse=True)


def test_spans_bring_what_became_true_then(index: VectorIndex) -> None:
    """Behind the best of all come the best within the spans, from their start up to, not including, their end."""
    index.upsert([point(n, dense=(1,), text="tea tea") for n in range(1, 6)])
    moments = {11: later(100), 12: later(199.999999), 13: later(200), 14: later(300), 15: later(99.999999)}
    index.upsert([point(n, dense=(0, 1), valid_from=moment) for n, moment in moments.items()])
    spans = (TimeSpan(start=later(100), end=later(200)), TimeSpan(start=later(300), end=later(301)))
    pool = index.search(ask(dense=(1, 0.1), text="tea", limit=2, spans=spans))
    assert {hit.memory_id for hit in pool.dense} == {memory_id(n) for n in (1, 2, 11, 12)}
    assert {hit.memory_id for hit in pool.lexical} == {memory_id(n) for n in (1, 2, 11, 12)}
    never = TimeSpan(start=later(-2), end=MOMENT)
    assert len(index.search(ask(dense=(1,), text="tea", limit=2, spans=(never,))).dense) == 2


def test_ties_are_cut_by_id(index: VectorIndex) -> None:
    """Among equal scores the smaller ids come first, also where the limit cuts through them."""
    numbers = [n * 37 % 101 for n in range(1, 101)]
    index.upsert([point(n, dense=(0, 1)) for n in numbers] + [point(200, dense=(0, 2, 1), text="tea leaf")])
    expected = [memory_id(n) for n in sorted(numbers)] + [memory_id(200)]
    for limit in (1, 3, 10, 99, 100, 101, 1000):
        pool = index.search(ask(dense=(0, 1), text="tea", limit=limit))
        assert [hit.memory_id for hit in pool.dense] == expected[:limit]
        assert [hit.memory_id for hit in pool.lexical] == expected[:limit]


def test_the_limit_is_kept(index: VectorIndex) -> None:
    """No channel returns more than it was asked for, and the best are kept."""
    index.upsert([point(n, dense=(n, 100 - n)) for n in range(1, 60)])
    pool = index.search(ask(dense=(1, 0), text="tea", limit=7))
    assert [hit.memory_id for hit in pool.dense] == [memory_id(n) for n in range(59, 52, -1)]
    assert [hit.memory_id for hit in pool.lexical] == [memory_id(n) for n in range(1, 8)]


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_limits_out_of_range_are_refused(index: VectorIndex, limit: int) -> None:
    """A limit is 1 to 1000."""
    with pytest.raises(InvalidRequestError, match="limit"):
        index.search(ask(dense=(1,), limit=limit))


def test_lexical_scores_are_those_of_the_fallback(index: VectorIndex) -> None:
    """The index and `bm25_scores` agree, so that a recall without the index ranks as one with it."""
    texts = [
        "green tea and milk",
        "tea",
        "tea tea tea",
        "I drink coffee",
        "她喜欢喝绿茶",
        "milk, sugar",
        "!!!",
        "绿茶 tea",
    ]
    index.upsert([point(n, text=text) for n, text in enumerate(texts, start=1)])
    for intent in ("tea", "milk tea", "喝绿茶", "coffee sugar", "nothing"):
        scores = bm25_scores(encode_query(intent), [encode_document(text) for text in texts])
        expected = {memory_id(n): score for n, score in enumerate(scores, start=1) if score > 0}
        found = {hit.memory_id: hit.score for hit in index.search(ask(text=intent)).lexical}
        assert found == pytest.approx(expected, rel=1e-5)


def test_idf_is_the_owners_own(index: VectorIndex) -> None:
    """What other tenants write changes no score, and a rare word of a small tenant still counts."""
    index.upsert([point(1, text="oolong tea"), point(2, text="green tea"), point(3, text="milk")])
    before = index.search(ask(text="oolong tea"))
    index.upsert([point(n, owner="1:n:bob", text="oolong oolong") for n in range(10, 110)])
    assert index.search(ask(text="oolong tea")) == before
    assert before.lexical[0].memory_id == memory_id(1)
    assert before.lexical[0].score > 1.0


def test_idf_forgets_what_is_not_active(index: VectorIndex) -> None:
    """A retracted memory makes no word of the owner more common."""
    index.upsert([point(1, text="tea"), point(2, text="milk")])
    before = index.search(ask(text="tea"))
    index.upsert([point(3, text="tea", status=Status.RETRACTED)])
    assert index.search(ask(text="tea")) == before


def test_query_vectors_need_no_unit_length(index: VectorIndex) -> None:
    """The score is the inner product with the query as it is, also of a zero vector."""
    index.upsert([point(1, dense=(1, 0)), point(2, dense=(0, 1))])
    query = PoolQuery(owner_key="1:n:ann", dense=vector(1) * 3 - vector(0, 1), sparse=None, limit=5)
    assert [hit.score for hit in index.search(query).dense] == pytest.approx([3.0, -1.0])
    zero = PoolQuery(owner_key="1:n:ann", dense=np.zeros(4, dtype=np.float32), sparse=None, limit=5)
    assert [hit.memory_id for hit in index.search(zero).dense] == [memory_id(1), memory_id(2)]


def test_a_query_of_another_dimension_is_refused(index: VectorIndex) -> None:
    """One model's query never reaches another model's vectors; the message names the command that helps."""
    query = PoolQuery(owner_key="1:n:ann", dense=np.ones(5, dtype=np.float32), sparse=None, limit=5)
    with pytest.raises(FingerprintMismatchError, match="ltm index reindex"):
        index.search(query)


def test_a_query_that_is_not_finite_is_refused(index: VectorIndex) -> None:
    """NaN has no neighbours."""
    query = PoolQuery(owner_key="1:n:ann", dense=np.full(4, np.nan, dtype=np.float32), sparse=None, limit=5)
    with pytest.raises(InvalidRequestError, match="finite"):
        index.search(query)

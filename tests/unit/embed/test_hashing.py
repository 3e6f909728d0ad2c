import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ltm.embed.hashing import HashEmbedder

EMBEDDER = HashEmbedder()


def test_the_vector_of_a_text_never_changes() -> None:
    """Vectors stored by one machine are compared with those of another."""
    vector = EMBEDDER.embed_query("book a court 订场")

    assert np.flatnonzero(vector)[:6].tolist() == [1, 10, 68, 75, 97, 117]


def test_texts_that_share_words_are_nearer_than_others() -> None:
    """Shared words, word parts and Han pairs bring texts together."""
    passages = EMBEDDER.embed_passages(["badminton court booked", "the weather in Paris", "周末打羽毛球", "明天天气"])

    english = passages @ EMBEDDER.embed_query("I like booking badminton courts")
    chinese = passages @ EMBEDDER.embed_query("喜欢打羽毛球")

    assert english.argmax() == 0
    assert chinese.argmax() == 2
    assert english[0] > 0.25 > english[1]


def test_case_does_not_count() -> None:
    """A word is the same in capitals."""
    np.testing.assert_array_equal(EMBEDDER.embed_query("Berlin"), EMBEDDER.embed_query("BERLIN"))


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30), max_size=8))
def test_any_text_gives_a_unit_vector_whatever_stands_beside_it(texts: list[str]) -> None:
    """Punctuation, emoji and empty texts have a direction too, and a batch changes nothing."""
    together = EMBEDDER.embed_passages(texts)

    assert together.shape == (len(texts), 256)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, rtol=1e-5)
    for row, text in zip(together, texts, strict=True):
        np.testing.assert_array_equal(row, EMBEDDER.embed_query(text))


def test_batches_keep_the_order() -> None:
    """More texts than one batch come out in input order."""
    texts = [f"text {number}" for number in range(1500)]

    many = EMBEDDER.embed_passages(texts)

    np.testing.assert_array_equal(many[1400], EMBEDDER.embed_query("text 1400"))

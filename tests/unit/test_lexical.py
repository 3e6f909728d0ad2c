"""Texts to terms, and BM25 in two halves."""

import math
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltm.lexical import AVERAGE_TERMS, K1, B, bm25_scores, encode_document, encode_query, tokenize


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("running to the shops", ["run", "shop"]),
        ("The user\u2019s sister's", ["user", "sister"]),
        ("C++ and C# code, F# too", ["c++", "c#", "code", "f#", "too"]),
        ("用户期望薪资", ["用户", "户期", "期望", "望薪", "薪资"]),
        ("猫", ["猫"]),
        (
            "期望薪资 15-20k，base 只考虑杭州",
            ["期望", "望薪", "薪资", "15", "20k", "base", "只考", "考虑", "虑杭", "杭州"],
        ),
        ("k8s集群3年", ["k8s", "集群", "3", "年"]),
        ("ＰＹＴＨＯＮ３　１５ｋ", ["python3", "15k"]),
        ("Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("한국어 공부", ["한국", "국어", "공부"]),
        ("Привет, йод", ["привет", "йод"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("snake_case v2", ["snake", "case", "v2"]),
        ("I ❤️ 👨‍👩‍👧 tea!!! 😀", ["tea"]),
        ("the of and", []),
        ("?!… ——", []),
        ("", []),
    ],
)
def test_terms_of_a_text(text: str, terms: list[str]) -> None:
    """Each script is cut in its own way, and mixed text in all of them."""
    assert tokenize(text) == terms


def test_case_width_and_form_do_not_matter() -> None:
    """The same words typed in another way have the same encoding."""
    assert encode_document("Ｈｅｌｌｏ Straße") == encode_document("hello STRASSE")


@given(st.text(max_size=200))
def test_any_text_can_be_encoded(text: str) -> None:
    """No text crashes the tokeniser, and term ids are distinct, ascending, and of 32 bits."""
    encoding = encode_document(text)
    assert list(encoding.indices) == sorted(set(encoding.indices))
    assert all(0 <= index < 2**32 for index in encoding.indices)
    assert all(weight > 0 for weight in encoding.values)


def test_lone_surrogates_do_not_crash() -> None:
    """Text that is no valid Unicode still has terms."""
    assert tokenize("\ud800 tea") == ["tea"]


def test_term_ids_are_stable() -> None:
    """Ids are stored in the index: they must never change from one release to the next."""
    assert encode_query("杭州 tea").indices == (2391201714, 4099075890)


def test_document_weights_saturate() -> None:
    """A term's weight grows with its count, but less and less, and shrinks with the length of the text."""
    once, twice, thrice = (encode_document("tea " * n).values[0] for n in (1, 2, 3))
    assert once < twice < thrice < K1 + 1
    assert thrice - twice < twice - once
    long = encode_document("tea " + "milk " * 30)
    assert min(long.values) < once


def test_document_weights_follow_the_formula() -> None:
    """One term in a text of average length weighs exactly 1."""
    words = [f"w{n}" for n in range(int(AVERAGE_TERMS))]
    assert encode_document(" ".join(words)).values == pytest.approx([1.0] * len(words))
    expected = (K1 + 1) / (1 + K1 * (1 - B + B / AVERAGE_TERMS))
    assert encode_document("tea").values[0] == pytest.approx(expected)


def test_query_terms_count_once() -> None:
    """A word that a long intent repeats asks no louder."""
    assert encode_query("tea tea milk").values == (1.0, 1.0)


def test_context_weighs_half() -> None:
    """Terms of the text take the mean of their weights with and without the context, terms of the context the half."""
    alone, around = encode_document("green tea"), encode_document("milk?\ngreen tea")
    weights = dict(zip(around.indices, around.values, strict=True))
    expected = {term: weight / 2 for term, weight in weights.items()}
    for term, weight in zip(alone.indices, alone.values, strict=True):
        expected[term] += weight / 2
    found = encode_document("green tea", "milk?")
    assert dict(zip(found.indices, found.values, strict=True)) == pytest.approx(expected)
    assert encode_document("green tea", "") == encode_document("green tea", None) == alone


def test_rare_terms_decide() -> None:
    """Of two documents that share one term with the query, the one with the rarer term is better; the rest score 0."""
    documents = [encode_document(text) for text in ("green tea", "black coffee", "black milk", "black tar", "??")]
    scores = bm25_scores(encode_query("black tea"), documents)
    assert scores[0] > scores[1] == scores[2] == scores[3] > scores[4] == 0.0
    assert scores[0] == pytest.approx(documents[0].values[0] * math.log(1 + 4.5 / 1.5))


def test_no_documents_and_no_terms() -> None:
    """Nothing to score gives no scores, nothing to ask gives zeros."""
    assert bm25_scores(encode_query("tea"), []) == []
    assert bm25_scores(encode_query("?"), [encode_document("tea")]) == [0.0]


def test_threads_do_not_share_a_stemmer() -> None:
    """Many threads that stem at once get what one thread gets."""
    texts = [f"running jumper {n} swimming relational conditional" * 5 for n in range(50)]
    expected = [tokenize(text) for text in texts]
    found: list[list[list[str]]] = []
    threads = [threading.Thread(target=lambda: found.append([tokenize(text) for text in texts])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


@pytest.mark.parametrize("text", ["我喜欢在杭州吃龙井虾仁。" * 2800, "quick brown foxes jumped " * 4000, "a" * 100_000])
def test_long_texts_are_quick(text: str) -> None:
    """A text of 100 kB takes milliseconds, whatever is in it."""
    start = time.process_time()
    encode_document(text)
    assert time.process_time() - start < 1.0

"""Texts to terms and to BM25 weights: one tokeniser for what is indexed, what is asked, and the fallback in SQL.

BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), taken apart: a
document carries its saturated term frequencies, a query asks for terms, and the index multiplies with the IDF of one
owner's documents.
"""

import math
import re
import threading
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import add
from typing import Protocol, cast

import Stemmer

from ltm.ports.vector_index import SparseVector

K1 = 1.2
B = 0.75
# A fixed average, so that one document's weights do not change when another is written. The user turns of our scenarios
# have 5 (English) to 7 (Chinese) terms in the median, turns of long dialogues more; not tuned.
AVERAGE_TERMS = 12.0

# Function words only. Not in the list, because they are words of the trade too: it, us, may, will, can, no, not.
_STOP_WORDS = frozenset(
    """a about an and are as at be been but by did do does for from had has have he her him his how i if in into is its
    me my of on or our she so that the their them then there these they this those to was we were what when where which
    who with would you your i'm i've i'd i'll it's he's she's that's what's don't didn't doesn't""".split()  # noqa: SIM905
)

# Scripts that are written without spaces, or whose endings stick to the word (Hangul): character bigrams.
_BIGRAM_SCRIPTS = (
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han, kana
    "\u1100-\u11ff\uac00-\ud7ff"  # Hangul
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
)
# Vowel signs that Python's \w leaves out would cut the words of Indic and Semitic scripts apart.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0dff"
_RUN = re.compile(rf"[{_BIGRAM_SCRIPTS}]+")
_TERM = re.compile(rf"[{_BIGRAM_SCRIPTS}]+|c\+\+|[cf]#(?!\w)|(?:[^\W_{_BIGRAM_SCRIPTS}]|[{_MARKS}])+(?:'[a-z]+)*")
_LATIN_MARKS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_MAY_HOLD_MARKS = re.compile("[\u00e0-\u036f\u1e00-\u1eff]")
"""Every accented Latin letter, and the accents themselves."""


class _Stemmer(Protocol):
    def stemWords(self, words: Sequence[str]) -> list[str]: ...


_local = threading.local()


def tokenize(text: str) -> list[str]:
    """Return the terms of a text in reading order, repeated as often as they occur.

    Width, case and Latin accents are folded. English words are stemmed (Snowball) and function words left out; Chinese,
    Japanese, Korean and Thai become character bigrams, or the one character where a run has no second. Words of other
    scripts and numbers stay whole. A text without letters and digits has no terms.
    """
    folded = _folded(text)
    pieces: list[str] = _TERM.findall(folded)
    if folded.isascii():
        return _stemmer().stemWords([piece for piece in pieces if piece not in _STOP_WORDS])
    terms: list[str] = []
    for piece in pieces:
        if _RUN.match(piece):
            terms += _bigrams(piece)
        elif piece not in _STOP_WORDS:
            terms += _stemmer().stemWords([piece])
    return terms


def encode_document(text: str, context: str | None = None) -> SparseVector:
    """Return the document half of BM25: saturated term frequencies, normalised by length, without IDF.

    With a context it is the mean of two encodings, of the text alone and of context, newline and text.
    """
    alone = _encode(text)
    return _mean(alone, _encode(f"{context}\n{text}")) if context else alone


def encode_query(text: str) -> SparseVector:
    """Return the query half of BM25: weight 1 for each distinct term, so that a long intent repeats nothing."""
    return _vector(dict.fromkeys(_term_ids(text), 1.0))


def bm25_scores(query: SparseVector, documents: Sequence[SparseVector]) -> list[float]:
    """Score documents as the index scores them, with the IDF of exactly these documents; 0.0 where no term is shared.

    IDF is `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative. Documents without terms count in N.
    """
    asked = dict(zip(query.indices, query.values, strict=True))
    shared = [
        [(term, weight) for term, weight in zip(document.indices, document.values, strict=True) if term in asked]
        for document in documents
    ]
    found = Counter(term for terms in shared for term, _ in terms)
    idf = {term: math.log1p((len(documents) - n + 0.5) / (n + 0.5)) for term, n in found.items()}
    return [sum((asked[term] * idf[term] * weight for term, weight in terms), 0.0) for terms in shared]


def _encode(text: str) -> SparseVector:
    terms = _term_ids(text)
    floor = K1 * (1 - B + B * len(terms) / AVERAGE_TERMS)
    return _vector({term: count * (K1 + 1) / (count + floor) for term, count in Counter(terms).items()})


def _mean(first: SparseVector, second: SparseVector) -> SparseVector:
    weights: dict[int, float] = {}
    for encoding in (first, second):
        for term, weight in zip(encoding.indices, encoding.values, strict=True):
            weights[term] = weights.get(term, 0.0) + weight / 2
    return _vector(weights)


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    if folded.isascii():
        return folded
    if _MAY_HOLD_MARKS.search(folded):
        folded = _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFKC", folded)


def _bigrams(run: str) -> Iterable[str]:
    return run if len(run) == 1 else map(add, run, run[1:])


def _stemmer() -> _Stemmer:
    # A Snowball stemmer keeps the word it works on in itself: one for each thread.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("english")
    return cast(_Stemmer, stemmer)


def _term_ids(text: str) -> list[int]:
    return [zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in tokenize(text)]


def _vector(weights: dict[int, float]) -> SparseVector:
    indices, values = zip(*sorted(weights.items()), strict=True) if weights else ((), ())
    return SparseVector(indices=indices, values=values)

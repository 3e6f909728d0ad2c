"""What each family of models was trained to see before a query and before a passage, as their model cards say."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """Texts put before the input; "" for none."""

    query: str = ""
    passage: str = ""


_TASK = "Given what a user says, retrieve what is known about this user"
_SEARCH_EN = "Represent this sentence for searching relevant passages: "

# Matched against the last part of a model's id, lower case; the first match counts.
_FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    (r"(multilingual-)?e5-\w+-instruct|e5-mistral-7b-instruct", Prefixes(query=f"Instruct: {_TASK}\nQuery: ")),
    (r"(multilingual-)?e5-(small|base|large)(-v2)?", Prefixes(query="query: ", passage="passage: ")),
    (r"bge-(small|base|large)-en(-v1\.5)?", Prefixes(query=_SEARCH_EN)),
    (r"bge-(small|base|large)-zh(-v1\.5)?", Prefixes(query="为这个句子生成表示以用于检索相关文章：")),
    (r"mxbai-embed-large-v1", Prefixes(query=_SEARCH_EN)),
    (r"snowflake-arctic-embed-\w+-v2\.0", Prefixes(query="query: ")),
    (r"snowflake-arctic-embed-\w+(-v1\.5)?", Prefixes(query=_SEARCH_EN)),
    (r"nomic-embed-text-v1(\.5)?", Prefixes(query="search_query: ", passage="search_document: ")),
    (r"qwen3-embedding-[\w.]+", Prefixes(query=f"Instruct: {_TASK}\nQuery:")),
)


def find_prefixes(model: str) -> Prefixes | None:
    """Return the prefixes of a model's family, or None for a model that is not in the table (bge-m3 needs none)."""
    name = model.rstrip("/").rpartition("/")[2].lower()
    return next((prefixes for pattern, prefixes in _FAMILIES if re.fullmatch(pattern, name)), None)

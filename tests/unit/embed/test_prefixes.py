import pytest

from ltm.embed.prefixes import Prefixes, find_prefixes


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("/models/multilingual-e5-large/", "query: ", "passage: "),
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("BAAI/bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
    ],
)
def test_a_family_is_known_by_the_last_part_of_the_id(model: str, query: str, passage: str) -> None:
    """Hub ids and folders of the same model get the same prefixes."""
    assert find_prefixes(model) == Prefixes(query=query, passage=passage)


@pytest.mark.parametrize("model", ["BAAI/bge-m3", "text-embedding-3-small", "e5-small-q4-server", ""])
def test_other_models_get_none(model: str) -> None:
    """A name that only resembles a family is left alone."""
    assert find_prefixes(model) is None


def test_instruction_models_get_a_task_for_queries_only() -> None:
    """Their passages go in as they are."""
    prefixes = find_prefixes("Qwen/Qwen3-Embedding-0.6B")

    assert prefixes is not None
    assert prefixes.query.startswith("Instruct: ")
    assert prefixes.passage == ""

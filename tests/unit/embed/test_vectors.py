import numpy as np
import pytest

from ltm.embed.vectors import unit_rows
from ltm.errors import ModelError


def test_rows_come_out_at_unit_length() -> None:
    """Directions stay, lengths become one."""
    rows = unit_rows([[3.0, 4.0], [0.0, -2.0]], count=2, dim=2)

    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, -1.0]], rtol=1e-6)


def test_no_rows_keep_their_width() -> None:
    """No texts give an empty matrix of the right shape."""
    assert unit_rows(np.empty((0, 3)), count=0, dim=3).shape == (0, 3)


@pytest.mark.parametrize(
    "raw",
    [
        [[1.0, float("nan")]],
        [[1.0, float("inf")]],
        [[1e300, 1.0]],
        [[0.0, 0.0]],
        [[1.0]],
        [[1.0, 2.0], [1.0, 2.0]],
        [[1.0, 2.0], [1.0]],
        [["one", "two"]],
        [],
    ],
    ids=["nan", "infinite", "overflow", "zeros", "narrow", "too many", "ragged", "words", "none"],
)
def test_what_is_no_vector_is_refused(raw: list[list[float]]) -> None:
    """Whatever a model returns, only finite vectors with a direction, of the right shape, get through."""
    with pytest.raises(ModelError):
        unit_rows(raw, count=1, dim=2)

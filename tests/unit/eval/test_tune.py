"""What tuning tries."""

from dataclasses import replace

from eval.tune import GRID
from ltm.recall import DEFAULT


def test_grid_tries_weights_that_a_profile_has() -> None:
    """A weight that was renamed must not be tuned in silence; the default's own value is among those tried."""
    for weight, values in GRID.items():
        assert getattr(DEFAULT, weight) in values
        replace(DEFAULT, **{weight: values[0]})  # type: ignore[arg-type]

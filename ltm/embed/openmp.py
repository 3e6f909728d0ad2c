"""The one place that writes the environment: OpenMP reads its settings there, as an engine is loaded."""

import os


def set_passive_waiting() -> None:
    """Let idle OpenMP threads sleep, unless the user has decided otherwise; call it before the engine is loaded.

    By default they spin between two parallel regions, and on shared cores that starves everything else.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")

"""What holds for every test: where a service or a model is required, a skip is a failure; what takes minutes waits."""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

# A test that hangs is ended by pytest-timeout; a single slow example says only how busy the machine is.
# The same examples in every run: a run that fails says something about the change, not about luck.
settings.register_profile("ltm", deadline=None, derandomize=True)
settings.load_profile("ltm")

REQUIRED_BY = {"service": "LTM_TEST_REQUIRE_SERVICES", "model": "LTM_TEST_REQUIRE_MODELS"}
"""Mark, and the environment variable that forbids to skip tests which carry it (CI sets both)."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run take its time."""
    parser.addoption("--long", action="store_true", help="also run the tests marked `long`, which take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it was asked for."""
    if config.getoption("--long") or "long" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the skip of a required test into a failure that repeats the reason of the skip."""
    report = yield
    variable = next((name for mark, name in REQUIRED_BY.items() if item.get_closest_marker(mark)), None)
    if report.skipped and not hasattr(report, "wasxfail") and variable and os.environ.get(variable) == "1":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{variable}=1 forbids this skip: {reason}"
    return report

"""What holds for every test: where a service or a model is required, a skip is a failure."""

import os
from collections.abc import Generator

import pytest

REQUIRED_BY = {"service": "LTM_TEST_REQUIRE_SERVICES", "model": "LTM_TEST_REQUIRE_MODELS"}
"""Mark, and the environment variable that forbids to skip tests which carry it (CI sets both)."""


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

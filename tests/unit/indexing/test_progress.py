import io

import pytest
from rich.console import Console

from indexing.progress import Bars, Lines, Silent
from tests.support.manual_clock import ManualClock


def test_lines_come_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    """Rate and time left in each, one at the end, none for a stage with nothing to do."""
    caplog.set_level("INFO")
    clock = ManualClock()
    with Lines(clock, every_s=10).stage("build", 100) as advance:
        for _ in range(3):
            clock.advance(6)
            advance(20)
    with Lines(clock).stage("catch up", 0):
        pass
    assert caplog.messages == [
        "build 40 of 100, 3/s, 12 s, 18 s left",
        "build 60 of 100, 3/s, 18 s, 12 s left",
    ]


def test_bars_show_the_stage() -> None:
    """What is done and how much there is can be read."""
    screen = io.StringIO()
    with Bars(Console(file=screen, force_terminal=True, width=120)).stage("build", 10) as advance:
        advance(10)
    assert "build" in screen.getvalue()
    assert "10/10" in screen.getvalue()


def test_silence(capsys: pytest.CaptureFixture[str]) -> None:
    """A job inside an application may be told to say nothing."""
    with Silent().stage("build", 10) as advance:
        advance(10)
    assert capsys.readouterr() == ("", "")

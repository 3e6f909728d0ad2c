from ltm.cache.turn_log import ProcessTurnLog
from tests.support.manual_clock import ManualClock


def test_a_dialogue_lives_from_its_last_turn() -> None:
    """Each turn renews the time of all."""
    clock = ManualClock()
    log = ProcessTurnLog(monotonic=clock.monotonic)
    log.append("o", "s", b"1", ttl_s=10)
    clock.advance(9)
    log.append("o", "s", b"2", ttl_s=10)
    clock.advance(9)
    assert log.entries("o", "s") == [b"1", b"2"]
    clock.advance(1)

    assert log.entries("o", "s") == []
    assert log.count_owner("o") == 0


def test_a_dialogue_that_is_over_is_not_continued() -> None:
    """A new turn after the end begins anew."""
    clock = ManualClock()
    log = ProcessTurnLog(monotonic=clock.monotonic)
    log.append("o", "s", b"1", ttl_s=10)
    clock.advance(10)
    log.append("o", "s", b"2", ttl_s=10)

    assert log.entries("o", "s") == [b"2"]


def test_dialogues_that_are_over_free_their_room() -> None:
    """Without this a long-lived process would keep every dialogue it ever saw."""
    clock = ManualClock()
    log = ProcessTurnLog(monotonic=clock.monotonic)
    for number in range(100):
        log.append("o", str(number), b"1", ttl_s=10)
    clock.advance(10)
    log.append("o", "new", b"1", ttl_s=10)

    assert len(log._dialogues) == 1

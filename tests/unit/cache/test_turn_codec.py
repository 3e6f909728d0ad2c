from datetime import UTC, datetime

import pytest

from ltm.cache.turn_codec import decode_turn, encode_turn
from ltm.errors import CacheError, InvalidRequestError
from ltm.models import Turn

NOW = datetime(2026, 10, 1, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    "turn",
    [
        Turn(role="user", text="15-20k，只考虑杭州 🙂", at=NOW, id="t1"),
        Turn(
            role="assistant", text="", id="t2", tool_calls=({"id": "a", "function": {"name": "f", "arguments": "{}"}},)
        ),
        Turn(role="tool", text="", id="t3", tool_call_id="a"),
    ],
)
def test_a_turn_comes_back_as_it_was(turn: Turn) -> None:
    """Every field survives, to the microsecond."""
    kept = encode_turn(turn, NOW)

    assert decode_turn(kept.entry) == kept


def test_tool_calls_must_be_json() -> None:
    """What cannot be written is refused before anything is."""
    turn = Turn(role="assistant", text="", tool_calls=({"id": object()},))

    with pytest.raises(InvalidRequestError, match="JSON"):
        encode_turn(turn, NOW)


NAIVE = encode_turn(Turn(role="user", text="a", at=NOW, id="t"), NOW).entry.replace(b"+00:00", b"")
LATE = encode_turn(Turn(role="user", text="a", id="t"), NOW).entry.replace(b"2026-10-01", b"9999-12-31")


@pytest.mark.parametrize(
    "entry", [b"", b"\xff", b"[]", b"{}", b"null", b'{"role": "robot"}', b"[" * 100_000, NAIVE, LATE], ids=range(9)
)
def test_what_is_no_turn_is_a_cache_error(entry: bytes) -> None:
    """Foreign bytes never pass as a turn."""
    with pytest.raises(CacheError):
        decode_turn(entry)

"""A turn as it is kept in a `TurnLog`."""

import json
from dataclasses import dataclass
from datetime import datetime

from ltm.errors import CacheError, InvalidRequestError
from ltm.models import Turn
from ltm.models.check import check_time


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTurn:
    """A turn of a dialogue and when it was put there; `entry` is the pair as bytes."""

    turn: Turn
    kept_at: datetime
    entry: bytes


def encode_turn(turn: Turn, kept_at: datetime) -> KeptTurn:
    """Turn a turn that has a time into bytes.

    Raises:
        InvalidRequestError: Its tool calls are not JSON.
    """
    fields = {
        "kept_at": kept_at.isoformat(),
        "role": turn.role,
        "text": turn.text,
        "at": turn.at.isoformat() if turn.at else None,
        "id": turn.id,
        "tool_calls": [dict(call) for call in turn.tool_calls],
        "tool_call_id": turn.tool_call_id,
    }
    try:
        return KeptTurn(turn=turn, kept_at=kept_at, entry=json.dumps(fields).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequestError("tool_calls must be plain JSON: dicts, lists, strings, numbers") from error


def decode_turn(entry: bytes) -> KeptTurn:
    """Read what `encode_turn` wrote.

    Raises:
        CacheError: It is something else, such as an entry of another version of this library.
    """
    try:
        fields = json.loads(entry)
        turn = Turn(
            role=fields["role"],
            text=fields["text"],
            at=datetime.fromisoformat(fields["at"]) if fields["at"] else None,
            id=fields["id"],
            tool_calls=tuple(fields["tool_calls"]),
            tool_call_id=fields["tool_call_id"],
        )
        kept_at = check_time(datetime.fromisoformat(fields["kept_at"]), "kept_at")
        return KeptTurn(turn=turn, kept_at=kept_at, entry=entry)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CacheError("the chat window holds something that is no turn; `clear` empties it") from error

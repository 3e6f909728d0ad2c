"""Read the new turns of a call, each with what its neighbours say about it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ltm.models import Lang, Role, SpeechAct, Turn
from ltm.packs import detect_lang
from ltm.write.places import Mood, Reading
from ltm.write.proposal import Heard
from ltm.write.setting import MAX_ANSWER_CHARS, asked_in
from ltm.write.speech_acts import read_turn
from ltm.write.word_index import WordIndex


def hear(turns: Sequence[Turn], new: Sequence[str], session_id: str | None, words: WordIndex) -> dict[str, Heard]:
    """Return the new user turns by id, in the order given.

    An outburst in one user turn casts its mood on the user turns next to it; a turn that is nothing but "just kidding"
    makes a joke of the one before it.
    """
    chosen = set(new)
    readings = {str(turn.id): read_turn(turn.text, words) for turn in turns if turn.id in chosen}
    users = [str(turn.id) for turn in turns if turn.role == Role.USER]
    taken_back = _taken_back(users, readings)
    beside = _beside_outbursts(users, readings)
    return {
        str(turn.id): _hear(
            turn,
            turns[position - 1] if position else None,
            position,
            session_id,
            reading=reading.marked(SpeechAct.JOKE) if turn.id in taken_back else reading,
            is_beside_outburst=turn.id in beside,
            asked=_asked(turns, position, words),
        )
        for position, turn in enumerate(turns)
        if (reading := readings.get(str(turn.id))) is not None
    }


def is_worth_asking(heard: Heard) -> bool:
    """Tell whether a model should read the turn: small talk teaches nothing, and orders to a model are not shown to it.

    "I see" behind a turn of the assistant is read all the same: whoever agrees may have said something, and if the
    model takes the assistant's words for the user's, the audit trail shall show it.
    """
    if heard.reading.is_injection:
        return False
    if not heard.reading.is_small_talk:
        return True
    follows_assistant = heard.before is not None and heard.before.role == Role.ASSISTANT
    return follows_assistant and bool(heard.reading.marks.all("acknowledgement"))


def _hear(
    turn: Turn,
    before: Turn | None,
    position: int,
    session_id: str | None,
    *,
    reading: Reading,
    is_beside_outburst: bool,
    asked: frozenset[str],
) -> Heard:
    assert turn.at is not None  # `check_turns` has set it
    return Heard(
        turn=turn,
        at=turn.at,
        position=position,
        session_id=session_id,
        reading=reading,
        lang=detect_lang(turn.text, default=Lang.ZH),
        before=before,
        is_beside_outburst=is_beside_outburst,
        asked=asked,
    )


def _asked(turns: Sequence[Turn], position: int, words: WordIndex) -> frozenset[str]:
    """Return what the assistant asks right before a turn that is short enough for an answer."""
    before = turns[position - 1] if position else None
    if before is None or before.role != Role.ASSISTANT or len(turns[position].text) > MAX_ANSWER_CHARS:
        return frozenset()
    return asked_in(before.text, words)


def _beside_outbursts(users: Sequence[str], readings: Mapping[str, Reading]) -> frozenset[str]:
    found: set[str] = set()
    for position, turn_id in enumerate(users):
        reading = readings.get(turn_id)
        if reading is not None and reading.mood is Mood.OUTBURST:
            found.update(users[max(0, position - 1) : position + 2])
    return frozenset(found)


def _taken_back(users: Sequence[str], readings: Mapping[str, Reading]) -> frozenset[str]:
    """Return the turns that are followed by one which says no more than that it was a joke."""
    found: set[str] = set()
    for earlier, later in pairwise(users):
        reading = readings.get(later)
        if reading is not None and _is_bare_joke(reading):
            found.add(earlier)
    return frozenset(found)


def _is_bare_joke(reading: Reading) -> bool:
    return bool(reading.marks.all("joke")) and len(reading.folded.text) <= 20

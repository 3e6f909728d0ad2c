"""Values for the tests of the write floor, with sensible fields where a test does not care."""

from collections.abc import Sequence
from datetime import UTC, datetime

from ltm.models import Candidate, Channel, Json, Kind, Lang, Op, SpeechAct, Status, Turn, fingerprint
from ltm.packs import PackSet
from ltm.ports import Head
from ltm.write.policy import Policy
from ltm.write.proposal import Heard
from ltm.write.speech_acts import read_turn
from ltm.write.stages import Scene
from ltm.write.word_index import WordIndex

NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)


def make_candidate(
    *,
    key: str | None = "job.target_cities",
    value: Json = ("杭州",),
    text: str = "意向城市：杭州",
    kind: Kind = Kind.PREFERENCE,
    op: Op = Op.ADD,
    confidence: float = 0.9,
    channel: Channel = Channel.RULES,
    speech_act: SpeechAct = SpeechAct.STATEMENT,
    is_denial: bool = False,
    turn_id: str = "t1",
    quote: str = "杭州",
    start: int = 0,
    end: int = 2,
) -> Candidate:
    """Return a candidate: Hangzhou is a target city."""
    return Candidate(
        turn_id=turn_id,
        quote=quote,
        start=start,
        end=end,
        key=key,
        text=text,
        value=value,
        kind=kind,
        speech_act=speech_act,
        confidence=confidence,
        channel=channel,
        op=op,
        is_denial=is_denial,
    )


def make_head(
    *,
    key: str | None = "job.target_cities",
    value: Json = ("杭州",),
    text: str = "意向城市：杭州",
    kind: Kind = Kind.PREFERENCE,
    status: Status = Status.ACTIVE,
    valid_from: datetime = NOON,
    is_set: bool = True,
) -> Head:
    """Return the head of a stored memory."""
    return Head(
        memory_id="m1",
        status=status,
        version=1,
        last_version=1,
        kind=kind,
        key=key,
        pack="job_search@1.0.0",
        text=text,
        value=value,
        context=None,
        confidence=0.9,
        valid_from=valid_from,
        fingerprint=fingerprint(value, text, is_set=is_set),
    )


def make_heard(text: str, words: WordIndex, *, turn_id: str = "t1", is_beside_outburst: bool = False) -> Heard:
    """Return a user turn that is read."""
    return Heard(
        turn=Turn(role="user", text=text, id=turn_id, at=NOON),
        at=NOON,
        position=0,
        session_id="s1",
        reading=read_turn(text, words),
        lang=Lang.ZH,
        is_beside_outburst=is_beside_outburst,
    )


def make_scene(packs: PackSet, words: WordIndex, *heard: Heard, others: Sequence[Turn] = ()) -> Scene:
    """Return what the stages may look at."""
    return Scene(packs=packs, words=words, policy=Policy(), heard={item.turn_id: item for item in heard}, others=others)

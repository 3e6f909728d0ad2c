"""What the user asked, kept as an episode without a model."""

from ltm.models import Candidate, Channel, Kind, Lang, SpeechAct
from ltm.write.places import Mood, Reading
from ltm.write.proposal import Heard
from ltm.write.spans import Span
from ltm.write.speech_acts import SMALL_TALK

RULE_ID = "core-question"
CONFIDENCE = 0.8
MAX_QUESTION_CHARS = 120
MIN_QUESTION_CHARS = {Lang.ZH: 5, Lang.EN: 12}

_NOT_KEPT = frozenset({SpeechAct.QUOTED, SpeechAct.JOKE, SpeechAct.EMOTION})
_LEAD_IN = (*SMALL_TALK, "question")
_TRIM = " \t\r\n,.;:!?~-。、"


def extract_questions(heard: Heard) -> list[Candidate]:
    """Return the questions of a turn that name a topic of a loaded pack, in order.

    Small talk names none. A question that points at something unnamed ("is this one any good?") says nothing later.
    """
    reading = heard.reading
    if reading.is_small_talk or reading.is_injection or reading.mood >= Mood.COLOURED:
        return []
    return [
        _candidate(heard, span)
        for span in _questions(reading)
        if reading.marks.has("topics", span) and _is_telling(heard, span)
    ]


def _questions(reading: Reading) -> list[Span]:
    """Return the runs of clauses that ask, without "hi, may I ask" in front of them."""
    spans: list[Span] = []
    is_running = False
    for place in reading.places:
        if SpeechAct.QUESTION not in place.acts or place.acts & _NOT_KEPT or place.is_hedged:
            is_running = False
        elif is_running:
            spans[-1] = Span(spans[-1].start, place.span.end)
        elif not reading.marks.is_covered(place.span, _LEAD_IN):
            spans.append(place.span)
            is_running = True
    return spans


def _is_telling(heard: Heard, span: Span) -> bool:
    words = heard.reading.marks.text[span.start : span.end]
    is_named = not heard.reading.marks.has("pointing", span)
    return is_named and MIN_QUESTION_CHARS[heard.lang] <= len(words.strip(_TRIM)) <= MAX_QUESTION_CHARS


def _candidate(heard: Heard, span: Span) -> Candidate:
    start, end = heard.reading.folded.span(span.start, span.end)
    quote = heard.text[start:end].strip(_TRIM + "？！，。：；～")
    start = heard.text.index(quote, start)
    text = f"用户询问：{quote}" if heard.lang is Lang.ZH else f"The user asked: {quote}"
    return Candidate(
        turn_id=heard.turn_id,
        quote=quote,
        start=start,
        end=start + len(quote),
        key=None,
        text=text,
        value=None,
        kind=Kind.EPISODE,
        speech_act=SpeechAct.QUESTION,
        confidence=CONFIDENCE,
        channel=Channel.RULES,
        rule_id=RULE_ID,
    )

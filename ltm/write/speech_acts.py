"""What the speaker does with each clause of a turn: the deterministic gates in front of every memory.

The words stand in lexicons; here is how far each of them reaches. Where two readings differ the cautious one is taken.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ltm.models import SpeechAct
from ltm.packs.folding import fold
from ltm.write.extract_rules import READ_FROM_END, READ_FROM_START
from ltm.write.marks import Marks
from ltm.write.pasted import passed_on
from ltm.write.places import Mood, Place, Reading
from ltm.write.refusals import find_across_lines
from ltm.write.secrets import find_secrets
from ltm.write.spans import Clause, Span, cut_out, split_clauses
from ltm.write.word_index import WordIndex


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A clause while the gates are applied to it."""

    clause: Clause
    acts: set[SpeechAct] = field(default_factory=set)
    mood: Mood = Mood.CALM
    is_hedged: bool = False
    is_command: bool = False


_UNREAD = "\x01"
"""Stands for each character that is not read: of no word, no white space and no sentence."""

SMALL_TALK = ("small_talk", "small_talk_tail", "filler", "laughter")
"""A turn of nothing but these words teaches nothing."""


def read_turn(text: str, words: WordIndex) -> Reading:
    """Apply every gate to one turn of the user.

    Args:
        text: The turn's text.
        words: The lexicons of the loaded packs.
    """
    folded = fold(text)
    middle = _middle(folded.text)
    readable = cut_out(folded.text, middle, _UNREAD * sum(end - start for start, end in middle))
    marks = Marks(readable, words.find(readable))
    drafts = [_Draft(clause=clause) for clause in split_clauses(readable)]
    if drafts:
        for gate in GATES:
            gate(drafts, marks)
    return Reading(
        folded=folded,
        marks=marks,
        places=tuple(_place(draft) for draft in drafts),
        quoted=(*passed_on(marks), *middle),
        secrets=find_secrets(text),
        is_injection=bool(marks.all("injection")) or "injection" in find_across_lines(readable, words),
        is_small_talk=not middle and marks.is_covered(Span(0, len(readable)), SMALL_TALK),
    )


def _middle(folded: str) -> tuple[Span, ...]:
    """Return the part of a long turn that no channel reads; whatever is found there counts as passed on."""
    if len(folded) <= READ_FROM_START + READ_FROM_END:
        return ()
    return (Span(READ_FROM_START, len(folded) - READ_FROM_END),)


def _gate_emotion(drafts: list[_Draft], marks: Marks) -> None:
    """An outburst takes its clause, colours its sentence strongly up to a "seriously", and the whole turn somewhat."""
    if not marks.all("emotion"):
        _colour(drafts, Mood.COLOURED if marks.all("mood") else Mood.CALM)
        return
    turns = [hit.start for hit in marks.all("serious")]
    outbursts = {draft.clause.span for draft in drafts if marks.has("emotion", draft.clause.span)}
    sentences = {_stretch(draft, turns) for draft in drafts if draft.clause.span in outbursts}
    _colour(drafts, Mood.COLOURED)
    for draft in drafts:
        if draft.clause.span in outbursts:
            draft.acts.add(SpeechAct.EMOTION)
            draft.mood = Mood.OUTBURST
        elif _stretch(draft, turns) in sentences:
            draft.mood = Mood.SENTENCE


def _stretch(draft: _Draft, turns: Sequence[int]) -> tuple[Span, int]:
    """Return the sentence of a clause, and behind how many "seriously"s the clause ends."""
    return draft.clause.sentence, bisect_left(turns, draft.clause.span.end)


def _gate_joke(drafts: list[_Draft], marks: Marks) -> None:
    """A joke or sarcasm takes back all that is said up to the next "seriously"; nonsense only takes its sentence."""
    if not any(marks.all(name) for name in ("joke", "sarcasm", "laughter", "absurd")):
        return
    laughs = bool(marks.all("laughter"))
    if laughs:
        _colour(drafts, Mood.LAUGHING)
    turns = [hit.start for hit in marks.all("serious")]
    kidding = {bisect_right(turns, hit.start) for name in ("joke", "sarcasm") for hit in marks.all(name)}
    for draft in drafts:
        sentence = draft.clause.sentence
        is_nonsense = marks.has("absurd", sentence) or (laughs and marks.has("exaggeration", sentence))
        if is_nonsense or bisect_left(turns, draft.clause.span.end) in kidding:
            draft.acts.add(SpeechAct.JOKE)


def _gate_hypothetical(drafts: list[_Draft], marks: Marks) -> None:
    """A condition reaches to the end of its sentence, and "would" joins it; a wish without one takes all of it."""
    if not (marks.all("hypothetical") or marks.all("wish")):
        return
    for draft in drafts:
        sentence, span = draft.clause.sentence, draft.clause.span
        condition = marks.first("hypothetical", sentence)
        if condition is None:
            is_unreal = marks.has("wish", sentence)
        else:
            is_unreal = condition.start < span.end or marks.has("conditional", span)
        if is_unreal:
            draft.acts.add(SpeechAct.HYPOTHETICAL)


def _gate_question(drafts: list[_Draft], marks: Marks) -> None:
    """A question takes its clause; one that asks for an opinion also the bare figures in front of it.

    `我期望15k，有合适的岗位吗？` states and asks; `杭州15-20k，算高吗？` only asks.
    """
    if "?" not in marks.text and not marks.all("question"):
        return
    for position, draft in enumerate(drafts):
        clause = draft.clause
        if not ((clause.ends_asking and clause.is_last) or marks.has("question", clause.span)):
            continue
        draft.acts.add(SpeechAct.QUESTION)
        if marks.has("request", clause.span) and not marks.has("opinion", clause.span):
            continue
        for earlier in reversed(drafts[:position]):
            is_own = marks.has("self", earlier.clause.span)
            is_near = earlier.clause.sentence == clause.sentence or marks.has("opinion", clause.span)
            if is_own or not is_near or SpeechAct.QUESTION in earlier.acts:
                break
            earlier.acts.add(SpeechAct.QUESTION)


def _gate_third_party(drafts: list[_Draft], marks: Marks) -> None:
    """Whoever is named first is spoken of, until the speaker names themselves other than as the one they address."""
    if not marks.all("third_person"):
        return
    is_theirs = False
    for draft in drafts:
        other = _first_other(marks, draft.clause.span)
        own = _first_own(marks, draft.clause.span)
        if other is not None and (own is None or other.start <= own):
            is_theirs = own is None or marks.covers("addressed", Span(own, own + 1))
            draft.acts.add(SpeechAct.THIRD_PARTY)
            continue
        is_theirs = is_theirs and own is None
        if is_theirs:
            draft.acts.add(SpeechAct.THIRD_PARTY)


def _gate_other_job(drafts: list[_Draft], marks: Marks) -> None:
    """A posting or a past job is spoken of to the end of its sentence, or until the speaker says what they want.

    `上一份工作月薪9k，期望12k`: the first figure is not wanted, the second is.
    """
    if not marks.all("other_job"):
        return
    sentence: Span | None = None
    for draft in drafts:
        span = draft.clause.span
        job, own = marks.first("other_job", span), marks.first("self", span)
        if job is not None and (own is None or job.start <= own.start):
            sentence = draft.clause.sentence
        elif own is not None or draft.clause.sentence != sentence:
            sentence = None
        if sentence is not None:
            draft.acts.add(SpeechAct.THIRD_PARTY)


def _first_other(marks: Marks, span: Span) -> Span | None:
    """Return where somebody else is first named as the one who does something: not as the last word (`喜欢带孩子`)."""
    other = marks.first("third_person", span)
    if other is None or other.start == span.start:
        return other
    return other if any(char.isalnum() for char in marks.text[other.end : span.end]) else None


def _first_own(marks: Marks, span: Span) -> int | None:
    """Return where the speaker is first named, "my brother" not being the speaker."""
    others = marks.all("third_person")
    for hit in marks.all("first_person")[bisect_left(marks.all("first_person"), (span.start, 0)) :]:
        if hit.start >= span.end:
            return None
        position = bisect_left(others, (hit.end, 0)) - 1
        if position < 0 or not others[position].touches(hit):
            return hit.start
    return None


def _gate_hedge(drafts: list[_Draft], marks: Marks) -> None:
    """A "maybe" makes its clause uncertain, a "not sure" the whole sentence; "应该是" in a correction is no "maybe"."""
    if not (marks.all("hedge") or marks.all("doubt")):
        return
    for draft in drafts:
        hedges = [hit for hit in marks.within("hedge", draft.clause.span) if not marks.covers("correction", hit)]
        if hedges or marks.has("doubt", draft.clause.sentence):
            draft.is_hedged = True


def _gate_command(drafts: list[_Draft], marks: Marks) -> None:
    """What tells a model how to behave takes its sentence."""
    if not marks.all("command"):
        return
    for draft in drafts:
        draft.is_command = draft.is_command or marks.has("command", draft.clause.sentence)


Gate = Callable[[list[_Draft], Marks], None]

GATES: tuple[Gate, ...] = (
    _gate_emotion,
    _gate_joke,
    _gate_hypothetical,
    _gate_question,
    _gate_third_party,
    _gate_other_job,
    _gate_hedge,
    _gate_command,
)


def _colour(drafts: list[_Draft], mood: Mood) -> None:
    for draft in drafts:
        draft.mood = max(draft.mood, mood)


def _place(draft: _Draft) -> Place:
    return Place(
        acts=frozenset(draft.acts),
        mood=draft.mood,
        is_hedged=draft.is_hedged,
        is_instruction=draft.is_command,
        is_sensitive=False,
        span=draft.clause.span,
    )

"""What was said around a turn that an elliptic sentence in it lives on: the question before it, its own corrections."""

from collections.abc import Sequence
from dataclasses import dataclass

from ltm.packs import fold_text
from ltm.write.spans import Span, split_clauses
from ltm.write.word_index import WordIndex

MAX_ANSWER_CHARS = 60
"""So long may a turn be that is read as the answer to a question; who says more says what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What rules may know beside the words of a turn.

    Attributes:
        asked: Lexicons whose words the question in front of the turn holds.
        corrections: Where the speaker takes back what they just said, in the folded text, in order.
        key: Slot of the last statement of the user turn before, which a correction at the beginning is about; or None.
    """

    asked: frozenset[str] = frozenset()
    corrections: Sequence[Span] = ()
    key: str | None = None


NO_SETTING = Setting()


def asked_in(text: str, words: WordIndex) -> frozenset[str]:
    """Return the lexicons of questions that have a word in what somebody asks.

    Only sentences that ask count; where no question mark says which those are, the last one.
    """
    if words.questions is None:
        return frozenset()
    folded = fold_text(text[-1_000:])
    clauses = split_clauses(folded)
    asking = {clause.sentence for clause in clauses if clause.ends_asking} or {item.sentence for item in clauses[-1:]}
    return frozenset(name for start, end in asking for name in words.questions.find(folded[start:end]))

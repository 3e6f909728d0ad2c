"""A turn that is heard for the first time, and what is proposed from it on the way through the stages."""

from dataclasses import dataclass
from datetime import datetime

from ltm.models import Candidate, Evidence, Lang, Reason, Role, Turn
from ltm.write.places import Mood, Place, Reading
from ltm.write.secrets import redact

MAX_CONTEXT_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A user turn that is read for the first time.

    Attributes:
        turn: With its id.
        at: When it was said.
        position: Its place among the turns of the call.
        session_id: The session it belongs to, or None where the caller named none.
        before: The turn before it, or None.
        is_beside_outburst: The user turn before or behind it holds an outburst.
        asked: Lexicons of questions that the assistant's turn before it holds a word of.
    """

    turn: Turn
    at: datetime
    position: int
    session_id: str | None
    reading: Reading
    lang: Lang
    before: Turn | None = None
    is_beside_outburst: bool = False
    asked: frozenset[str] = frozenset()

    @property
    def turn_id(self) -> str:
        """Return the turn's id."""
        return str(self.turn.id)

    @property
    def text(self) -> str:
        """Return the turn's words."""
        return self.turn.text

    @property
    def context(self) -> str | None:
        """Return the words of the turn before it, without secrets, or None."""
        if self.before is None:
            return None
        return redact(self.before.text[: 2 * MAX_CONTEXT_CHARS])[:MAX_CONTEXT_CHARS].strip() or None

    @property
    def mood(self) -> Mood:
        """Return the mood that neighbouring turns cast on this one."""
        return Mood.NEIGHBOUR if self.is_beside_outburst else Mood.CALM


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A candidate on its way through the stages.

    Attributes:
        heard: The turn it comes from; None where no such turn is being read.
        place: What the gates found where its quote stands; None until the quote was found.
        pack: `name@version` of the pack that the memory would belong to.
        reason: Why it is refused or held; None while nothing speaks against it.
        is_held: It waits among the pending instead of being refused.
    """

    candidate: Candidate
    heard: Heard | None
    place: Place | None = None
    pack: str | None = None
    reason: Reason | None = None
    is_held: bool = False

    @property
    def is_open(self) -> bool:
        """Tell whether nothing was decided about it yet."""
        return self.reason is None


def evidence_of(heard: Heard, candidate: Candidate) -> Evidence:
    """Return where the user said it."""
    return Evidence(
        turn_id=heard.turn_id,
        session_id=heard.session_id,
        role=Role.USER,
        quote=candidate.quote,
        start=candidate.start,
        end=candidate.end,
        said_at=heard.at,
    )

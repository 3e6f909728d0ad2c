"""Chains for tests: built by the rules themselves, one act after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from ltm.models import Json, Kind, Op, Status
from ltm.ports import NewVersion
from ltm.store.chain import Link, MadeBy, Placed, find_head, place
from ltm.store.mending import Mended, ended, rolled_back, undone

START = datetime(2026, 10, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Return midnight of a day after the start."""
    return START + timedelta(days=number)


def say(value: Json, like: str) -> str:
    """Put a folded value into words."""
    return f"all: {value}"


def content(value: Json, at: int, op: Op = Op.SET, begins_as: Status = Status.ACTIVE) -> NewVersion:
    """Return what is said on a day."""
    return NewVersion(
        text=f"said {value}",
        value=value,
        op=op,
        kind=Kind.FACT,
        valid_from=day(at),
        key="k",
        begins_as=begins_as,
    )


@dataclass
class Story:
    """A chain that grows; every act is known a minute later than the one before, or at the same time (pause 0)."""

    links: tuple[Link, ...] = ()
    minutes: int = 0
    pause: int = 1
    sessions: list[str] = field(default_factory=list)

    @property
    def placed(self) -> tuple[Placed, ...]:
        """Return the chain in its place."""
        return place(self.links, say)

    @property
    def head(self) -> Placed:
        """Return the head."""
        head = find_head(self.placed)
        assert head is not None
        return head

    @property
    def now(self) -> datetime:
        """Return when the last act was known."""
        return day(100) + timedelta(minutes=self.minutes)

    def append(self, new: NewVersion, made_by: MadeBy = "statement", session: str = "") -> None:
        """Say something."""
        self.minutes += self.pause
        self._append(new, made_by, session)

    def end(self, status: Status, at: int) -> None:
        """End the memory."""
        self.append(ended(self.head, status, at=day(at), reason="r", actor="application"), "end")

    def rollback(self, to_version: int) -> None:
        """Go back to a version."""
        self.minutes += self.pause
        mended = rolled_back(self.links, to_version, now=self.now, say=say, reason="r", actor="application")
        # What was reverted before speaks again, and is its session's again.
        speaker = self.links[(mended.carries or 1) - 1]
        self._mend(mended, "" if speaker.reverted_at is None else self.sessions[speaker.version - 1])

    def revert(self, session: str) -> None:
        """Undo what a session said."""
        gone = self.standing_of(session)
        if gone:
            self.minutes += self.pause
            self._mend(undone(self.links, gone, now=self.now, say=say, reason="r", actor="application"), "")

    def _mend(self, mended: Mended, session: str) -> None:
        self.links = mended.links
        self._append(mended.content, mended.made_by, session, mended.carries)

    def standing_of(self, session: str) -> set[int]:
        """Return the versions of a session that are not reverted."""
        named = zip(self.links, self.sessions, strict=True)
        return {link.version for link, said_in in named if said_in == session and link.reverted_at is None}

    def _append(self, new: NewVersion, made_by: MadeBy, session: str, carries: int | None = None) -> None:
        link = Link(
            version=len(self.links) + 1,
            content=new,
            confidence=new.confidence,
            recorded_at=self.now,
            made_by=made_by,
            carries=carries,
        )
        self.links = (*self.links, link)
        self.sessions.append(session)


def tell(acts: Sequence[tuple[str, int, int]], pause: int = 1) -> Story:
    """Build a chain from (act, number, day) triples; acts that make no sense yet are passed over."""
    story = Story(pause=pause)
    story.append(content(["m0"], 5, Op.SET), session="s0")
    for act, number, at in acts:
        member: list[Json] = [f"m{number}"]
        if act == "end" and story.head.status is Status.ACTIVE:
            story.end(Status.EXPIRED if number % 2 else Status.RETRACTED, at)
        elif act == "rollback" and number < len(story.links):
            story.rollback(number + 1)
        elif act == "revert":
            story.revert(f"s{number}")
        elif act in ("set", "add", "remove"):
            story.append(content(member, at, Op(act)), session=f"s{number}")
    return story


acts = st.lists(
    st.tuples(
        st.sampled_from(["set", "add", "remove", "end", "rollback", "revert"]),
        st.integers(0, 4),
        st.integers(0, 12),
    ),
    max_size=14,
)
stories = acts.map(tell)
hasty_stories = acts.map(lambda listed: tell(listed, pause=0))
"""Everything is recorded at one time, as in one unit of work."""

"""What is undone as a whole: all that a session, or a span of time, has taught."""

from dataclasses import dataclass
from datetime import datetime

from ltm.errors import InvalidRequestError
from ltm.ports.store.rows import Sighting, TransitionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A session, or everything recorded at or after a time.

    Raises:
        InvalidRequestError: Neither or both are given.
    """

    session_id: str | None = None
    since: datetime | None = None

    def __post_init__(self) -> None:
        if (self.session_id is None) == (self.since is None):
            raise InvalidRequestError("give either session_id or since")

    def is_of(self, sighting: Sighting) -> bool:
        """Tell whether something was said there."""
        if self.since is None:
            return sighting.evidence.session_id == self.session_id
        return sighting.seen_at >= self.since

    def drove(self, step: TransitionRow) -> bool:
        """Tell whether a step of a state machine was taken because of it."""
        return step.session_id == self.session_id if self.since is None else step.recorded_at >= self.since

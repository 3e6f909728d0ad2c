"""Frozen values that pass between the SQL store and the floors above it. All datetimes are aware, in UTC."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ltm.models import Action, Evidence, Json, Kind, Op, Owner, PendingCandidate, Reason, Status


class Head(NamedTuple):
    """A memory's current link, as the heads check of recall and the classifier read it.

    A named tuple and not a dataclass: a recall makes a hundred of them, in 0.05 ms instead of 0.5.

    Attributes:
        version: Number of the head in its chain; what `expected_version` is compared with.
        last_version: Length of the chain; greater than `version` after a late statement. A point's `version`.
        value: The whole value (a set's members), or None.
        context: The turn before it; embedded beside the text, never shown.
        valid_from: Since when the head is true.
        fingerprint: `ltm.models.fingerprint` of the whole value, of the text where there is none.
    """

    memory_id: str
    status: Status
    version: int
    last_version: int
    kind: Kind
    key: str | None
    pack: str | None
    text: str
    value: Json
    context: str | None
    confidence: float
    valid_from: datetime
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedHead:
    """A head together with its owner; what jobs over all owners read, and what a point is made from."""

    owner: Owner
    head: Head


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One build of the vector index.

    Attributes:
        generation_id: Small positive number, ascending by age.
        name: Collection (server) or folder (embedded).
        fingerprint: Of the vector space: embedder, prefixes, text template.
        embedder: The embedder's spec as JSON text, enough to load it again.
        state: `building`, `live` or `retired`; at most one is live.
        checkpoint: Last memory id the build has written, or None.
    """

    generation_id: int
    name: str
    fingerprint: str
    dim: int
    embedder: str
    state: str
    checkpoint: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a recall reads first, in one query.

    Attributes:
        revision: Raised by every transaction that changed the user's memories; 0 for an unknown user.
        live: The generation readers use, or None before the first one was made.
        life: Number of the user's row, never given again: who comes back after an erasure has another one, with
            revisions that start anew. 0 for an unknown user.
        is_settled: No outbox row of the owner waits, so the index shows all of this revision. Only then may a candidate
            pool be cached under the revision: one that was read between a commit and its `apply` would stay too small.
    """

    revision: int
    live: Generation | None
    life: int = 0
    is_settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One time something was said, with what that alone is worth.

    Attributes:
        confidence: Of the candidate as it was said there.
        seen_at: When the store learnt it.
        made_it: It was enough alone to make a version; False for what is held until it was said often enough.
    """

    evidence: Evidence
    confidence: float
    seen_at: datetime
    made_it: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version to append. The unit adds number, interval, status, time of recording and the head's cache.

    Attributes:
        memory_id: The memory whose chain goes on; None takes the memory of (owner, `key`), or makes a new one.
            A memory without a key is always a new one where this is None: merging is the caller's decision.
        value: Payload of the op: the whole value for `set`, the members for `add` and `remove`.
        valid_from: Time of the utterance; its place in truth order, whatever is stored already.
        begins_as: `active`, or the status that the version ends the memory with.
        pack: `name@version` of the pack that taught it, or None.
        external_id: The application's own id, unique for the owner.
        evidence: Where the user said it. A version belongs to the sessions of its evidence.
        sightings: Further evidence, of what was held: none of them was enough alone.
        expected_version: The head's version the caller has seen, 0 for "there is none"; None does not care.
    """

    text: str
    kind: Kind
    valid_from: datetime
    key: str | None = None
    memory_id: str | None = None
    value: Json = None
    op: Op = Op.SET
    confidence: float = 1.0
    context: str | None = None
    begins_as: Status = Status.ACTIVE
    action: Action = Action.CREATE
    reason: str | None = None
    actor: str = "application"
    pack: str | None = None
    pack_hash: str | None = None
    external_id: str | None = None
    evidence: tuple[Evidence, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    expected_version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTurn:
    """A turn that was observed, whether or not it taught anything.

    Attributes:
        session_id: The turn's session.
        content_hash: Of role and text; another hash under the same id is a `turn_conflict`.
        is_reverted: What it taught was undone; it must not teach again.
    """

    session_id: str
    turn_id: str
    content_hash: str
    is_reverted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCandidate:
    """A candidate that is held until it was said often enough; unique for (owner, key, fingerprint).

    Attributes:
        fingerprint: Of its value, of its text where there is none.
        sightings: Every time it was said, oldest first, one at least.
    """

    pending_id: str
    key: str | None
    fingerprint: str
    value: Json
    text: str
    kind: Kind
    op: Op
    confidence: float
    reason: Reason
    sightings: tuple[Sighting, ...]
    expires_at: datetime
    context: str | None = None
    pack: str | None = None
    pack_hash: str | None = None

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Return where it was said, oldest first."""
        return tuple(sighting.evidence for sighting in self.sightings)

    @property
    def sessions_seen(self) -> int:
        """Count the distinct sessions it was said in."""
        return count_sessions(self.evidence)

    def shown_to(self, user_id: str) -> PendingCandidate:
        """Return what the public API shows of it."""
        return PendingCandidate(
            pending_id=self.pending_id,
            user_id=user_id,
            key=self.key,
            value=self.value,
            text=self.text,
            kind=self.kind,
            op=self.op,
            confidence=self.confidence,
            reason=self.reason,
            sessions_seen=self.sessions_seen,
            first_said_at=min(item.said_at for item in self.evidence),
            last_said_at=max(item.said_at for item in self.evidence),
            expires_at=self.expires_at,
        )


def count_sessions(evidence: Iterable[Evidence]) -> int:
    """Count distinct sessions; what was said without a session counts as one of its own."""
    sessions = [item.session_id for item in evidence]
    return len(set(sessions) - {None}) + sessions.count(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionRow:
    """One recorded transition.

    Attributes:
        at: When it happened in the world.
        recorded_at: When the store learnt it.
        session_id: The session whose statement drove it, or None.
        expired: Number of the version that ended it, by memory id.
    """

    transition_id: str
    machine: str
    from_state: str
    to_state: str
    at: datetime
    recorded_at: datetime
    session_id: str | None
    actor: str
    expired: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What an undo did to one memory.

    Attributes:
        before: The head before it.
        after: The head afterwards.
        versions: Numbers of the versions that are now `reverted`, ascending.
    """

    before: Head
    after: Head
    versions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What an erasure removed from SQL.

    Attributes:
        rows: Rows removed, all tables; tombstones and queued removals from the index are not counted.
        memory_ids: The erased memories, ascending; their points are queued for removal in every generation.
        is_scrubbed: No file of the database holds the rows any more, as far as it can tell: False where a reader kept
            SQLite from cutting its log. Servers overwrite freed pages in their own time.
    """

    rows: int
    memory_ids: tuple[str, ...]
    is_scrubbed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCounts:
    """Figures for `doctor`.

    Attributes:
        backend: `sqlite`, `mysql` or `mariadb`.
        server: Version of the database.
        schema: Revision of the schema.
        memories: How many, by status of the head.
    """

    backend: str
    server: str
    schema: str
    users: int
    memories: Mapping[Status, int]
    versions: int
    pending: int
    decisions: int

"""Heads and stand-ins for the ports that recall reads: an index and a store in memory, a cache that can die."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from ltm.embed.hashing import HashEmbedder
from ltm.errors import CacheError, ModelError, StoreUnavailableError, VectorIndexError
from ltm.lexical import bm25_scores, encode_document
from ltm.models import Kind, MemoryVersion, Owner, Status
from ltm.packs import load_packs
from ltm.ports import Embedder, EmbedderSpec, Generation, Head, Hit, OwnerMean, Pool, PoolQuery, Snapshot, Space, Vector
from ltm.recall import Profile, Recaller, RecallRequest
from ltm.recall.profile import DEFAULT
from ltm.recall.topics import TopicWords

NOW = datetime(2026, 11, 18, 4, tzinfo=UTC)
OWNER = Owner(namespace="test", user_id="u1")
LIVE = Generation(
    generation_id=1,
    name="g1",
    fingerprint="f1",
    dim=256,
    embedder="{}",
    state="live",
    checkpoint=None,
    created_at=NOW,
)
PACKS = load_packs(("job_search", "venue_booking"))
TOPICS = TopicWords(PACKS)


def head(memory_id: str, text: str, **changes: Any) -> Head:
    """Make an active head of one version, said on 1 October 2026."""
    given = Head(
        memory_id=memory_id,
        status=Status.ACTIVE,
        version=1,
        last_version=1,
        kind=Kind.FACT,
        key=None,
        pack=None,
        text=text,
        value=None,
        context=None,
        confidence=1.0,
        valid_from=datetime(2026, 10, 1, tzinfo=UTC),
        fingerprint="",
    )
    return given._replace(**changes)


def record(given: Head) -> MemoryVersion:
    """Make the full record of a head."""
    return MemoryVersion(
        memory_id=given.memory_id,
        user_id=OWNER.user_id,
        key=given.key,
        value=given.value,
        text=given.text,
        kind=given.kind,
        pack=given.pack,
        status=given.status,
        version=given.version,
        confidence=given.confidence,
        valid_from=given.valid_from,
        valid_to=None,
        recorded_at=given.valid_from,
    )


@dataclass
class FakeIndex:
    """Exact search over points made from heads by `fill`; it lags behind the store until it is filled again."""

    points: dict[str, tuple[Head, Vector]] = field(default_factory=dict)
    is_down: bool = False
    searches: int = 0
    embedder: Embedder = field(default_factory=HashEmbedder)

    @property
    def dim(self) -> int:
        """Return the embedder's dimension."""
        return self.embedder.spec.dim

    def fill(self, heads: Collection[Head]) -> None:
        """Make the points anew."""
        vectors = self.embedder.embed_passages([given.text for given in heads])
        self.points = {given.memory_id: (given, row) for given, row in zip(heads, vectors, strict=True)}

    def owner_mean(self, owner_key: str, *, cap: int = 512) -> OwnerMean | None:
        """Return the mean of all points of the one owner there is."""
        if self.is_down:
            raise VectorIndexError("down")
        if owner_key != OWNER.key or not self.points:
            return None
        return OwnerMean(vector=np.mean([row for _, row in self.points.values()], axis=0), count=len(self.points))

    def search(self, query: PoolQuery) -> Pool:
        """Answer both channels."""
        if self.is_down:
            raise VectorIndexError("down")
        self.searches += 1
        if query.owner_key != OWNER.key:
            return Pool()
        found = [row for row in self.points.values() if not query.kinds or row[0].kind in query.kinds]
        dense: list[float] = [] if query.dense is None else [float(row @ query.dense) for _, row in found]
        lexical: list[float] = []
        if query.sparse is not None:
            lexical = bm25_scores(query.sparse, [encode_document(given.text) for given, _ in found])
        heads = [given for given, _ in found]
        return Pool(
            dense=_hits(heads[: len(dense)], dense, query.limit),
            lexical=tuple(hit for hit in _hits(heads[: len(lexical)], lexical, query.limit) if hit.score > 0),
        )


def _hits(heads: list[Head], scores: list[float], limit: int) -> tuple[Hit, ...]:
    hits = [
        Hit(memory_id=given.memory_id, version=given.last_version, status=Status.ACTIVE, score=score)
        for given, score in zip(heads, scores, strict=True)
    ]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.memory_id))[:limit])


@dataclass
class FakeReader:
    """The heads of the one owner there is."""

    all: dict[str, Head] = field(default_factory=dict)
    past: list[MemoryVersion] = field(default_factory=list)
    revision: int = 1
    is_settled: bool = True
    is_down: bool = False
    live: Generation | None = LIVE
    retold: dict[str, str] = field(default_factory=dict)
    timelines: int = 0

    def snapshot(self, owner: Owner) -> Snapshot:
        """Return revision and generation; an unknown owner has revision 0."""
        if self.is_down:
            raise StoreUnavailableError("down")
        revision = self.revision if owner == OWNER else 0
        return Snapshot(revision=revision, live=self.live, is_settled=self.is_settled)

    def heads(self, owner: Owner, memory_ids: Collection[str]) -> dict[str, Head]:
        """Return the heads among these ids."""
        return {key: self.all[key] for key in memory_ids if key in self.all and owner == OWNER}

    def list_heads(self, owner: Owner, *, kinds: Collection[Kind] = ()) -> list[Head]:
        """Return the active heads."""
        wanted = (given for given in self.all.values() if given.status is Status.ACTIVE)
        return [given for given in wanted if owner == OWNER and (not kinds or given.kind in kinds)]

    def records(self, owner: Owner, memory_ids: Collection[str]) -> dict[str, MemoryVersion]:
        """Return full records, in the words that somebody else's write has changed meanwhile (`retold`)."""
        heads = self.heads(owner, memory_ids)
        return {key: record(given._replace(text=self.retold.get(key, given.text))) for key, given in heads.items()}

    def list_said_at(self, owner: Owner, *, until: datetime | None = None) -> list[datetime]:
        """Return when the heads and the past versions became true, and count the call."""
        self.timelines += 1
        said_at = {given.valid_from for given in self.all.values()} | {version.valid_from for version in self.past}
        assert owner == OWNER
        return sorted(at for at in said_at if until is None or at <= until)

    def as_of(self, _owner: Owner, when: datetime, _known_at: datetime | None = None) -> list[MemoryVersion]:
        """Return the past versions that had begun by then."""
        return [version for version in self.past if version.valid_from <= when]


@dataclass
class FakeEmbedder(HashEmbedder):
    """The hashing embedder, countable and mortal."""

    is_down: bool = False
    calls: int = 0

    def embed_query(self, text: str) -> Vector:
        """Embed, or fail."""
        self.calls += 1
        if self.is_down:
            raise ModelError("down")
        return super().embed_query(text)


class SmallEmbedder(HashEmbedder):
    """Says that it has 8 dimensions."""

    spec = EmbedderSpec(name="small", model="small", revision="1", dim=8)


@dataclass
class FakeCache:
    """A dictionary that can die."""

    entries: dict[str, bytes] = field(default_factory=dict)
    is_down: bool = False
    calls: int = 0

    def get(self, key: str) -> bytes | None:
        """Look up, or fail."""
        self._touch()
        return self.entries.get(key)

    def set(self, key: str, value: bytes, *, ttl_s: float) -> None:
        """Store, or fail."""
        self._touch()
        self.entries[key] = value

    def _touch(self) -> None:
        self.calls += 1
        if self.is_down:
            raise CacheError("down")


@dataclass
class FakeReranker:
    """Likes long texts, or does not answer.

    Attributes:
        read: The texts of its calls.
    """

    is_down: bool = False
    read: list[list[str]] = field(default_factory=list)

    def score(self, _intent: str, texts: Sequence[str]) -> list[float]:
        """Return the lengths."""
        self.read.append(list(texts))
        if self.is_down:
            raise ModelError("down")
        return [float(len(text)) for text in texts]

    def close(self) -> None:
        """Do nothing."""


@dataclass
class World:
    """Everything that a recall reads, with the index in step with the store; `model` stands before `embedder`."""

    reader: FakeReader = field(default_factory=FakeReader)
    index: FakeIndex = field(default_factory=FakeIndex)
    embedder: FakeEmbedder | None = field(default_factory=FakeEmbedder)
    model: Embedder | None = None
    cache: FakeCache = field(default_factory=FakeCache)
    profile: Profile = DEFAULT
    reranker: FakeReranker | None = None

    def put(self, *heads: Head) -> "World":
        """Store heads and index them."""
        self.reader.all |= {given.memory_id: given for given in heads}
        self.index.fill(list(self.reader.all.values()))
        self.reader.revision += 1
        return self

    def get(self, generation: Generation) -> Space:
        """Open the one space there is."""
        return Space(generation=generation, index=self.index, embedder=self.model or self.embedder)  # type: ignore[arg-type]

    def recaller(self) -> Recaller:
        """Put a recaller together."""
        reader: Any = self.reader
        cache: Any = self.cache
        return Recaller(
            reader=reader, spaces=self, cache=cache, packs=PACKS, profile=self.profile, reranker=self.reranker
        )


def request(intent: str, **changes: Any) -> RecallRequest:
    """Ask as the one owner there is, at noon in Shanghai on 18 November 2026."""
    return replace(RecallRequest(owner=OWNER, intent=intent, now=NOW, zone=UTC), **changes)

"""What a system answered to the queries of a set; the raw material of every figure."""

from collections.abc import Mapping
from dataclasses import dataclass

DEPTH = 50
"""Ranks that every system is asked for: the depth of a channel's pool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """What would have gone into the prompt, with the library's defaults.

    Attributes:
        memory_ids: Corpus ids of the injected memories, best first.
        tokens: Length of the block.
        within: Token budget to how many relevant memories the block holds under it.
    """

    memory_ids: tuple[str, ...]
    tokens: int
    within: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One query's answer.

    Attributes:
        ranking: Corpus ids, best first, without floor and budget.
        scores: Of `ranking`, none greater than the one before.
        seconds: Of the ranking call, the embedder's time left out.
        embed_seconds: The embedder's time in it, 0 where the vector was cached.
        stale: Returned memories that were superseded, in any call for this query.
        foreign: Returned memories of another user, in any call for this query.
        injection: None for a system that only ranks.
    """

    query_id: str
    category: str
    ranking: tuple[str, ...]
    scores: tuple[float, ...]
    seconds: float = 0.0
    embed_seconds: float = 0.0
    stale: int = 0
    foreign: int = 0
    injection: Injection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """How the corpus went in.

    Attributes:
        refused: Memories the library would not take (secrets, instructions, over-long), with the reason.
        merged: Memories that said what another already said.
        embed_seconds: Part of `seconds` spent in the embedder.
    """

    count: int
    seconds: float
    embed_seconds: float = 0.0
    refused: Mapping[str, str]
    merged: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRun:
    """One system on one set; outcomes are in the order of the set's queries.

    Attributes:
        setup: Settings that tell this run from another, for the report and for resuming.
        aliases: Corpus ids to the id under which their memory is ranked, where it is another one: versions of one
            memory and memories that were merged.
    """

    dataset: str
    system: str
    setup: Mapping[str, str]
    outcomes: tuple[Outcome, ...]
    aliases: Mapping[str, str]
    ingest: Ingest | None = None

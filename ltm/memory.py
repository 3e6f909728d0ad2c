"""The facade: one method a use case. Arguments are checked here; rules and I/O live below."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from ltm.cache.window import ChatWindow
from ltm.errors import (
    InvalidRequestError,
    LtmError,
    MemoryNotFoundError,
)
from ltm.house import House
from ltm.lifecycle.erase import erase_memory, erase_user
from ltm.lifecycle.revert import revert_taught
from ltm.lifecycle.transition import current_state, enter_state, find_machine, follow_write
from ltm.models import (
    Decision,
    ErasureReport,
    Json,
    Kind,
    MemoryInput,
    MemoryVersion,
    Owner,
    PendingCandidate,
    Recall,
    RevertReport,
    Status,
    TransitionReport,
    Turn,
    WriteReceipt,
)
from ltm.models.check import check_count, check_id, check_text, check_time, check_word
from ltm.ports import Origin, UnitOfWork
from ltm.recall.request import checked_request
from ltm.settings import Settings
from ltm.wiring import open_house
from ltm.write.remember import check_inputs, write_inputs

_MAX_PAGE = 10_000
_MAX_REASON = 1_000

Records: TypeAlias = list[MemoryVersion]
_Report = TypeVar("_Report", RevertReport, TransitionReport)


class Memory:
    """The long-term memory of an agent's users.

    Thread-safe. Open it in the process that uses it: after `fork` every call raises. Every method may raise
    `InvalidRequestError` for an argument (nothing is written then) and `StoreUnavailableError`; what a method raises
    besides is said there.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._pid = os.getpid()
        self._is_closed = False

    @classmethod
    def open(cls, path: str | Path | None = None, *, settings: Settings | None = None) -> Self:
        """Open a store, making it where there is none. Neither model nor index is loaded before its first use.

        Args:
            path: A folder: SQL, vectors and cache are local to it and server URLs are ignored.
            settings: None reads the `LTM_` variables; values given in code win over them.

        Raises:
            ConfigurationError: Settings do not fit, an extra is missing, or the store belongs to a newer version.
            FingerprintMismatchError: The index was built with another embedder; the message names the way out.
            StoreUnavailableError: The database does not answer.
            VectorIndexError: What answers in the Qdrant server's place is none, or refuses. One that does not answer is
                a warning: recall is flagged `index`, and writes wait in the outbox, until it does.
        """
        return cls(open_house(path, settings if settings is not None else Settings()))

    def observe(self, user_id: str, turns: Sequence[Turn], session_id: str | None = None) -> WriteReceipt:
        """Learn from a dialogue: extract, classify, decide, store; every candidate ends in a decision.

        Args:
            user_id: Whose dialogue it is.
            turns: In the order in which they were said; only the user's own teach anything.
            session_id: None makes a session of this call.
        """
        owner = self._owner(user_id)
        house = self._house
        house.make_ready()
        observed = house.observer.observe(owner, turns, session_id=session_id)
        house.apply(observed.touched)
        return observed.receipt

    def remember(
        self,
        user_id: str,
        text: str,
        key: str | None = None,
        value: Json = None,
        kind: Kind | str | None = None,
        at: datetime | None = None,
        confidence: float = 1.0,
        context: str | None = None,
        session_id: str | None = None,
        external_id: str | None = None,
        expected_version: int | None = None,
    ) -> MemoryVersion:
        """Store what the application knows; the arguments are the fields of `MemoryInput`.

        The same key appends a version, the same value reinforces the head, the same external id returns what is stored.

        Raises:
            VersionConflictError: The head is not `expected_version`.
        """
        one = MemoryInput(
            text=text,
            key=key,
            value=value,
            kind=kind,
            at=at,
            confidence=confidence,
            context=context,
            session_id=session_id,
            external_id=external_id,
            expected_version=expected_version,
        )
        try:
            return self.remember_many(user_id, [one])[0]
        except InvalidRequestError as error:
            raise InvalidRequestError(error.problem) from None

    def remember_many(self, user_id: str, inputs: Sequence[MemoryInput]) -> list[MemoryVersion]:
        """Store many memories in one transaction; records come in input order.

        Raises:
            InvalidRequestError: Names the first unacceptable input by its `index`; nothing was written.
            VersionConflictError: A head is not the input's `expected_version`; nothing was written.
            IllegalTransitionError: A state machine does not allow the state that an input sets; nothing was written.
        """
        owner = self._owner(user_id)
        house = self._house
        checked = check_inputs(inputs, packs=house.packs, refuse=house.refuse, now=house.clock.now())
        if not checked:
            return []
        return house.write(owner, lambda unit: write_inputs(unit, checked, follow=follow_write, clock=house.clock))

    def recall(
        self,
        user_id: str,
        intent: str,
        token_budget: int | None = 300,
        limit: int = 10,
        kinds: Sequence[Kind | str] | None = None,
        history: Sequence[Turn] = (),
        as_of: datetime | None = None,
        now: datetime | None = None,
        tz: tzinfo | str | None = None,
        min_relevance: float | None = None,
        explain: bool = False,
    ) -> Recall:
        """Return what is worth knowing for an intent, best first, and as a block for the prompt.

        Args:
            user_id: Whose memories.
            intent: What the user wants now, usually the current turn.
            token_budget: Most o200k tokens the block may have; None for no bound.
            limit: Most items, 1 to 200.
            kinds: Only these kinds; None means all.
            history: Earlier turns of this dialogue, for intents that need them.
            as_of: Recall what was true then (lexical).
            now: The time of the conversation; None is the present.
            tz: The user's time zone; None takes that of `now`, else `Settings.timezone`.
            min_relevance: None is the profile's floor, 0 no floor at all.
            explain: Give every term of each score.
        """
        house = self._house
        request = checked_request(
            self._owner(user_id),
            intent,
            clock=house.clock,
            default_zone=house.timezone,
            now=now,
            tz=tz,
            token_budget=token_budget,
            limit=limit,
            kinds=kinds,
            history=history,
            as_of=as_of,
            min_relevance=min_relevance,
            explain=explain,
        )
        return house.recall(request)

    def get(self, user_id: str, memory_id: str) -> MemoryVersion:
        """Return the head of a memory, whatever its status.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        records = self._house.store.read.records(self._owner(user_id), [check_id(memory_id, "memory_id")])
        if memory_id not in records:
            raise MemoryNotFoundError(f"this user has no memory {memory_id!r}")
        return records[memory_id]

    def list(
        self,
        user_id: str,
        status: Status | str | None = Status.ACTIVE,
        kind: Kind | str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> Records:
        """Return heads by memory id; `after` is the last id of the page before, status None means every status."""
        return self._house.store.read.list_records(
            self._owner(user_id),
            status=None if status is None else check_word(status, Status, "status"),
            kinds=() if kind is None else (check_word(kind, Kind, "kind"),),
            after=None if after is None else check_id(after, "after"),
            limit=_page(limit),
        )

    def history(self, user_id: str, key: str | None = None, memory_id: str | None = None) -> Records:
        """Return the chain of a key or of a memory, in version order; a key never used gives an empty list.

        Raises:
            MemoryNotFoundError: The user has no memory of this id.
        """
        owner = self._owner(user_id)
        if (key is None) == (memory_id is None):
            raise InvalidRequestError("give either key or memory_id")
        read = self._house.store.read
        if key is not None:
            found = read.find_memory_id(owner, check_id(key, "key"))
            return [] if found is None else read.history(owner, found)
        chain = read.history(owner, check_id(memory_id, "memory_id"))
        if not chain:
            raise MemoryNotFoundError(f"this user has no memory {memory_id!r}")
        return chain

    def as_of(self, user_id: str, when: datetime, known_at: datetime | None = None) -> Records:
        """Return what was true at `when`, by memory id; with `known_at`, as it was known at that time."""
        return self._house.store.read.as_of(
            self._owner(user_id),
            check_time(when, "when"),
            None if known_at is None else check_time(known_at, "known_at"),
        )

    def rollback(
        self,
        user_id: str,
        memory_id: str,
        to_version: int,
        reason: str = "rolled back",
        expected_version: int | None = None,
    ) -> MemoryVersion:
        """Undo every version behind `to_version` by appending one that carries its value.

        Raises:
            MemoryNotFoundError: The user has no such memory or version.
            VersionConflictError: The head is not `expected_version`.
        """
        owner = self._owner(user_id)
        check_id(memory_id, "memory_id")
        number = check_count(to_version, "to_version", low=1, high=2**31)
        why = check_text(reason, "reason", limit=_MAX_REASON)
        return self._house.write(
            owner,
            lambda unit: unit.rollback(
                memory_id, number, reason=why, actor="application", expected_version=expected_version
            ),
        )

    def revert(
        self,
        user_id: str,
        session_id: str | None = None,
        since: datetime | None = None,
        reason: str = "reverted",
        dry_run: bool = False,
    ) -> RevertReport:
        """Undo everything learnt from a session, or recorded since a time, in one transaction."""
        owner, observer = self._owner(user_id), self._house.observer
        origin = Origin(
            session_id=None if session_id is None else check_id(session_id, "session_id"),
            since=None if since is None else check_time(since, "since"),
        )
        why = check_text(reason, "reason", limit=_MAX_REASON)

        def work(unit: UnitOfWork) -> RevertReport:
            return revert_taught(
                unit,
                origin,
                reason=why,
                is_enough=observer.policy.is_enough,
                hold_again=observer.hold_again,
                packs=self._house.packs,
            )

        return self._change(owner, work, dry_run=dry_run)

    def transition(
        self, user_id: str, machine: str, to_state: str, at: datetime | None = None, dry_run: bool = False
    ) -> TransitionReport:
        """Move the user's task to another state, and expire as one batch what must not outlive the step.

        Raises:
            IllegalTransitionError: The machine does not allow it; the message lists what it allows.
        """
        owner = self._owner(user_id)
        house = self._house
        declared = find_machine(house.packs, machine)
        moment = None if at is None else check_time(at, "at")
        transition_id = house.clock.new_id()

        def work(unit: UnitOfWork) -> TransitionReport:
            return enter_state(unit, declared, to_state, at=moment, transition_id=transition_id, packs=house.packs)

        report = self._change(owner, work, dry_run=dry_run)
        return replace(report, transition_id=None) if dry_run else report

    def state(self, user_id: str, machine: str) -> str:
        """Return the machine's current state; what its slot says, the first one where that says nothing."""
        house = self._house
        return current_state(house.store.read, self._owner(user_id), find_machine(house.packs, machine))

    def pending(self, user_id: str) -> Sequence[PendingCandidate]:
        """Return the candidates that are held, by id."""
        owner = self._owner(user_id)
        now = self._house.clock.now()
        held = self._house.store.read.list_pending(owner)
        return [candidate.shown_to(user_id) for candidate in held if candidate.expires_at > now]

    def confirm(self, user_id: str, pending_id: str) -> MemoryVersion:
        """Store a held candidate now.

        Raises:
            MemoryNotFoundError: The user has no such held candidate.
        """
        owner, observer = self._owner(user_id), self._house.observer
        check_id(pending_id, "pending_id")
        return self.get(user_id, self._house.write(owner, lambda unit: observer.confirm(unit, pending_id)))

    def reject(self, user_id: str, pending_id: str) -> None:
        """Drop a held candidate; said again, it is held anew.

        Raises:
            MemoryNotFoundError: The user has no such held candidate.
        """
        owner, observer = self._owner(user_id), self._house.observer
        check_id(pending_id, "pending_id")
        self._house.write(owner, lambda unit: observer.reject(unit, pending_id))

    def retract(self, user_id: str, memory_id: str, reason: str = "retracted") -> MemoryVersion:
        """End a memory that is not, or no longer, so; it stays in history. One that has ended is returned as it is.

        Raises:
            MemoryNotFoundError: The user has no such memory.
        """
        owner = self._owner(user_id)
        check_id(memory_id, "memory_id")
        why = check_text(reason, "reason", limit=_MAX_REASON)

        def work(unit: UnitOfWork) -> None:
            unit.end([memory_id], Status.RETRACTED, at=unit.now, reason=why, actor="application")

        self._house.write(owner, work)
        return self.get(user_id, memory_id)

    def erase(self, user_id: str, memory_id: str | None = None) -> ErasureReport:
        """Remove everything of a user, or one memory, physically and everywhere, and prove it by reading back.

        Raises:
            MemoryNotFoundError: The user has no memory of this id.
        """
        owner = self._owner(user_id)
        house = self._house
        if memory_id is None:
            return erase_user(house.store, house.spaces, house.cache, owner)
        return erase_memory(house.store, house.spaces, house.cache, owner, check_id(memory_id, "memory_id"))

    def decisions(self, user_id: str, limit: int | None = None, after: int | None = None) -> Sequence[Decision]:
        """Return why each candidate was, or was not, remembered, in the order of the decisions."""
        cursor = None if after is None else check_count(after, "after", low=0, high=2**63 - 1)
        return self._house.store.read.list_decisions(self._owner(user_id), after=cursor, limit=_page(limit))

    def users(self, limit: int | None = None, after: str | None = None) -> Sequence[str]:
        """Return the ids of the namespace's users, in the order of their bytes."""
        self._check_usable()
        cursor = None if after is None else check_id(after, "after")
        return self._house.store.read.list_users(self._house.namespace, after=cursor, limit=_page(limit))

    def chat(self, user_id: str, session_id: str) -> ChatWindow:
        """Return the short-term window of a dialogue; what leaves it is offered to `observe` first."""
        owner = self._owner(user_id)
        check_id(session_id, "session_id")
        return self._house.window(owner, session_id, lambda turns: self.observe(user_id, turns, session_id))

    def close(self) -> None:
        """Release every connection, file and model; calling it again does nothing. A forked child releases nothing."""
        if self._is_closed or os.getpid() != self._pid:
            return
        self._is_closed = True
        self._house.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _change(self, owner: Owner, work: Callable[[UnitOfWork], _Report], *, dry_run: bool) -> _Report:
        if dry_run:
            return replace(self._house.preview(owner, work), dry_run=True)
        return self._house.write(owner, work)

    def _owner(self, user_id: str) -> Owner:
        self._check_usable()
        return Owner(namespace=self._house.namespace, user_id=check_id(user_id, "user_id"))

    def _check_usable(self) -> None:
        if os.getpid() != self._pid:
            raise LtmError("this Memory was opened before fork: open another one in the worker process")
        if self._is_closed:
            raise LtmError("this Memory is closed: open another one")


def _page(limit: int | None) -> int | None:
    return None if limit is None else check_count(limit, "limit", low=1, high=_MAX_PAGE)

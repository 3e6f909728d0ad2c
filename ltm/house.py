"""A memory's parts, put together: what each use case of the facade works with."""

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar
from zoneinfo import ZoneInfo

from ltm.apply import apply_heads
from ltm.apply.keeper import Keeper
from ltm.cache.window import ChatWindow, Observe, WindowLimits
from ltm.errors import LtmError, ModelError
from ltm.models import Owner, Recall
from ltm.packs import PackSet
from ltm.ports import Cache, Clock, Embedder, Head, IndexAdmin, Store, TurnLog, UnitOfWork
from ltm.recall.recall import Recaller
from ltm.recall.request import RecallRequest
from ltm.recall.tokens import count_tokens
from ltm.spaces import OpenSpaces
from ltm.write.pipeline import Observer
from ltm.write.refusals import Refusals

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class House:
    """Everything that a `Memory` is put together from.

    Attributes:
        namespace: Whose users are served.
        timezone: A user's zone where nothing else says it.
        keeper: Keeps an index in step that this process holds alone; None where a relay does.
        closing: Closes what was opened, the last first.
    """

    namespace: str
    timezone: ZoneInfo
    window_limits: WindowLimits
    packs: PackSet
    clock: Clock
    store: Store
    admin: IndexAdmin
    spaces: OpenSpaces
    embedder: Embedder
    cache: Cache
    turn_log: TurnLog
    refuse: Refusals
    observer: Observer
    recaller: Recaller
    keeper: Keeper | None
    closing: ExitStack

    def write(self, owner: Owner, work: Callable[[UnitOfWork], _Result]) -> _Result:
        """Do `work` in one transaction of the owner, and bring the index along after the commit."""
        touched: Mapping[str, Head] = {}

        def watched(unit: UnitOfWork) -> _Result:
            nonlocal touched
            result = work(unit)
            touched = unit.touched
            return result

        self.make_ready()
        result = self.store.transact(owner, watched)
        self.apply(touched)
        return result

    def preview(self, owner: Owner, work: Callable[[UnitOfWork], _Result]) -> _Result:
        """Return what `work` would do, and store nothing of it."""

        def discarded(unit: UnitOfWork) -> _Result:
            result = work(unit)
            unit.discard()
            return result

        return self.store.transact(owner, discarded)

    def recall(self, request: RecallRequest) -> Recall:
        """Answer an intent, with an index that is in step as far as this process is the one to see to it."""
        if self.keeper is not None:
            self.keeper.look_after()
        return self.recaller.recall(request)

    def make_ready(self) -> None:
        """Register the first generation before the first write, so that the write raises its outbox row.

        An embedder that cannot say its dimension yet is no reason to refuse a write: the first generation raises every
        memory that is stored by then.
        """
        if not self.spaces.has_live():
            try:
                self.spaces.make_first()
            except ModelError as error:
                _log.warning("no generation yet: %s", type(error).__name__)

    def apply(self, touched: Mapping[str, Head]) -> None:
        """Apply the writer's own outbox rows, given with the heads that it has written.

        What fails is committed all the same, and stays in the outbox: for the relay, or for the process that holds the
        embedded index.
        """
        if not touched:
            return
        try:
            apply_heads(self.store, self.spaces.live(), list(touched), heads=touched)
        except LtmError as error:
            _log.warning("%d memories wait in the outbox: %s", len(touched), type(error).__name__)
            return
        if self.keeper is not None:
            self.keeper.look_after()

    def window(self, owner: Owner, session_id: str, observe: Observe) -> ChatWindow:
        """Return the short-term window of a dialogue."""
        return ChatWindow(
            self.turn_log,
            owner_key=owner.key,
            session_id=session_id,
            limits=self.window_limits,
            count_tokens=count_tokens,
            clock=self.clock,
            observe=observe,
        )

    def close(self) -> None:
        """Close what was opened, the last first."""
        self.closing.close()

"""The same methods, awaited: each runs `Memory`'s own in a bounded pool of worker threads."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

from ltm.cache.window import ChatWindow
from ltm.errors import LtmError
from ltm.memory import Memory
from ltm.settings import Settings

_Inner = TypeVar("_Inner")
_Hidden = TypeVar("_Hidden", covariant=True)
_Result = TypeVar("_Result")
_Args = ParamSpec("_Args")


class _Forwarding(Protocol[_Hidden]):
    async def _call(self, method: Callable[[_Hidden], _Result]) -> _Result: ...


def _awaited(
    method: Callable[Concatenate[_Inner, _Args], _Result],
) -> Callable[Concatenate[_Forwarding[_Inner], _Args], Coroutine[Any, Any, _Result]]:
    """Make the awaited twin of a method: same name, signature and docstring, no second implementation."""

    @wraps(method)
    async def call(self: _Forwarding[_Inner], /, *args: _Args.args, **kwargs: _Args.kwargs) -> _Result:
        return await self._call(lambda inner: method(inner, *args, **kwargs))

    return call


class _Workers:
    """A bounded pool of threads; says so where it is gone, instead of waiting for ever."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix="ltm")
        self._pid = os.getpid()
        self.is_closed = False

    def submit(self, work: Callable[[], _Result]) -> "Future[_Result]":
        """Begin `work` as soon as a thread is free.

        Raises:
            LtmError: It was closed, or this is a forked child, which has no threads.
        """
        if os.getpid() != self._pid:
            raise LtmError("this AsyncMemory was opened before fork: open another one in the worker process")
        if self.is_closed:
            raise LtmError("this AsyncMemory is closed: open another one")
        return self._pool.submit(work)

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Await `work`; cancelled before it has begun it never does, and later it goes on in its thread."""
        return await asyncio.wrap_future(self.submit(work))

    def close(self) -> None:
        """Let what was begun end, and take nothing more."""
        self.is_closed = True
        self._pool.shutdown(wait=True)


class AsyncChatWindow:
    """`ChatWindow` for an event loop."""

    def __init__(self, window: ChatWindow, workers: _Workers) -> None:
        self._window = window
        self._workers = workers

    append = _awaited(ChatWindow.append)
    turns = _awaited(ChatWindow.turns)
    clear = _awaited(ChatWindow.clear)

    async def _call(self, method: Callable[[ChatWindow], _Result]) -> _Result:
        return await self._workers.run(partial(method, self._window))


class AsyncMemory:
    """`Memory` for event loops; at most `Settings.async_workers` calls run at once.

    Cancelling an await keeps a call from beginning, and does not stop one that already runs in its thread. Where the
    memory cannot be opened, every call that waits for it says so, and the next one tries again.
    """

    def __init__(self, open_memory: Callable[[], Memory], *, workers: int) -> None:
        self._open_memory = open_memory
        self._workers = _Workers(workers)
        self._memory: Future[Memory] | None = None

    @classmethod
    def open(cls, path: str | Path | None = None, *, settings: Settings | None = None) -> Self:
        """Prepare a memory; `await` the result, or enter it with `async with`, to open it without blocking the loop.

        Args:
            path: As for `Memory.open`.
            settings: As for `Memory.open`.
        """
        chosen = settings if settings is not None else Settings()
        return cls(partial(Memory.open, path, settings=chosen), workers=chosen.async_workers)

    observe = _awaited(Memory.observe)
    remember = _awaited(Memory.remember)
    remember_many = _awaited(Memory.remember_many)
    recall = _awaited(Memory.recall)
    get = _awaited(Memory.get)
    list = _awaited(Memory.list)
    history = _awaited(Memory.history)
    as_of = _awaited(Memory.as_of)
    rollback = _awaited(Memory.rollback)
    revert = _awaited(Memory.revert)
    transition = _awaited(Memory.transition)
    state = _awaited(Memory.state)
    pending = _awaited(Memory.pending)
    confirm = _awaited(Memory.confirm)
    reject = _awaited(Memory.reject)
    retract = _awaited(Memory.retract)
    erase = _awaited(Memory.erase)
    decisions = _awaited(Memory.decisions)
    users = _awaited(Memory.users)

    async def chat(self, user_id: str, session_id: str) -> AsyncChatWindow:
        """Return the short-term window of a dialogue; what leaves it is offered to `observe` first."""
        return AsyncChatWindow(await self._call(lambda memory: memory.chat(user_id, session_id)), self._workers)

    async def close(self) -> None:
        """Wait for the calls that were begun and release everything; calling it again does nothing."""
        if not self._workers.is_closed:
            # Not in the pool, which has to be empty first, and not in the loop, which must not be blocked.
            await asyncio.to_thread(self._release)

    def __await__(self) -> Generator[Any, None, Self]:
        return self._opened().__await__()

    async def __aenter__(self) -> Self:
        return await self._opened()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _opened(self) -> Self:
        await self._call(lambda _: None)
        return self

    async def _call(self, method: Callable[[Memory], _Result]) -> _Result:
        if self._memory is None or (self._memory.done() and self._memory.exception() is not None):
            self._memory = self._workers.submit(self._open_memory)
        memory = await asyncio.shield(asyncio.wrap_future(self._memory))
        return await self._workers.run(partial(method, memory))

    def _release(self) -> None:
        self._workers.close()
        if self._memory is not None and self._memory.exception() is None:
            self._memory.result().close()

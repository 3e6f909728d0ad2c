"""The same methods, awaited: each runs `Memory`'s own in a bounded pool of worker threads."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

from ltm.cache.window import ChatWindow
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


class AsyncChatWindow:
    """`ChatWindow` for an event loop."""

    def __init__(self, window: ChatWindow, pool: ThreadPoolExecutor) -> None:
        self._window = window
        self._pool = pool

    append = _awaited(ChatWindow.append)
    turns = _awaited(ChatWindow.turns)
    clear = _awaited(ChatWindow.clear)

    async def _call(self, method: Callable[[ChatWindow], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(method, self._window))


class AsyncMemory:
    """`Memory` for an event loop; at most `Settings.async_workers` calls run at once.

    Cancelling an await does not stop the call that already runs in its thread.
    """

    def __init__(self, open_memory: Callable[[], Memory], *, workers: int) -> None:
        self._open_memory = open_memory
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="ltm")
        self._memory: asyncio.Future[Memory] | None = None

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
        return AsyncChatWindow(await self._call(lambda memory: memory.chat(user_id, session_id)), self._pool)

    async def close(self) -> None:
        """Wait for running calls and release everything; calling it again does nothing."""
        opened, self._memory = self._memory, None
        if opened is not None and not (await asyncio.wait([opened]) and opened.exception()):
            await asyncio.get_running_loop().run_in_executor(self._pool, opened.result().close)
        self._pool.shutdown(wait=True)

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
        loop = asyncio.get_running_loop()
        if self._memory is None:
            self._memory = loop.run_in_executor(self._pool, self._open_memory)
        memory = await asyncio.shield(self._memory)
        return await loop.run_in_executor(self._pool, method, memory)

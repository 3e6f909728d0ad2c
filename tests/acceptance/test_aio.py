"""The awaited memory does what the other one does, without blocking the loop."""

import asyncio
import inspect
import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from ltm import AsyncMemory, Memory, MemoryInput, Settings, Turn
from ltm.aio import AsyncChatWindow
from ltm.cache.window import ChatWindow
from ltm.errors import ConfigurationError, InvalidRequestError, LtmError, MemoryNotFoundError
from tests.acceptance.conftest import SETTINGS
from tests.acceptance.told import SALARY, day, salary

TWO_WORKERS = SETTINGS.model_copy(update={"async_workers": 2})


def _methods(owner: type) -> dict[str, object]:
    found = {name: value for name, value in vars(owner).items() if not name.startswith("_")}
    return {name: value for name, value in found.items() if inspect.isfunction(value)}


@pytest.mark.parametrize(("plain", "awaited"), [(Memory, AsyncMemory), (ChatWindow, AsyncChatWindow)])
def test_the_two_have_the_same_methods(plain: type, awaited: type) -> None:
    """Same names, same parameters, same docstrings; every one of them is awaited."""
    assert _methods(plain).keys() == _methods(awaited).keys()
    for name, method in _methods(plain).items():
        twin = _methods(awaited)[name]
        assert inspect.iscoroutinefunction(twin), name
        assert callable(method)
        assert callable(twin)
        ours, theirs = inspect.signature(method), inspect.signature(twin)
        assert list(ours.parameters.values()) == list(theirs.parameters.values()), name
        if name not in ("chat", "close"):
            assert (ours.return_annotation, inspect.getdoc(method)) == (theirs.return_annotation, inspect.getdoc(twin))
    assert inspect.signature(Memory.open) == inspect.signature(AsyncMemory.open)


def test_a_life_in_a_loop(folder: Path) -> None:
    """Every method, awaited, gives what it gives without."""

    async def live() -> None:
        async with AsyncMemory.open(folder, settings=SETTINGS) as memory:
            receipt = await memory.observe("u1", [Turn(role="user", text="期望薪资 15-20k", at=day(1))], "s1")
            assert [str(item.reason) for item in receipt.decisions] == ["new"]
            note = await memory.remember("u1", "喜欢绿茶", at=day(2))
            many = await memory.remember_many("u1", [MemoryInput(text="a"), MemoryInput(text="b")])
            recall = await memory.recall("u1", "期望薪资", now=day(3))
            assert [item.memory.key for item in recall.items] == [SALARY]
            assert await memory.get("u1", note.memory_id) == note
            assert len(await memory.list("u1")) == 4
            chain = await memory.history("u1", key=SALARY)
            assert len(await memory.as_of("u1", day(2, 13))) == 2
            assert (await memory.rollback("u1", chain[0].memory_id, to_version=1)).value == salary(15000, 20000)
            assert (await memory.revert("u1", session_id="s1", dry_run=True)).changes
            assert (await memory.transition("u1", "job_search", "hired")).expired
            assert await memory.state("u1", "job_search") == "hired"
            assert await memory.pending("u1") == []
            with pytest.raises(MemoryNotFoundError):
                await memory.confirm("u1", "unknown")
            with pytest.raises(MemoryNotFoundError):
                await memory.reject("u1", "unknown")
            assert str((await memory.retract("u1", many[0].memory_id)).status) == "retracted"
            assert len(await memory.decisions("u1")) == 1
            assert await memory.users() == ["u1"]
            window = await memory.chat("u1", "s2")
            await window.append(Turn(role="user", text="hello", at=day(4)))
            assert [turn.text for turn in await window.turns()] == ["hello"]
            await window.clear()
            assert (await memory.erase("u1")).verified

    asyncio.run(live())


def test_errors_are_those_of_the_method(folder: Path) -> None:
    """An argument that is not acceptable, and a memory that cannot be opened."""

    async def try_it() -> None:
        async with AsyncMemory.open(folder, settings=SETTINGS) as memory:
            with pytest.raises(InvalidRequestError, match="user_id"):
                await memory.list("")
        broken = AsyncMemory.open(
            settings=Settings(database_url=SecretStr("postgresql://x"), path=folder, embedder="hash")
        )
        for _ in range(2):
            with pytest.raises(ConfigurationError):
                await broken.list("u1")
        await broken.close()

    asyncio.run(try_it())


def test_opening_is_tried_again(folder: Path) -> None:
    """A store that did not answer at first may answer later."""
    opened: list[Memory] = []

    def open_memory() -> Memory:
        if not opened:
            opened.append(Memory.open(folder, settings=SETTINGS))
            raise ConfigurationError("not yet")
        return opened[0]

    async def try_it() -> None:
        memory = AsyncMemory(open_memory, workers=1)
        with pytest.raises(ConfigurationError):
            await memory.users()
        assert await memory.users() == []
        await memory.close()

    asyncio.run(try_it())


@pytest.fixture
def lock(folder: Path) -> Iterator[sqlite3.Connection]:
    """Keep everybody else from writing to the store until it is rolled back."""
    with closing(sqlite3.connect(folder / "memory.sqlite3", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def test_no_more_calls_run_at_once_than_there_are_workers(folder: Path, lock: sqlite3.Connection) -> None:
    """The loop goes on meanwhile, and whoever waits is served in the end."""

    async def crowd() -> None:
        async with AsyncMemory.open(folder, settings=TWO_WORKERS) as memory:
            writers = [asyncio.create_task(memory.remember("u1", f"text {number}")) for number in range(4)]
            await asyncio.sleep(0.2)
            reader = asyncio.create_task(memory.users())
            ticks = 0
            for _ in range(20):
                await asyncio.sleep(0.01)
                ticks += 1
            assert ticks == 20
            assert not reader.done()
            assert sum(thread.name.startswith("ltm") for thread in threading.enumerate()) <= 2
            lock.execute("ROLLBACK")
            await asyncio.gather(*writers)
            assert await reader is not None
            assert len(await memory.list("u1")) == 4

    asyncio.run(crowd())


def test_a_cancelled_call_that_runs_goes_on_and_one_that_waits_does_not(folder: Path, lock: sqlite3.Connection) -> None:
    """Cancelling gives the awaiting task free at once, and harms nobody else."""

    async def cancel() -> None:
        async with AsyncMemory.open(folder, settings=SETTINGS.model_copy(update={"async_workers": 1})) as memory:
            running = asyncio.create_task(memory.remember("u1", "running"))
            await asyncio.sleep(0.2)
            waiting = asyncio.create_task(memory.remember("u1", "waiting"))
            await asyncio.sleep(0.1)
            begun = time.monotonic()
            for task in (running, waiting):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert time.monotonic() - begun < 1
            lock.execute("ROLLBACK")
            assert [record.text for record in await memory.list("u1")] == ["running"]

    asyncio.run(cancel())


def test_closing_waits_for_what_was_begun(folder: Path, lock: sqlite3.Connection) -> None:
    """What was begun is stored; afterwards every call, also of a chat window, says that it is closed."""

    async def close() -> None:
        memory = await AsyncMemory.open(folder, settings=TWO_WORKERS)
        window = await memory.chat("u1", "s1")
        running = asyncio.create_task(memory.remember("u1", "running"))
        await asyncio.sleep(0.2)
        asyncio.get_running_loop().call_later(0.2, lock.execute, "ROLLBACK")
        await memory.close()
        assert (await running).text == "running"
        await memory.close()
        for call in (memory.users(), memory.remember("u1", "late"), window.turns()):
            with pytest.raises(LtmError, match="closed"):
                await call

    asyncio.run(close())


def test_one_memory_serves_loops_one_after_the_other(folder: Path) -> None:
    """What was opened in one loop is used in the next."""
    memory = AsyncMemory.open(folder, settings=SETTINGS)
    asyncio.run(memory.remember("u1", "喜欢绿茶"))
    assert [record.text for record in asyncio.run(memory.list("u1"))] == ["喜欢绿茶"]
    asyncio.run(memory.close())


def test_a_memory_that_was_never_opened_is_closed_in_silence(folder: Path) -> None:
    """Nothing was loaded, so nothing is released."""
    asyncio.run(AsyncMemory.open(folder, settings=SETTINGS).close())


def test_a_forked_child_does_not_wait_for_threads_it_has_not(folder: Path) -> None:
    """It is told at once."""
    memory = AsyncMemory.open(folder, settings=SETTINGS)
    asyncio.run(memory.users())
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.write(writing, _in_the_child(memory).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        assert "before fork" in told.read()
    os.waitpid(child, 0)
    asyncio.run(memory.close())


def _in_the_child(memory: AsyncMemory) -> str:
    try:
        return str(asyncio.run(memory.users()))
    except BaseException as error:  # noqa: BLE001 - the child must never go on into the tests
        return str(error)

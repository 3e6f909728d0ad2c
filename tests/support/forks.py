"""Processes by fork: what they need is imported once. The parent opens neither a store nor an index."""

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

_Result = TypeVar("_Result")


def start(work: Callable[[], object]) -> int:
    """Run `work` in a child and return its process id; the child ends with status 1 where it raises."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        work()
        status = 0
    except BaseException:  # noqa: BLE001 - the child's only way to say what happened
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def ask(work: Callable[[], _Result], scratch: Path) -> _Result:
    """Run `work` in a child and return what it returned.

    Raises:
        RuntimeError: The child raised; its traceback is on standard error.
    """

    def answer() -> None:
        scratch.write_bytes(pickle.dumps(work()))

    finish(start(answer))
    found: _Result = pickle.loads(scratch.read_bytes())
    return found


def finish(pid: int) -> None:
    """Wait for a child that must end well.

    Raises:
        RuntimeError: It did not.
    """
    _, status = os.waitpid(pid, 0)
    if status:
        raise RuntimeError(f"a child ended with status {status}")


def kill(pid: int) -> None:
    """Kill a child with SIGKILL and wait until it is gone."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def terminate(pid: int) -> int:
    """Ask a child to end with SIGTERM and return its exit status."""
    os.kill(pid, signal.SIGTERM)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

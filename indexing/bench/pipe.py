"""Calls of an object that lives in another process, through a pipe."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, TypeAlias

from ltm.errors import LtmError

Pipe: TypeAlias = Connection


class Caller:
    """Hands every call on to the other end, one at a time; arguments, results and our errors are pickled."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._turn = Lock()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._call, name)

    def _call(self, name: str, *arguments: Any, **named: Any) -> Any:
        with self._turn:
            self._pipe.send((name, arguments, named))
            answer = self._pipe.recv()
        if isinstance(answer, LtmError):
            raise answer
        return answer


def answer_calls(target: object, pipe: Pipe) -> None:
    """Let the other end call the target, until that end is gone."""
    with pipe, suppress(EOFError, ConnectionError):
        while True:
            name, arguments, named = pipe.recv()
            try:
                answer = getattr(target, name)(*arguments, **named)
            except LtmError as error:
                answer = error
            pipe.send(answer)

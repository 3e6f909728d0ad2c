"""A real HTTP server that answers like a model, from a script: for stories, and for tests of what servers do wrong."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, TypeAlias

_NOTHING: Mapping[str, Any] = {"candidates": []}


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """An HTTP answer as it goes out, after a pause."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    delay_s: float = 0.0


Reply: TypeAlias = Mapping[str, Any] | str | RawReply
"""What the model says: an object, sent as JSON text; a text, sent as it is; or a whole HTTP answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the server was asked; names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any


class ScriptedModel:
    """The script and the record of a running server.

    Attributes:
        url: Base URL up to and including `/v1`.
        replies: What is still to be said; each chat request takes the first. Where none is left, a chat request is
            answered with no candidates.
        requests: What was asked so far.
    """

    def __init__(self, url: str, replies: Sequence[Reply]) -> None:
        self.url = url
        self.replies = list(replies)
        self.requests: list[Request] = []
        self._lock = Lock()

    def answer(self, request: Request) -> RawReply:
        """Record a request and return the next reply as an HTTP answer."""
        with self._lock:
            self.requests.append(request)
            reply = self.replies.pop(0) if self.replies else _NOTHING
        if isinstance(reply, RawReply):
            return reply
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        return RawReply(body=chat_completion(text))


def chat_completion(content: str | None, **fields: Any) -> str:
    """Return the JSON of a chat completion; `fields` go into its message, e.g. `reasoning_content`."""
    message = {"role": "assistant", "content": content, **fields}
    answer = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return json.dumps(answer, ensure_ascii=False)


@contextmanager
def scripted_model(replies: Sequence[Reply] = ()) -> Iterator[ScriptedModel]:
    """Serve on a free port of this machine until the block ends; a reply that is still waiting is then cut off."""
    closing = Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(path=self.path, headers=headers, body=json.loads(self.rfile.read(size)))
            _send(self, script.answer(request), closing)

        def log_message(self, *args: object) -> None:
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        script = ScriptedModel(f"http://127.0.0.1:{server.server_port}/v1", replies)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield script
        finally:
            closing.set()
            server.shutdown()
            thread.join()


def _send(handler: BaseHTTPRequestHandler, reply: RawReply, closing: Event) -> None:
    if closing.wait(reply.delay_s):
        return
    body = reply.body.encode()
    try:
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
    except ConnectionError:  # the client has not waited
        handler.close_connection = True

"""A TCP proxy that stalls or cuts what passes through it."""

import selectors
import socket
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self


class Proxy:
    """Passes bytes on between a free port of this machine and another one.

    Stalled, it accepts connections and passes nothing on; cut, it closes every connection at once.
    """

    def __init__(self, target_port: int) -> None:
        self._target = ("127.0.0.1", target_port)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._flows = Event()
        self._flows.set()
        self._is_cut = False
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    def stall(self) -> None:
        """Let nothing pass any more, and keep every connection."""
        self._flows.clear()

    def cut(self) -> None:
        """Close every connection, and those that come."""
        self._is_cut = True
        self._close_all()

    def resume(self) -> None:
        """Let everything pass again; what was stalled goes on."""
        self._is_cut = False
        self._flows.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self.cut()
        self._flows.set()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            if self._is_cut:
                client.close()
                continue
            with self._lock:
                self._open.add(client)
            Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._flows.wait()
        try:
            server = socket.create_connection(self._target, timeout=5)
        except OSError:
            client.close()
            return
        with self._lock:
            self._open.add(server)
        try:
            self._pump(client, server)
        except (OSError, ValueError):
            pass
        finally:
            with self._lock:
                self._open -= {client, server}
            client.close()
            server.close()

    def _pump(self, client: socket.socket, server: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in selector.select():
                    source, sink = key.fileobj, key.data
                    assert isinstance(source, socket.socket)
                    data = source.recv(65_536)
                    if not data:
                        return
                    self._flows.wait()
                    sink.sendall(data)

    def _close_all(self) -> None:
        with self._lock:
            found, self._open = self._open, set()
        for one in found:
            # Wakes the thread that waits for it; closing alone would not.
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

"""Storage for the suite, with a way to open it again and a way to damage it."""

import os
from pathlib import Path
from typing import Protocol
from uuid import UUID

import qdrant_edge as qe
from qdrant_client import QdrantClient

from ltm.index.connect import QdrantServer
from ltm.index.embedded_admin import EmbeddedIndexAdmin
from ltm.index.server_admin import ServerIndexAdmin
from ltm.ports import IndexAdmin


class Backend(Protocol):
    """Storage that outlives the admins over it, and a way round them to damage it."""

    def open(self) -> IndexAdmin:
        """Close the last admin and return a new one over the same storage."""
        ...

    def overwrite_payload(self, name: str, point_id: str, payload: dict[str, object]) -> None:
        """Write a payload as nobody should; the admin is closed on the way."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


class EdgeBackend:
    """A folder."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._admin: EmbeddedIndexAdmin | None = None

    def open(self) -> IndexAdmin:
        """Open the folder again."""
        self.close()
        self._admin = EmbeddedIndexAdmin(self._path)
        return self._admin

    def overwrite_payload(self, name: str, point_id: str, payload: dict[str, object]) -> None:
        """Open the shard with the driver."""
        self.close()
        shard = qe.EdgeShard.load(str(self._path / name / "shard"))
        shard.update(qe.UpdateOperation.overwrite_payload([UUID(point_id)], payload))
        shard.close()

    def close(self) -> None:
        """Close the admin."""
        if self._admin is not None:
            self._admin.close()


class ClientBackend:
    """A server, or the local mode in a folder."""

    def __init__(self, *, path: Path | None = None, url: str | None = None) -> None:
        self._path = path
        self._url = url
        self._client: QdrantClient | None = None
        # A server may be shared with other runs of this suite.
        self._prefix = f"ltm-test-{os.getpid()}-{os.urandom(4).hex()}"

    def open(self) -> IndexAdmin:
        """Connect again."""
        self._disconnect()
        self._client = self._connect()
        return ServerIndexAdmin(self._client, prefix=self._prefix)

    def overwrite_payload(self, name: str, point_id: str, payload: dict[str, object]) -> None:
        """Ask the driver."""
        self._disconnect()
        client = self._connect()
        client.overwrite_payload(f"{self._prefix}.{name}", payload, [point_id], wait=True)
        client.close()

    def close(self) -> None:
        """Leave nothing on a server that others use."""
        if self._url is not None:
            admin = self.open()
            for name in admin.names():
                admin.drop(name)
        self._disconnect()

    def _connect(self) -> QdrantClient:
        if self._url is not None:
            server = QdrantServer(self._url, None, 10.0)
            server.check()
            return server.client
        return QdrantClient(path=str(self._path), force_disable_check_same_thread=True)

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()

"""One suite over every Qdrant: Edge, the client's local mode, and a server where `LTM_TEST_QDRANT_URL` names one."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from uuid import UUID

import pytest
import qdrant_edge as qe
from qdrant_client import QdrantClient

from ltm.index.connect import connect_server
from ltm.index.embedded_admin import EmbeddedIndexAdmin
from ltm.index.server_admin import ServerIndexAdmin
from ltm.ports import IndexAdmin, VectorIndex

DIM = 4
FINGERPRINT = "sha256:one"


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

    prefix = "ltm-test"

    def __init__(self, *, path: Path | None = None, url: str | None = None) -> None:
        self._path = path
        self._url = url
        self._client: QdrantClient | None = None
        if path is not None:
            # The local mode cannot hold two folders' worth of tests in one; a server can, so the prefix differs there.
            return
        self.prefix = f"ltm-test-{os.getpid()}-{os.urandom(4).hex()}"

    def open(self) -> IndexAdmin:
        """Connect again."""
        self._disconnect()
        self._client = self._connect()
        return ServerIndexAdmin(self._client, prefix=self.prefix)

    def overwrite_payload(self, name: str, point_id: str, payload: dict[str, object]) -> None:
        """Ask the driver."""
        self._disconnect()
        client = self._connect()
        client.overwrite_payload(f"{self.prefix}.{name}", payload, [point_id], wait=True)
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
            return connect_server(self._url, None, 10.0)
        return QdrantClient(path=str(self._path), force_disable_check_same_thread=True)

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()


@pytest.fixture(params=["edge", "qdrant-local", "qdrant-server"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """Return empty storage."""
    url = os.environ.get("LTM_TEST_QDRANT_URL")
    made: Backend
    if request.param == "edge":
        made = EdgeBackend(tmp_path / "index")
    elif request.param == "qdrant-local":
        made = ClientBackend(path=tmp_path / "qdrant")
    elif url is None:
        pytest.skip("no Qdrant server: LTM_TEST_QDRANT_URL is not set")
    else:
        made = ClientBackend(url=url)
    yield made
    made.close()


@pytest.fixture
def admin(backend: Backend) -> IndexAdmin:
    """Return an admin over empty storage."""
    return backend.open()


@pytest.fixture
def index(admin: IndexAdmin) -> VectorIndex:
    """Return an empty generation of four dimensions."""
    return admin.create("g1", dim=DIM, fingerprint=FINGERPRINT)

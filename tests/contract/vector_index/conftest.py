"""One suite over every Qdrant: Edge, the client's local mode, and a server where `LTM_TEST_QDRANT_URL` names one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ltm.ports import IndexAdmin, VectorIndex
from tests.contract.vector_index.backends import Backend, ClientBackend, EdgeBackend
from tests.contract.vector_index.points import DIM, FINGERPRINT

SERVER_URL = os.environ.get("LTM_TEST_QDRANT_URL")


@pytest.fixture(params=["edge", "qdrant-local", *(["qdrant-server"] if SERVER_URL else [])])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """Return empty storage."""
    made: Backend
    if request.param == "edge":
        made = EdgeBackend(tmp_path / "index")
    elif request.param == "qdrant-local":
        made = ClientBackend(path=tmp_path / "qdrant")
    else:
        made = ClientBackend(url=SERVER_URL)
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

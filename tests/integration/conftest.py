"""Empty databases, of a file and of a server, and a stand-in for a server of vectors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ltm.house import House
from tests.support.databases import own_database
from tests.support.stand_in_index import StandInAdmin, StandInIndex


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.service)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'ltm.db'}"
        return
    with own_database() as url:
        yield url


@pytest.fixture
def admin() -> StandInAdmin:
    """Return a server for vectors."""
    return StandInAdmin()


@pytest.fixture
def index(house: House) -> StandInIndex:
    """Return the index of the live generation of the test's own `house`, which is on a stand-in server."""
    found = house.spaces.live().index
    assert isinstance(found, StandInIndex)
    return found

"""Where the writer writes."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from ltm.settings import Settings

USERS = tuple(f"user {number}" for number in range(6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A store: a folder, or a server's database with the index in the folder."""

    folder: Path
    database_url: str | None

    @property
    def settings(self) -> Settings:
        """Return what every process opens the store with."""
        url = None if self.database_url is None else SecretStr(self.database_url)
        return Settings(path=self.folder, database_url=url, embedder="hash", packs=("job_search",))

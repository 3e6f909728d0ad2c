"""A client for a Qdrant server, made only where the server answers and is new enough."""

import re
from urllib.parse import urlsplit

from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from ltm.errors import ConfigurationError, VectorIndexError
from ltm.index.server_words import cause_of

OLDEST = (1, 19)
"""An older server ignores the IDF corpus of a query and would score every owner with everybody's IDF."""


def connect_server(url: str, api_key: str | None, timeout_s: float) -> QdrantClient:
    """Return a client of a server that has answered; the caller closes it.

    Args:
        url: Base URL, `http://host:6333`.
        api_key: None where the server asks for none.
        timeout_s: Of connecting, sending and waiting, each, for this and every later call; the driver rounds it up to
            whole seconds.

    Raises:
        VectorIndexError: The server did not answer in time, or refused; the message names host and port.
        ConfigurationError: The URL is none, or the server is older than 1.19.
    """
    server = _server_name(url)
    try:
        # Without a port in the URL the driver takes 6333, for https too.
        client = QdrantClient(url=url, api_key=api_key, timeout=timeout_s, check_compatibility=False)  # type: ignore[arg-type]
    except ValueError as error:
        raise ConfigurationError(f"not a URL of a Qdrant server: {server}") from error
    try:
        _require_version(client, server)
    except BaseException:
        client.close()
        raise
    return client


def _require_version(client: QdrantClient, server: str) -> None:
    try:
        version = client.info().version
    except (ApiException, QdrantException, ValueError, OSError) as error:
        raise VectorIndexError(f"Qdrant at {server} did not answer: {cause_of(error)}") from error
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise ConfigurationError(f"Qdrant at {server} is version {version}; at least {OLDEST[0]}.{OLDEST[1]} is needed")


def _server_name(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port or 6333
    except ValueError as error:
        raise ConfigurationError(f"the URL of the Qdrant server cannot be read: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError("the URL of the Qdrant server must be like http://host:6333")
    return f"{parts.hostname}:{port}"

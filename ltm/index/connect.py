"""A Qdrant server: its client, and whether it is one that can be used."""

import re
from urllib.parse import urlsplit

from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from ltm.errors import ConfigurationError, VectorIndexError
from ltm.index.server_words import cause_of

OLDEST = (1, 19)
"""An older server ignores the IDF corpus of a query and would score every owner with everybody's IDF."""


_OUTAGES = frozenset({408, 429})


class QdrantServer:
    """A server and a client of it, which whoever made this closes.

    Attributes:
        client: It has asked nothing yet.
    """

    def __init__(self, url: str, api_key: str | None, timeout_s: float) -> None:
        """Make a client; nothing is asked of the server.

        Args:
            url: Base URL, `http://host:6333`.
            api_key: None where the server asks for none.
            timeout_s: Of connecting, sending and waiting, each, for every call; the driver rounds it up to whole
                seconds.

        Raises:
            ConfigurationError: The URL is none.
        """
        self._name = _server_name(url)
        self._is_new_enough = False
        try:
            # Without a port in the URL the driver takes 6333, for https too.
            self.client = QdrantClient(url=url, api_key=api_key, timeout=timeout_s, check_compatibility=False)  # type: ignore[arg-type]
        except ValueError as error:
            raise ConfigurationError(f"not a URL of a Qdrant server: {self._name}") from error

    def check(self) -> None:
        """Let only a server pass that answers and is new enough; once it has passed, nothing is asked any more.

        Raises:
            VectorIndexError: It did not answer in time; the message names host and port. Not retryable where something
                answered that is no Qdrant server, or refused.
            ConfigurationError: It is older than 1.19.
        """
        if self._is_new_enough:
            return
        version = self._version()
        numbers = re.match(r"(\d+)\.(\d+)", version)
        if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
            needed = f"{OLDEST[0]}.{OLDEST[1]}"
            raise ConfigurationError(f"Qdrant at {self._name} is version {version}; at least {needed} is needed")
        self._is_new_enough = True

    def close(self) -> None:
        """Close the client."""
        self.client.close()

    def _version(self) -> str:
        try:
            return self.client.info().version
        except (ApiException, QdrantException, ValueError, OSError) as error:
            own = VectorIndexError(f"Qdrant at {self._name} did not answer: {cause_of(error)}")
            own.retryable = _may_pass(error)
            raise own from error


def _may_pass(error: Exception) -> bool:
    """Tell an outage from an answer that will be the same the next time."""
    if isinstance(error, UnexpectedResponse):
        return error.status_code is None or error.status_code >= 500 or error.status_code in _OUTAGES
    cause = error.source if isinstance(error, ResponseHandlingException) else error
    return not isinstance(cause, ValueError)


def _server_name(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port or 6333
    except ValueError as error:
        raise ConfigurationError(f"the URL of the Qdrant server cannot be read: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError("the URL of the Qdrant server must be like http://host:6333")
    return f"{parts.hostname}:{port}"

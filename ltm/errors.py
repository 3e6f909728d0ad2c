"""The error tree. Drivers' errors never pass a port: an adapter turns them into one of these."""


class LtmError(Exception):
    """Root of every error that `ltm` raises.

    Attributes:
        retryable: True where the same call may succeed later without any change by the caller.
    """

    retryable: bool = False


class InvalidRequestError(LtmError, ValueError):
    """An argument is not acceptable; nothing was written. Correct the argument and call again.

    Attributes:
        problem: What is wrong, without the index.
        index: Position of the offending input in a bulk call, or None.
    """

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message if index is None else f"input {index}: {message}")
        self.problem = message
        self.index = index


class ConfigurationError(LtmError):
    """Settings do not fit together, an extra is not installed, or a store belongs to another version."""


class PackError(ConfigurationError):
    """A pack is malformed. The message names the file and the line or key."""


class MemoryNotFoundError(LtmError, LookupError):
    """No such memory, version or pending candidate for this user."""


class VersionConflictError(LtmError):
    """The head is not the `expected_version` the caller asked for. Read it again and decide."""


class IllegalTransitionError(LtmError):
    """The state machine does not allow this transition. The message lists the states it allows."""


class FingerprintMismatchError(ConfigurationError):
    """The index was built with another embedder. Reindex, or open it with the embedder it was built with."""


class StoreUnavailableError(LtmError):
    """The SQL store did not answer in time."""

    retryable = True


class VectorIndexError(LtmError):
    """The vector index did not answer, or refused the request."""

    retryable = True


class IndexLockedError(VectorIndexError):
    """Another process holds the embedded index. Close it there, or use a Qdrant server."""


class CacheError(LtmError):
    """The cache did not answer. Callers of the cache port treat it as a miss."""

    retryable = True


class ModelError(LtmError):
    """An embedder or a chat model did not answer, or answered with something unusable."""

    retryable = True

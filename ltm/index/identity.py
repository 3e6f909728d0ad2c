"""What a generation was built for: stored beside its points, compared before anything is read from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ltm.errors import FingerprintMismatchError, InvalidRequestError, VectorIndexError

FORMAT = 1
"""Of payload and vectors; another number is another library's index."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Embedder fingerprint and dimension that a generation's vectors have."""

    fingerprint: str
    dim: int

    def to_json(self) -> dict[str, str | int]:
        """Return what is stored."""
        return {"format": FORMAT, "fingerprint": self.fingerprint, "dim": self.dim}


def parse_identity(stored: object, *, where: str) -> Identity:
    """Read what `Identity.to_json` wrote.

    Raises:
        FingerprintMismatchError: It is of another format.
        VectorIndexError: It is none of ours; asking again does not help.
    """
    if isinstance(stored, Mapping):
        found, fingerprint, dim = stored.get("format"), stored.get("fingerprint"), stored.get("dim")
        if isinstance(found, int) and found != FORMAT:
            raise FingerprintMismatchError(f"{where} has format {found}, this library reads {FORMAT}: {_REBUILD}")
        if found == FORMAT and isinstance(fingerprint, str) and isinstance(dim, int):
            return Identity(fingerprint=fingerprint, dim=dim)
    raise damaged(f"{where} does not say which embedder it was built with")


def require_identity(found: Identity, wanted: Identity, *, where: str) -> None:
    """Let only the embedder pass that the generation was built with.

    Raises:
        FingerprintMismatchError: Fingerprint or dimension differ.
    """
    if found.dim != wanted.dim:
        raise FingerprintMismatchError(f"{where} has {found.dim} dimensions, the embedder {wanted.dim}: {_REBUILD}")
    if found.fingerprint != wanted.fingerprint:
        raise FingerprintMismatchError(
            f"{where} was built with embedder {found.fingerprint}, not with {wanted.fingerprint}: {_REBUILD}"
        )


def check_name(name: str) -> str:
    """Accept a generation's name: letters, digits, `_`, `-`, at most 64; it becomes part of a path or a collection."""
    if not _NAME.fullmatch(name):
        raise InvalidRequestError(f"a generation's name has 1 to 64 letters, digits, '_' or '-'; got {name!r}")
    return name


def absent(where: str) -> VectorIndexError:
    """Return the error for a generation that is not there; asking again does not help."""
    error = VectorIndexError(f"there is no {where}: {_REBUILD}")
    error.retryable = False
    return error


def damaged(message: str) -> VectorIndexError:
    """Return the error for an index that no retry can open; it is left as it is for whoever wants to look at it."""
    error = VectorIndexError(f"{message}. Restore it from a backup, or {_REBUILD}")
    error.retryable = False
    return error


_REBUILD = "build a new generation from SQL with `ltm index reindex`"

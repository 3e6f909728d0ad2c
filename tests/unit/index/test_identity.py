"""What a generation was built for."""

import pytest

from ltm.errors import FingerprintMismatchError, VectorIndexError
from ltm.index.identity import Identity, parse_identity, require_identity

IDENTITY = Identity(fingerprint="sha256:one", dim=384)


def test_an_identity_comes_back_as_it_was_stored() -> None:
    """What is written is what is read."""
    assert parse_identity(IDENTITY.to_json(), where="here") == IDENTITY
    require_identity(IDENTITY, IDENTITY, where="here")


@pytest.mark.parametrize("stored", [None, [], "x", {}, {"format": 1}, {"format": 1, "fingerprint": 5, "dim": 4}])
def test_what_is_not_ours_is_an_error_that_no_retry_helps(stored: object) -> None:
    """Nothing is guessed about an index that does not say what it is."""
    with pytest.raises(VectorIndexError, match="here does not say") as caught:
        parse_identity(stored, where="here")
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "other", [Identity(fingerprint="sha256:two", dim=384), Identity(fingerprint="sha256:one", dim=3)]
)
def test_another_embedder_is_told_what_differs(other: Identity) -> None:
    """The message names what the index was built with and what was asked for."""
    with pytest.raises(FingerprintMismatchError, match=r"here .*(sha256:two|3).*ltm index reindex"):
        require_identity(IDENTITY, other, where="here")

from indexing.naming import next_name


def test_numbers_go_up_and_are_never_used_again() -> None:
    """Names in SQL and in the index count, whatever their fingerprint; names of another form do not."""
    assert next_name([], "0123456789abcdef") == "g1-01234567"
    assert (
        next_name(["g1-aaaaaaaa", "g12-bbbbbbbb", "g3-cccccccc", "live", "gx-1"], "0123456789abcdef") == "g13-01234567"
    )

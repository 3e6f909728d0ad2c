"""Names of generations: `g<number>-<first eight digits of the fingerprint>`."""

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"g(\d+)-")


def next_name(taken: Iterable[str], fingerprint: str) -> str:
    """Return a name behind all that are taken, in SQL or in the index."""
    numbers = [int(found.group(1)) for name in taken if (found := _NUMBER.match(name))]
    return f"g{max(numbers, default=0) + 1}-{fingerprint[:8]}"

"""How JSON columns are written: readable, and small."""

import json


def dump(value: object) -> str:
    """Return JSON text without spaces, other scripts as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

"""Counting o200k tokens, offline."""

import sys
import warnings
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

_ENCODING = "o200k_base"
_CACHED_CHARS = 2_000
_PIECE_CHARS = 100_000
"""The tokenizer refuses texts of a million characters; longer ones are counted in pieces, which is a few too many."""


def count_tokens(text: str) -> int:
    """Return how many o200k tokens a text has; what looks like a special token counts as ordinary text."""
    return _count_short(text) if len(text) <= _CACHED_CHARS else _count(text)


def _count(text: str) -> int:
    count = _counter()
    return sum(count(text[start : start + _PIECE_CHARS]) for start in range(0, len(text), _PIECE_CHARS))


_count_short = lru_cache(maxsize=16_384)(_count)


@cache
def _counter() -> Callable[[str], int]:
    """Load the tokenizer, at the first use: whoever only writes never needs it."""
    native = _find_native()
    if native is not None:
        return native
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of importlib.resources, in the package's loader
        from bpe_openai import get_encoding  # type: ignore[import-untyped]

        encode: Callable[[str], list[int]] = get_encoding(_ENCODING).encode_ordinary
    return lambda text: len(encode(text))


def _find_native() -> Callable[[str], int] | None:
    """Return the compiled module's own count; None where the package is laid out differently.

    The package reads three vocabularies into Python dictionaries when it is imported: 2 s and 75 MB, for a count that
    the compiled module alone gives after 0.2 s (bpe-openai 0.1.4). Both are private: that may change.
    """
    try:
        engine = _load_engine()
        if engine is None:
            return None
        count: Callable[[str], int] = engine.tokenizer_for_encoding(_ENCODING).count
    except (ImportError, AttributeError):
        return None
    return count


def _load_engine() -> ModuleType | None:
    """Load the compiled module without the package around it."""
    name = "bpe_openai._bindings"
    if name in sys.modules:
        return sys.modules[name]
    package = find_spec("bpe_openai")
    folder = None if package is None or package.origin is None else Path(package.origin).parent
    for path in sorted(folder.glob("_bindings*")) if folder is not None else ():
        spec = spec_from_file_location(name, path) if path.suffix in (".so", ".pyd") else None
        if spec is not None and spec.loader is not None:
            engine = module_from_spec(spec)
            spec.loader.exec_module(engine)
            return engine
    return None

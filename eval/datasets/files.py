"""JSON lines, plain or gzipped, as rows."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from eval.datasets.fields import Row
from eval.errors import DatasetError

SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson")


def is_lines(path: Path) -> bool:
    """Tell whether the file's name says JSON lines."""
    return path.name.endswith(SUFFIXES)


def stem(path: Path) -> str:
    """Return the name without `.jsonl` or `.jsonl.gz`."""
    return path.name.split(".jsonl")[0].removesuffix(".ndjson").removesuffix(".json")


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the objects of a file of JSON lines; blank lines are passed over.

    Raises:
        DatasetError: The file cannot be read, is no UTF-8 text, or a line is no JSON object.
    """
    for number, line in enumerate(_read_lines(path), start=1):
        if line.strip():
            yield Row(source=f"{path.name}:{number}", fields=_read_object(line, path, number))


def read_json(path: Path) -> object:
    """Return the content of one JSON file.

    Raises:
        DatasetError: It is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DatasetError(str(path), [f"no JSON: {error}"]) from error


def _read_lines(path: Path) -> Iterator[str]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            yield from lines
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DatasetError(str(path), [f"cannot be read: {error}"]) from error


def _read_object(line: str, path: Path, number: int) -> dict[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DatasetError(str(path), [f"line {number} is no JSON: {error}"]) from error
    if not isinstance(found, dict):
        raise DatasetError(str(path), [f"line {number} is no JSON object but {type(found).__name__}"])
    return found

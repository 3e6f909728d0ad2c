"""Column types that mean the same on every backend.

Their processors get no None: `ltm.store.prepared` passes it by, a column at a time, so that C functions will do.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import JSON, Dialect, String, Text
from sqlalchemy.dialects import mysql
from sqlalchemy.types import TypeDecorator, TypeEngine

OPEN_END = datetime(9999, 12, 31, tzinfo=UTC)
"""Stored in valid_to while a version lasts, so that `as_of` is one range on an index."""

Processor = Callable[[Any], Any]
_Member = TypeVar("_Member", bound=StrEnum)


class Id(TypeDecorator[str]):
    """An identifier that compares byte for byte: VARBINARY where collations fold or pad, else TEXT in binary order."""

    impl = Text
    cache_ok = True

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column's type."""
        is_text = dialect.name == "sqlite"
        return dialect.type_descriptor(Text() if is_text else mysql.VARBINARY(self.size))

    def bind_processor(self, dialect: Dialect) -> Processor | None:
        """Encode for a binary column."""
        return None if dialect.name == "sqlite" else str.encode

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor | None:
        """Decode from a binary column."""
        return None if dialect.name == "sqlite" else bytes.decode


class Moment(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC with microseconds.

    SQLite has no such type: it gets text of fixed width, which sorts as time does and is read four times as fast as
    an integer of microseconds.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column's type."""
        is_text = dialect.name == "sqlite"
        return dialect.type_descriptor(Text() if is_text else mysql.DATETIME(fsp=6))

    def bind_processor(self, dialect: Dialect) -> Processor | None:
        """Store in UTC."""
        return _to_text if dialect.name == "sqlite" else _to_naive

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor | None:
        """Give back in UTC."""
        return datetime.fromisoformat if dialect.name == "sqlite" else _from_naive


class Word(TypeDecorator[StrEnum]):
    """A member of a closed vocabulary, stored as its stable word."""

    impl = String
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__(32)
        self.words = words
        self._members = {str(word): word for word in words}

    def bind_processor(self, dialect: Dialect) -> Processor | None:
        """Store the word."""
        return str

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor | None:
        """Give back the member."""
        return self._members.__getitem__


Words = Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")
"""A text of up to 32,768 characters, which may take four bytes each."""


class Document(TypeDecorator[Any]):
    """A JSON document; None is SQL NULL. SQLite would turn a column of type JSON into numbers: it gets text."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column's type."""
        is_text = dialect.name == "sqlite"
        return dialect.type_descriptor(Text() if is_text else mysql.JSON(none_as_null=True))

    def bind_processor(self, dialect: Dialect) -> Processor | None:
        """Write small and readable JSON text."""
        return dump_json

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor | None:
        """Read JSON text."""
        return json.loads


def dump_json(value: object) -> str:
    """Return JSON text without spaces, other scripts as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


Code = String(32)
"""A short word."""


@lru_cache(maxsize=4096)
def _to_text(value: datetime) -> str:
    """Return 32 characters whose order is that of time; cached, for a unit of work writes the same times many times."""
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def _to_naive(value: datetime) -> datetime:
    return value.astimezone(UTC).replace(tzinfo=None)


def _from_naive(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC)

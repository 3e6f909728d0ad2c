"""Statements that are compiled once for a dialect and run on the driver's own cursor.

SQLAlchemy's own execution costs 50 to 100 µs a statement beside SQLite's 5 to 20; a unit of work runs ten of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Dialect, Table, bindparam, insert
from sqlalchemy.sql.dml import Delete, Insert, Update
from sqlalchemy.sql.selectable import Select

from ltm.store.columns import Processor

Statement = Select[Any] | Insert | Update | Delete
_LIST = "each_"


def among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Return `column IN (...)` whose list is given as parameter `each_<name>`; it must not be empty."""
    return column.op("IN", is_comparison=True)(bindparam(_LIST + name, type_=column.type))


def placeholders(table: Table) -> dict[str, ColumnElement[Any]]:
    """Return a bind parameter for every column that the database does not number itself, in the order of the table."""
    columns = [column for column in table.columns if column is not table.autoincrement_column]
    return {column.name: bindparam(f"new_{column.name}", type_=column.type) for column in columns}


def insert_into(table: Table) -> Insert:
    """Return an insert for rows in the order of the table's columns, without the one the database numbers."""
    return insert(table).values(placeholders(table))


class Prepared:
    """A statement in one dialect's words, with what turns our values into the driver's and back.

    Attributes:
        tables: Names of the tables whose columns are selected, for messages.
    """

    def __init__(self, statement: Statement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self._sql = str(compiled)
        self._mark = {"qmark": "?", "format": "%s"}[dialect.paramstyle]
        self.names = tuple(compiled.positiontup or ())
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}
        self.lists = tuple(name for name in self.names if name.startswith(_LIST))
        self._sql_by_sizes: dict[tuple[int, ...], str] = {}
        types = [compiled.binds[name].type if name in compiled.binds else None for name in self.names]
        self._binders = [None if kind is None else kind.dialect_impl(dialect).bind_processor(dialect) for kind in types]
        self._parameters = list(zip(self.names, self._binders, strict=True))
        self._readers = _readers(statement, dialect)
        columns = statement.selected_columns if isinstance(statement, Select) else ()
        self.tables = tuple(sorted({column.table.name for column in columns if isinstance(column, Column)}))

    def bind(self, params: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
        """Return the SQL and the driver's parameters."""
        given = {**self._constants, **params} if self._constants else params
        if not self.lists:
            return self._sql, tuple(_convert(given[name], binder) for name, binder in self._parameters)
        values: list[Any] = []
        sizes: list[int] = []
        for name, binder in self._parameters:
            if name not in self.lists:
                values.append(_convert(given[name], binder))
                continue
            members = _padded(list(given[name]))
            sizes.append(len(members))
            values.extend(members if binder is None else map(binder, members))
        return self._expanded(tuple(sizes)), tuple(values)

    def bind_many(self, rows: Sequence[Sequence[Any]]) -> tuple[str, list[tuple[Any, ...]]]:
        """Return the SQL and the driver's rows; a row holds the parameters, without constants, in order of `names`."""
        if len(rows) == 1 and not self._constants:
            return self._sql, [tuple(map(_convert, rows[0], self._binders))]
        given = zip(*rows, strict=True)
        columns = [
            (self._constants[name],) * len(rows) if name in self._constants else next(given) for name in self.names
        ]
        return self._sql, list(_converted(columns, self._binders))

    def read(self, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        """Turn the driver's rows into ours, a column at a time."""
        if len(rows) == 1:
            return iter([tuple(map(_convert, rows[0], self._readers))])
        return _converted(zip(*rows, strict=True), self._readers)

    def _expanded(self, sizes: tuple[int, ...]) -> str:
        if sizes not in self._sql_by_sizes:
            left = iter(sizes)
            marks = [
                f"({', '.join([self._mark] * next(left))})" if name.startswith(_LIST) else self._mark
                for name in self.names
            ]
            pieces = self._sql.split(self._mark)
            self._sql_by_sizes[sizes] = "".join(
                part for pair in zip(pieces, [*marks, ""], strict=True) for part in pair
            )
        return self._sql_by_sizes[sizes]


def _converted(columns: Iterable[tuple[Any, ...]], by: Sequence[Processor | None]) -> Iterator[tuple[Any, ...]]:
    return zip(*(_column(column, convert) for column, convert in zip(columns, by, strict=False)), strict=True)


def _column(values: tuple[Any, ...], convert: Processor | None) -> Iterable[Any]:
    """Convert a column without a Python call a value where none, or all, of it is None."""
    nones = 0 if convert is None else values.count(None)
    if convert is None or nones == len(values):
        return values
    return map(convert, values) if nones == 0 else [_convert(value, convert) for value in values]


def _convert(value: Any, convert: Processor | None) -> Any:
    return value if convert is None or value is None else convert(value)


def _padded(members: list[Any]) -> list[Any]:
    """Repeat the last member up to a power of two, so that few different statements are prepared."""
    return members + members[-1:] * ((1 << (len(members) - 1).bit_length()) - len(members))


def _readers(statement: Statement, dialect: Dialect) -> list[Processor | None]:
    if not isinstance(statement, Select):
        return []
    return [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in statement.selected_columns]

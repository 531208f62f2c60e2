"""The base of all tables: constraint names and column types."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, validates
from sqlalchemy.types import TypeDecorator

from docduck import clock
from docduck.catalog.json_text import Compressed, decompressed
from docduck.ids import new_id

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[dt.datetime]):
    """An aware moment; stored as UTC on SQLite, which has no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone can't be stored")
        return value.astimezone(dt.UTC)

    def process_result_value(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)


class CompressedJsonType(TypeDecorator[Any]):
    """JSON in a tenth of its space, which no SQL reads; ``kind`` is what is parsed of it."""

    impl = LargeBinary
    cache_ok = True

    def __init__(self, kind: Any = Any) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        return (value if isinstance(value, Compressed) else Compressed.of(value)).data

    def process_result_value(self, value: bytes | str | None, dialect: Dialect) -> Any:
        return None if value is None else decompressed(value, self.kind)


@compiles(CompressedJsonType, "sqlite")
def _declared(*_: Any, **__: Any) -> str:
    """Return the type that the columns had before: SQLite keeps bytes in any, so no table is rewritten."""
    return "JSON"


JsonType = JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")

Id = Annotated[str, mapped_column(Uuid(as_uuid=False), primary_key=True, default=new_id)]
Ref = Annotated[str, mapped_column(Uuid(as_uuid=False))]
TeamRef = Annotated[
    str, mapped_column(Uuid(as_uuid=False), ForeignKey("teams.id", ondelete="CASCADE"), index=True)
]
UnindexedTeamRef = Annotated[
    str, mapped_column(Uuid(as_uuid=False), ForeignKey("teams.id", ondelete="CASCADE"))
]
"""For the largest tables, whose rows are found by other columns."""
Moment = Annotated[dt.datetime, mapped_column(UtcDateTime)]
Created = Annotated[dt.datetime, mapped_column(UtcDateTime, default=clock.now)]
Updated = Annotated[dt.datetime, mapped_column(UtcDateTime, default=clock.now, onupdate=clock.now)]
Short = Annotated[str, mapped_column(String(64))]
Json = Annotated[Any, mapped_column(JsonType)]
CompressedJson = Annotated[Any, mapped_column(CompressedJsonType)]
Bytewise = Text().with_variant(Text(collation="C"), "postgresql")
"""A text sorted by code points in both databases."""


class Base(DeclarativeBase):
    """The catalog's metadata."""

    metadata = MetaData(naming_convention=_NAMES)


def _key_of_new(context: Any) -> str:
    return str(context.get_current_parameters()["name"]).casefold()


class Named:
    """A named row; ``name_key`` is the case-folded name, for sorting."""

    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(Bytewise, default=_key_of_new, server_default="")

    @validates("name")
    def _set_key(self, _attribute: str, name: str) -> str:
        self.name_key = name.casefold()
        return name


def one_of(column: str, values: tuple[str, ...]) -> str:
    """Return the SQL of a check that ``column`` is one of ``values``."""
    quoted = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({quoted})"


def partial_index(where: str, name: str, *columns: Any, unique: bool = False) -> Index:
    """Return an index of the rows that fulfil ``where``."""
    condition = text(where)
    return Index(name, *columns, unique=unique, postgresql_where=condition, sqlite_where=condition)

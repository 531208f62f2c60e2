"""Duplicates in lists: documents whose parser has an earlier one of the same content or key values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select
from sqlalchemy.orm import aliased

from docduck.catalog.models import Document, SearchEntry, SearchValue
from docduck.fields import Field
from docduck.service.conditions import Kind
from docduck.service.conditions.targets import KINDS
from docduck.service.search.encoding import INCOMPARABLE, field_key
from docduck.statuses import HAS_VALUES


def is_copy() -> ColumnElement[bool]:
    """Return the condition that a document's parser has an earlier one with the same content."""
    other = aliased(Document)
    return exists().where(is_earlier_copy(other, Document))


def is_earlier_copy(other: Any, document: Any) -> ColumnElement[bool]:
    """Return the condition that ``other`` is an earlier document of the parser with the same content."""
    return and_(
        other.sha256 == document.sha256,
        other.parser_id == document.parser_id,
        or_(
            other.created_at < document.created_at,
            and_(other.created_at == document.created_at, other.id < document.id),
        ),
    )


def duplicate_keys(fields: Sequence[Field], settings: Mapping[str, Any]) -> list[tuple[str, Kind]]:
    """Return the ids and kinds of the fields whose values make duplicates; none if one can't be compared."""
    kinds = {str(field.id): KINDS[field.type] for field in fields}
    keys = [(field_id, kinds.get(field_id, Kind.TABLE)) for field_id in settings.get("duplicateKeys", ())]
    return [] if any(kind in (Kind.TABLE, Kind.LIST) for _, kind in keys) else keys


def duplicate_numbers(parser_id: str, keys: Sequence[tuple[str, Kind]]) -> Select[int]:
    """Return the numbers of a parser's duplicates."""
    copies = (
        select(SearchEntry.number)
        .join(Document, Document.id == SearchEntry.document_id)
        .where(Document.parser_id == parser_id, is_copy())
    )
    if not keys:
        return copies
    return select(copies.union(_alike(parser_id, keys)).subquery().c.number)


def _alike(parser_id: str, keys: Sequence[tuple[str, Kind]]) -> Select[int]:
    """Return the numbers of documents with values that an earlier one has in all keys."""
    hashes = [field_key(parser_id, ref, kind) for ref, kind in keys]
    values = [
        func.max(case((SearchValue.key == key, SearchValue.value))).label(f"value{at}")
        for at, key in enumerate(hashes)
    ]
    # Grouped rather than joined: SQLite would look up each document of one key among all of the other.
    by_number = (
        select(SearchValue.number, *values)
        .where(SearchValue.key.in_(hashes), SearchValue.value > "", SearchValue.value < INCOMPARABLE)
        .group_by(SearchValue.number)
        .having(func.count() == len(keys))
        .subquery()
    )
    same = [by_number.c[value.name] for value in values]
    earliest = func.min(by_number.c.number).over(partition_by=same).label("earliest")
    numbered = select(by_number.c.number, earliest).subquery()
    return (
        select(numbered.c.number)
        .join(SearchEntry, SearchEntry.number == numbered.c.number)
        .where(numbered.c.number > numbered.c.earliest, SearchEntry.status.in_(HAS_VALUES))
    )

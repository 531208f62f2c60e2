"""Targets of conditions: a field, a column of a table, or a property of the document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from docduck.errors import InputError
from docduck.fields import Field, FieldType

_CUSTOM = "$custom."
_QUOTED = re.compile(r'"((?:[^"]|"")+)"(?:\."((?:[^"]|"")+)")?')
_DEEPEST_PATH = 5


class Kind(StrEnum):
    """How values are compared; ``any`` by the type of each value, as custom data is untyped."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    BOOLEAN = "boolean"
    LIST = "list"
    TABLE = "table"
    ANY = "any"


KINDS = {
    FieldType.TEXT: Kind.TEXT,
    FieldType.CHOICE: Kind.TEXT,
    FieldType.NUMBER: Kind.NUMBER,
    FieldType.CURRENCY: Kind.NUMBER,
    FieldType.DATE: Kind.DATE,
    FieldType.BOOLEAN: Kind.BOOLEAN,
    FieldType.LIST: Kind.LIST,
    FieldType.TABLE: Kind.TABLE,
}


def kind_of(value: Any) -> Kind | None:
    """Return the kind of an untyped value; None of one that can't be compared."""
    if isinstance(value, bool):
        return Kind.BOOLEAN
    if isinstance(value, int | float | Decimal):
        return Kind.NUMBER
    return Kind.TEXT if isinstance(value, str) else None


PROPERTIES = {
    "$name": Kind.TEXT,
    "$status": Kind.TEXT,
    "$source": Kind.TEXT,
    "$contentType": Kind.TEXT,
    "$senderEmail": Kind.TEXT,
    "$externalId": Kind.TEXT,
    "$pageCount": Kind.NUMBER,
    "$createdAt": Kind.MOMENT,
    "$updatedAt": Kind.MOMENT,
    "$folderId": Kind.TEXT,
    "$assigneeId": Kind.TEXT,
    "$reviewStageId": Kind.LIST,
    "$custom": Kind.ANY,
}
"""The document properties that conditions can use; ``$custom`` stands for ``$custom.<path>``."""

ASSIGNMENT_PROPERTIES = frozenset(
    {"$name", "$source", "$contentType", "$senderEmail", "$externalId", "$custom"}
)
FILTER_PROPERTIES = frozenset(PROPERTIES) - {"$senderEmail"}


@dataclass(frozen=True, slots=True)
class ConditionTarget:
    """A field, a column of a table (with ``column_id``) or a property of the document.

    For a property, ``field_id`` is None and ``field_name`` is its name with ``$``.
    """

    kind: Kind
    field_name: str
    field_id: str | None = None
    column_name: str | None = None
    column_id: str | None = None

    @property
    def name(self) -> str:
        """The name in the API: ``Total``, ``Line Items.Amount``, ``$custom.order.region``."""
        return self.field_name if self.column_name is None else f"{self.field_name}.{self.column_name}"

    @property
    def ref(self) -> str:
        """The stored form, by ids, which survive a rename."""
        if self.field_id is None:
            return self.field_name
        return self.field_id if self.column_id is None else f"{self.field_id}.{self.column_id}"

    @property
    def custom_path(self) -> tuple[str, ...]:
        """The keys leading to a value of custom data; empty for other targets."""
        if self.field_id is not None or not self.field_name.startswith(_CUSTOM):
            return ()
        return tuple(self.field_name.removeprefix(_CUSTOM).split("."))


def find_target(
    ref: str, fields: Sequence[Field], properties: Collection[str] = (), path: str = "field"
) -> ConditionTarget:
    """Return the target by id or name, ignoring case; ``Table.Column`` for a column.

    Quoted names are those of fields alone: ``"$status"`` is no property, ``"A.B"`` no column, and
    ``"A"."B"`` no field. A quotation mark in them is doubled. Raise InputError at ``path`` if there is none
    or the property is not in ``properties``.
    """
    name = ref.strip()
    if quoted := _QUOTED.fullmatch(name):
        table, column = (part and part.replace('""', '"').strip().casefold() for part in quoted.groups())
        target = _named(fields, table, column)
        if target is not None:
            return target
    target = _property(name, properties) if name.startswith("$") else None
    target = target or _by(fields, name, by_id=True) or _by(fields, name, by_id=False)
    if target is None:
        raise InputError(
            f"Unknown field: {ref}", path, known=[*_names(fields), *properties], code="unknown_field"
        )
    return target


def _names(fields: Sequence[Field]) -> Iterator[str]:
    for field in fields:
        yield field.name
        yield from (f"{field.name}.{column.name}" for column in field.columns)


def stored_target(ref: str, fields: Sequence[Field]) -> ConditionTarget:
    """Return the target of a stored reference; a deleted one has no value and is named by its reference."""
    try:
        return find_target(ref, fields, PROPERTIES)
    except InputError:
        return ConditionTarget(Kind.TEXT, ref, field_id=ref)


def _property(ref: str, properties: Collection[str]) -> ConditionTarget | None:
    if ref.startswith(_CUSTOM) and "$custom" in properties:
        keys = ref.removeprefix(_CUSTOM).split(".")
        return ConditionTarget(Kind.ANY, ref) if all(keys) and len(keys) <= _DEEPEST_PATH else None
    if ref == "$custom" or ref not in properties:
        return None
    return ConditionTarget(PROPERTIES[ref], ref)


def _named(fields: Sequence[Field], name: str, column_name: str | None) -> ConditionTarget | None:
    """Return the target of folded names: a field, or with a column's name that of a table."""
    for field in fields:
        if field.name.strip().casefold() != name:
            continue
        if column_name is None:
            return ConditionTarget(KINDS[field.type], field.name, str(field.id))
        for column in field.columns:
            if column.name.strip().casefold() == column_name:
                kind = KINDS[column.type]
                return ConditionTarget(kind, field.name, str(field.id), column.name, str(column.id))
    return None


def _by(fields: Sequence[Field], name: str, *, by_id: bool) -> ConditionTarget | None:
    def key(field: Field) -> str:
        return str(field.id) if by_id else field.name.strip().casefold()

    name = name if by_id else name.casefold()
    for field in fields:
        if key(field) == name:
            return ConditionTarget(KINDS[field.type], field.name, str(field.id))
    for table in fields:
        for column in table.columns:
            if name == f"{key(table)}.{key(column)}" or (by_id and name == key(column)):
                kind = KINDS[column.type]
                return ConditionTarget(kind, table.name, str(table.id), column.name, str(column.id))
    return None

"""Changing a parser's fields one by one (contract C10).

Whoever changes them holds the parser's row, so that no change loses another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Parser
from docduck.errors import Conflict, InputError, NotFound
from docduck.fields import Field, FieldType, parse_fields
from docduck.service import outbox, parser_fields
from docduck.service.installation import Installation
from docduck.service.parsers import find, get_parser, view

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_UNNAMED = "Field"


@dataclass(frozen=True, slots=True)
class FieldsChanged:
    """A parser's fields after a change, and whether documents read before would now be read differently."""

    fields: tuple[Field, ...]
    reprocess_recommended: bool


def list_fields(inst: Installation, team_id: str, parser_id: str) -> tuple[Field, ...]:
    """The parser's fields by position; raises NotFound."""
    return get_parser(inst, team_id, parser_id).fields


def add_field(inst: Installation, team_id: str, parser_id: str, given: Mapping[str, Any]) -> FieldsChanged:
    """Add a field, at the end or at ``position``; what is not given has its default, the name, too.

    Raises NotFound, InputError, and Conflict when the name or the id is taken.
    """

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        raw = {
            "name": _free_name(fields),
            **{key: value for key, value in given.items() if key != "position"},
        }
        field = _parsed(raw)
        if field.id is not None:
            _check_id(parser, field.id)
        _refuse_namesake(fields, field)
        at = given.get("position")
        fields.insert(len(fields) if at is None else max(0, min(int(at), len(fields))), field)
        return fields

    return _edit(inst, team_id, parser_id, change)


def update_field(
    inst: Installation, team_id: str, parser_id: str, ref: str, given: Mapping[str, Any]
) -> FieldsChanged:
    """Change a field, named by name or id; for a table, ``columns`` is the whole list that is wished.

    Raises NotFound, InputError, and Conflict when the new name is taken.
    """

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        index = _index(fields, ref)
        old = fields.pop(index)
        raw = {**old.model_dump(mode="json"), **{key: v for key, v in given.items() if key != "position"}}
        if given.get("id") not in (None, old.id):
            raise InputError("The id of a field can't be changed", "id")
        raw["id"] = old.id
        if raw["type"] != FieldType.TABLE and "columns" not in given:
            raw["columns"] = []
        field = _parsed(raw)
        _refuse_namesake(fields, field)
        at = given.get("position")
        fields.insert(index if at is None else max(0, min(int(at), len(fields))), field)
        return fields

    return _edit(inst, team_id, parser_id, change)


def delete_field(inst: Installation, team_id: str, parser_id: str, ref: str) -> FieldsChanged:
    """Remove a field, named by name or id; documents keep its values until they are read again.

    Raises NotFound.
    """

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        del fields[_index(fields, ref)]
        return fields

    return _edit(inst, team_id, parser_id, change)


def reorder_fields(inst: Installation, team_id: str, parser_id: str, refs: Sequence[str]) -> FieldsChanged:
    """Put the fields in this order; raises NotFound, and InputError unless every field is named once."""

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        indexes = [_index(fields, ref) for ref in refs]
        if sorted(indexes) != list(range(len(fields))):
            raise InputError("fieldIds must name every field exactly once", "fieldIds")
        return [fields[index] for index in indexes]

    return _edit(inst, team_id, parser_id, change)


def _edit(
    inst: Installation, team_id: str, parser_id: str, change: Callable[[Parser, list[Field]], list[Field]]
) -> FieldsChanged:
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_id, lock=True)
        before = view(parser)
        if before.problem:
            raise InputError(before.problem)
        wished = change(parser, list(before.fields))
        if parser_fields.replace(session, parser, wished):
            parser.revision += 1
            parser.updated_at = clock.now()
            outbox.mark_schema(session, team_id, parser.id)
        session.flush()
        session.refresh(parser)
        after = view(parser).fields
        differs = _meaning(before.fields) != _meaning(after)
        return FieldsChanged(after, differs and _has_documents(session, parser.id))


def _meaning(fields: Sequence[Field]) -> dict[str, Any]:
    """What reading depends on: all of the fields but their order."""
    return {
        str(one.id): (one.model_copy(update={"position": None, "columns": ()}), _meaning(one.columns))
        for one in fields
    }


def _has_documents(session: Session, parser_id: str) -> bool:
    return session.scalar(select(Document.id).where(Document.parser_id == parser_id).limit(1)) is not None


def _parsed(raw: Mapping[str, Any]) -> Field:
    try:
        (field,) = parse_fields([raw])
    except InputError as error:
        # There is one field only: its place in a list says nothing.
        path = (error.path or "").removeprefix("fields.0").lstrip(".")
        message = error.message.removeprefix("fields.0").lstrip(".: ")
        raise InputError(message, path or None) from error
    return field


def _index(fields: Sequence[Field], ref: str) -> int:
    for index, field in enumerate(fields):
        if field.id == ref:
            return index
    for index, field in enumerate(fields):
        if field.name.casefold() == ref.strip().casefold():
            return index
    raise NotFound("Field not found", "fieldId", ref)


def _refuse_namesake(fields: Sequence[Field], new: Field) -> None:
    if any(one.name.casefold() == new.name.strip().casefold() for one in fields):
        raise Conflict("Field already exists", "name")


def _check_id(parser: Parser, field_id: str) -> None:
    if not _ID.fullmatch(field_id):
        raise InputError("id must have 1 to 64 letters, digits, '_' or '-'", "id")
    if any(row.id == field_id for row in parser.fields):
        raise Conflict("Field already exists", "id")


def _free_name(fields: Sequence[Field]) -> str:
    taken = {field.name.casefold() for field in fields}
    count, name = 1, _UNNAMED
    while name.casefold() in taken:
        count += 1
        name = f"{_UNNAMED} {count}"
    return name

"""Changes of single fields of a parser.

The parser's row is locked, so that concurrent changes are not lost.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, Parser
from docduck.errors import Conflict, InputError, NotFound
from docduck.fields import Field, FieldType, parse_fields
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.parsers import parser_fields
from docduck.service.parsers.parsers import field_changes, find, get_parser, replace_fields, view

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_UNNAMED = "Field"


@dataclass(frozen=True, slots=True)
class FieldsChanged:
    """A parser's fields after a change, and whether existing documents would be read differently now."""

    fields: tuple[Field, ...]
    reprocess_recommended: bool


def add_field(
    inst: Installation, team_id: str, parser_id: str, properties: Mapping[str, Any], actor: str = "user"
) -> FieldsChanged:
    """Add a field at the end or at ``position`` (from 0), with defaults for what is not given.

    Raise NotFound, InputError, and Conflict if the name or id is taken.
    """
    return add_fields(inst, team_id, parser_id, [properties], actor)


def add_fields(
    inst: Installation,
    team_id: str,
    parser_id: str,
    new_fields: Sequence[Mapping[str, Any]],
    actor: str = "user",
) -> FieldsChanged:
    """Add fields as ``add_field`` does, all or none; raise its errors."""

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        for properties in new_fields:
            _add(parser, fields, properties)
        return fields

    return _edit(inst, team_id, parser_id, change, "field.created", actor)


def update_field(
    inst: Installation,
    team_id: str,
    parser_id: str,
    ref: str,
    properties: Mapping[str, Any],
    actor: str = "user",
) -> FieldsChanged:
    """Change a field, given by name or id; a table's ``columns`` are replaced as a whole.

    Columns are identified by id, or else by name. Raise NotFound, InputError, and Conflict if the new name or
    a new column's id is taken.
    """

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        _change(parser, fields, _index(fields, ref), properties)
        return fields

    return _edit(inst, team_id, parser_id, change, "field.updated", actor)


def put_fields(
    inst: Installation,
    team_id: str,
    parser_id: str,
    wanted: Sequence[Mapping[str, Any]],
    *,
    delete_others: bool = False,
    actor: str = "user",
) -> FieldsChanged:
    """Change the fields that have one of these ids or names, and add the others at the end, all or none.

    What isn't given of a field stays. With ``delete_others``, other fields are deleted, and the order is that
    of ``wanted``. Raise NotFound, and InputError listing all errors by item.
    """

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        problems: list[tuple[str, str]] = []
        put: list[Field] = []
        for number, properties in enumerate(wanted):
            try:
                put.append(_put(parser, fields, put, properties))
            except InputError as error:
                place = ".".join(filter(None, (f"fields.{number}", error.path)))
                problems.append((place, error.message))
        if problems:
            raise InputError(f"{problems[0][0]}: {problems[0][1]}", problems[0][0], problems)
        return put if delete_others else fields

    return _edit(inst, team_id, parser_id, change, "fields.put", actor)


def delete_field(
    inst: Installation, team_id: str, parser_id: str, ref: str, actor: str = "user"
) -> FieldsChanged:
    """Delete a field, given by name or id; documents keep its values until processed again.

    Raise NotFound.
    """

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        del fields[_index(fields, ref)]
        return fields

    return _edit(inst, team_id, parser_id, change, "field.deleted", actor)


def reorder_fields(
    inst: Installation, team_id: str, parser_id: str, refs: Sequence[str], actor: str = "user"
) -> FieldsChanged:
    """Set the order of the fields; raise NotFound, and InputError unless every field is given once."""

    def change(parser: Parser, fields: list[Field]) -> list[Field]:
        indexes = [index for index in _places(fields, refs) if index is not None]
        if len(refs) != len(fields) or sorted(indexes) != list(range(len(fields))):
            raise InputError("fieldIds must name every field exactly once", "fieldIds")
        return [fields[index] for index in indexes]

    return _edit(inst, team_id, parser_id, change, "fields.reordered", actor)


def _add(parser: Parser, fields: list[Field], properties: Mapping[str, Any]) -> Field:
    (raw,) = named([{key: value for key, value in properties.items() if key != "position"}], fields)
    field = _parsed(raw)
    _check_ids(parser, field)
    _refuse_namesake(fields, field)
    _insert(fields, field, properties, len(fields))
    return field


def _change(parser: Parser, fields: list[Field], index: int, properties: Mapping[str, Any]) -> Field:
    old, others = fields[index], [*fields[:index], *fields[index + 1 :]]
    raw = {
        **old.model_dump(mode="json"),
        **{key: value for key, value in properties.items() if key != "position"},
    }
    if properties.get("id") not in (None, old.id):
        raise InputError("The id of a field can't be changed", "id")
    raw["id"] = old.id
    if raw["type"] != FieldType.TABLE and "columns" not in properties:
        raw["columns"] = []
    field = _parsed(raw)
    _check_ids(parser, field, old)
    _refuse_namesake(others, field)
    del fields[index]
    _insert(fields, field, properties, index)
    return field


def _insert(fields: list[Field], field: Field, properties: Mapping[str, Any], usual: int) -> None:
    at = properties.get("position")
    fields.insert(usual if at is None else max(0, min(int(at), len(fields))), field)


def _put(
    parser: Parser, fields: list[Field], before: Sequence[Field], properties: Mapping[str, Any]
) -> Field:
    """Change or add one field, which must be none of those that were put ``before``."""
    index, namesake = (
        _places(fields, [str(ref)])[0] if ref else None for ref in map(properties.get, ("id", "name"))
    )
    index = namesake if index is None else index
    if index is not None and any(fields[index] is field for field in before):
        raise InputError(f"'{fields[index].name}' is given twice", "name")
    if index is not None:
        return _change(parser, fields, index, properties)
    if not properties.get("name"):
        raise InputError("A field needs a name, or the id of one that exists", "name")
    return _add(parser, fields, properties)


def _edit(
    inst: Installation,
    team_id: str,
    parser_id: str,
    change: Callable[[Parser, list[Field]], list[Field]],
    action: str,
    actor: str,
) -> FieldsChanged:
    if (earlier := earlier_effect()) is not None:
        return FieldsChanged(get_parser(inst, team_id, parser_id).fields, earlier["reprocessRecommended"])
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_id, lock=True)
        before = view(parser)
        if before.problem:
            raise InputError(before.problem, code="parser_invalid")
        fields = change(parser, list(before.fields))
        parser_fields.refuse_too_many(fields)
        changed = replace_fields(session, parser, before, fields)
        if changed is None:
            return FieldsChanged(before.fields, False)
        after = changed.fields
        differing = _differing(before.fields, after)
        details = {"fields": differing, **field_changes(before.fields, after)}
        audit.record(session, team_id, actor, action, "parser", [(parser.id, details)])
        reprocess_recommended = bool(differing) and _has_documents(session, parser.id)
        record_effect(session, reprocessRecommended=reprocess_recommended)
        return FieldsChanged(after, reprocess_recommended)


def _differing(before: Sequence[Field], after: Sequence[Field]) -> list[str]:
    """Return the ids of fields that were added, deleted or changed in meaning."""
    old, new = _meaning(before), _meaning(after)
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _meaning(fields: Sequence[Field]) -> dict[str, Any]:
    """Return everything about fields that affects extraction: all but their order."""
    return {
        str(field.id): (field.model_copy(update={"position": None, "columns": ()}), _meaning(field.columns))
        for field in fields
    }


def _has_documents(session: Session, parser_id: str) -> bool:
    return session.scalar(select(Document.id).where(Document.parser_id == parser_id).limit(1)) is not None


def _parsed(raw: Mapping[str, Any]) -> Field:
    try:
        (field,) = parse_fields([raw])
    except InputError as error:
        # A single field: its position in a list is meaningless.
        details = [(path.removeprefix("fields.0").lstrip("."), words) for path, words in error.details]
        message = error.message.removeprefix("fields.0").lstrip(".: ")
        raise InputError(message, details[0][0] if details else None, details) from error
    return field


def _index(fields: Sequence[Field], ref: str) -> int:
    (index,) = _places(fields, [ref])
    if index is None:
        raise NotFound("Field not found", "fieldId", ref, known=[field.name for field in fields])
    return index


def _places(fields: Sequence[Field], refs: Sequence[str]) -> list[int | None]:
    """Return the positions of fields given by id or name; None for unknown ones."""
    by_id = {field.id: index for index, field in enumerate(fields)}
    by_name = {field.name.casefold(): index for index, field in enumerate(fields)}
    return [by_id.get(ref, by_name.get(ref.strip().casefold())) for ref in refs]


def _refuse_namesake(fields: Sequence[Field], new: Field) -> None:
    if any(field.name.casefold() == new.name.strip().casefold() for field in fields):
        raise Conflict("Field already exists", "name", code="field_exists")


def _check_ids(parser: Parser, new: Field, old: Field | None = None) -> None:
    """Raise InputError for invalid ids, Conflict for ids that are or were used."""
    own = {column.id for column in (old, *old.columns)} if old else set()
    taken = {row.id for row in parser.fields} - own
    places = [("id", new.id), *((f"columns.{i}.id", column.id) for i, column in enumerate(new.columns))]
    for place, field_id in places:
        if field_id is None:
            continue
        if not _ID.fullmatch(field_id):
            raise InputError(f"{place} must have 1 to 64 letters, digits, '_' or '-'", place)
        if field_id in taken:
            raise Conflict("Field already exists", place, code="field_exists")
        taken.add(field_id)


def named(changes: Sequence[Mapping[str, Any]], present: Sequence[Field] = ()) -> list[dict[str, Any]]:
    """Return the given fields, with a free name (``Field``, ``Field 2`` …) for those without one."""
    taken = {field.name.casefold() for field in present}
    taken |= {str(change["name"]).strip().casefold() for change in changes if "name" in change}
    names = (f"{_UNNAMED} {count}" if count > 1 else _UNNAMED for count in itertools.count(1))
    free = (name for name in names if name.casefold() not in taken)
    return [change if "name" in change else {"name": next(free), **change} for change in map(dict, changes)]

"""Duplication of parsers: their configuration without documents and history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Base, ExportLayout, Folder, Parser, ReviewStage, StoredFile, StoredTable
from docduck.errors import InputError
from docduck.fields import Field
from docduck.ids import new_id
from docduck.service.conditions import Aspect
from docduck.service.core import audit, file_references, warehouse_outbox
from docduck.service.core.installation import Installation
from docduck.service.core.mail_addresses import new_address
from docduck.service.core.property_types import LONGEST_NAME
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.parsers import parser_fields
from docduck.service.parsers.parsers import ParserView, find, get_parser, view, with_inbox
from docduck.service.parsers.slugs import free_slug

_SUFFIX = " (Copy)"
_OWN = ("id", "name_key", "created_at", "updated_at", "deleted_at")
"""What each row has of its own."""

Row = TypeVar("Row", bound=Base)


def duplicate_parser(
    inst: Installation,
    team_id: str,
    ref: str,
    name: str | None = None,
    description: str | None = None,
    actor: str = "user",
) -> ParserView:
    """Copy a parser's description, settings, fields, review stages, folders, post-processing and export
    layouts.

    Documents, keys, webhooks, mail address, upload page and history are not copied. Raise NotFound, and
    InputError if the parser is broken.
    """
    if (earlier := earlier_effect()) is not None:
        return with_inbox(inst, get_parser(inst, team_id, earlier["parser"]))
    with inst.catalog.transaction() as session:
        original = find(session, team_id, ref, lock=True)
        view_ = view(original)
        if view_.problem:
            raise InputError(view_.problem, code="parser_invalid")
        title = name or f"{original.name[: LONGEST_NAME - len(_SUFFIX)]}{_SUFFIX}"
        copy = _copied(
            original,
            slug=free_slug(session, team_id, None, title),
            name=title,
            description=original.description if description is None else description,
            workflow_id=new_id(),
            revision=1,
            email_address=new_address(inst.settings, title),
        )
        session.add(copy)
        session.flush()
        parser_fields.replace(session, copy, [_without_ids(field) for field in view_.fields])
        session.flush()
        ids = _pairs(view_.fields, view(copy).fields)
        copy.settings = _translated_settings(original.settings, ids)
        _copy_folders(session, original, copy, ids)
        for stage in _rows_of(session, original, ReviewStage):
            if stage.deleted_at is None:
                session.add(_copied(stage, parser_id=copy.id, rules=_translated(stage.rules, ids)))
        # In the order in which all code locks files.
        for table in sorted(_rows_of(session, original, StoredTable), key=lambda row: row.sha256):
            size = session.get_one(StoredFile, table.sha256).size
            file_references.acquire(session, {table.sha256: 1}, {table.sha256: size})
            session.add(_copied(table, parser_id=copy.id))
        for layout in _rows_of(session, original, ExportLayout):
            columns = layout.columns and [
                {**column, "ref": _new_ref(column["ref"], ids)} for column in layout.columns
            ]
            table_id = layout.table_id and ids.get(layout.table_id, layout.table_id)
            session.add(_copied(layout, parser_id=copy.id, table_id=table_id, columns=columns))
        copy.post_processing = _translated_steps(original.post_processing, ids)
        warehouse_outbox.enqueue_schema(session, team_id, copy.id)
        details = {"name": title, "from": original.id}
        audit.record(session, team_id, actor, "parser.created", "parser", [(copy.id, details)])
        record_effect(session, parser=copy.id)
        session.flush()
        made = view(copy)
    return with_inbox(inst, made)


def _without_ids(field: Field) -> Field:
    columns = tuple(_without_ids(column) for column in field.columns)
    return field.model_copy(update={"id": None, "columns": columns})


def _pairs(old: Sequence[Field], new: Sequence[Field]) -> dict[str, str]:
    """Return the new ids of fields and columns by their old ids."""
    pairs: dict[str, str] = {}
    for was, now in zip(old, new, strict=True):
        pairs[str(was.id)] = str(now.id)
        pairs |= _pairs(was.columns, now.columns)
    return pairs


def _rows_of(session: Session, parser: Parser, table: type[Row]) -> Sequence[Row]:
    """Return the rows of a table that belong to a parser."""
    return session.scalars(select(table).filter_by(parser_id=parser.id)).all()


def _copied(row: Row, **changes: Any) -> Row:
    """Return a new row with the values of another, but for its id, its times and ``changes``."""
    columns = [column.key for column in inspect(type(row)).column_attrs if column.key not in _OWN]
    return type(row)(**{"id": new_id(), **{key: getattr(row, key) for key in columns}, **changes})


def _copy_folders(session: Session, original: Parser, copy: Parser, ids: Mapping[str, str]) -> None:
    rows = _rows_of(session, original, Folder)
    copies = {row.id: new_id() for row in rows}
    # Parents before children, which refer to them.
    level: list[Folder] = [row for row in rows if row.parent_id is None]
    while level:
        for row in level:
            parent = copies[row.parent_id] if row.parent_id else None
            place = {"parser_id": copy.id, "parent_id": parent, "parent_key": parent or copy.id}
            rules = _translated_assignment(row.auto_assignment, ids)
            session.add(_copied(row, id=copies[row.id], **place, auto_assignment=rules))
        session.flush()
        above = {row.id for row in level}
        level = [row for row in rows if row.parent_id in above]


def _translated_steps(stored: Any, ids: Mapping[str, str]) -> Any:
    """Return stored steps of post-processing with the ids of the copy's fields."""
    if isinstance(stored, list):
        return [_translated_steps(item, ids) for item in stored]
    if not isinstance(stored, dict):
        return stored
    return {
        key: _new_ref(value, ids) if key in ("field", "from") else _translated_steps(value, ids)
        for key, value in stored.items()
    }


def _translated_settings(stored: Mapping[str, Any], ids: Mapping[str, str]) -> Mapping[str, Any]:
    if "duplicateKeys" not in stored:
        return stored
    return {**stored, "duplicateKeys": [ids.get(key, key) for key in stored["duplicateKeys"]]}


def _translated_assignment(stored: Any, ids: Mapping[str, str]) -> Any:
    if not isinstance(stored, dict):
        return stored
    return {**stored, "rules": _translated(stored.get("rules"), ids)}


def _translated(rules: Any, ids: Mapping[str, str]) -> Any:
    """Return stored conditions with the ids of the copy's fields."""
    if not isinstance(rules, list):
        return rules
    return [{**rule, **{key: _new_ref(rule[key], ids) for key in _refs(rule)}} for rule in rules]


def _refs(rule: Mapping[str, Any]) -> list[str]:
    """Return the keys of a stored condition whose values refer to fields."""
    return ["field", "value"] if rule.get("condition") == Aspect.MATCHES_FIELD else ["field"]


def _new_ref(ref: Any, ids: Mapping[str, str]) -> Any:
    """Return the new reference for ``f_1``, or ``f_1.f_2`` for a column; ``$name`` is not changed."""
    text = str(ref)
    return text if text.startswith("$") else ".".join(ids.get(part, part) for part in text.split("."))

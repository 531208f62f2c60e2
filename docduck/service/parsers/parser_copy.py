"""Duplication of parsers: their configuration without documents and history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import ExportLayout, Folder, Parser, ReviewStage, StoredFile, StoredTable
from docduck.errors import InputError
from docduck.fields import Field
from docduck.ids import new_id
from docduck.service.conditions import Aspect
from docduck.service.core import audit, file_references, warehouse_outbox
from docduck.service.core.installation import Installation
from docduck.service.core.mail_addresses import new_address
from docduck.service.parsers import parser_fields
from docduck.service.parsers.parsers import ParserView, find, view
from docduck.service.parsers.slugs import free_slug

LONGEST_NAME = 255
_SUFFIX = " (Copy)"


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
    with inst.catalog.transaction() as session:
        original = find(session, team_id, ref, lock=True)
        shown = view(original)
        if shown.problem:
            raise InputError(shown.problem)
        title = name or f"{original.name[: LONGEST_NAME - len(_SUFFIX)]}{_SUFFIX}"
        copy = Parser(
            id=new_id(),
            team_id=team_id,
            slug=free_slug(session, team_id, None, title),
            name=title,
            description=original.description if description is None else description,
            type=original.type,
            template_key=original.template_key,
            settings=original.settings,
            workflow_id=new_id(),
            is_active=original.is_active,
            revision=1,
            email_address=new_address(inst.settings, title),
        )
        session.add(copy)
        session.flush()
        parser_fields.replace(session, copy, [_without_ids(field) for field in shown.fields])
        session.flush()
        ids = _pairs(shown.fields, view(copy).fields)
        copy.settings = _translated_settings(original.settings, ids)
        _copy_folders(session, original.id, copy.id, ids)
        _copy_stages(session, original.id, copy.id, ids)
        _copy_lookup_tables(session, original.id, copy.id)
        _copy_layouts(session, original.id, copy.id, ids)
        copy.post_processing = _translated_steps(original.post_processing, ids)
        warehouse_outbox.enqueue_schema(session, team_id, copy.id)
        details = {"name": title, "from": original.id}
        audit.record(session, team_id, actor, "parser.created", "parser", [(copy.id, details)])
        session.flush()
        made = view(copy)
    (inst.settings.inbox / made.slug).mkdir(parents=True, exist_ok=True)
    return made


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


def _copy_folders(session: Session, old_id: str, new_id_: str, ids: Mapping[str, str]) -> None:
    rows = session.scalars(select(Folder).where(Folder.parser_id == old_id)).all()
    copies = {row.id: new_id() for row in rows}
    # Parents before children, which refer to them.
    level: list[Folder] = [row for row in rows if row.parent_id is None]
    while level:
        for row in level:
            parent = copies[row.parent_id] if row.parent_id else None
            session.add(
                Folder(
                    id=copies[row.id],
                    team_id=row.team_id,
                    parser_id=new_id_,
                    parent_id=parent,
                    parent_key=parent or new_id_,
                    name=row.name,
                    slug=row.slug,
                    color=row.color,
                    has_auto_assign=row.has_auto_assign,
                    auto_assignment=_translated_assignment(row.auto_assignment, ids),
                )
            )
        session.flush()
        above = {row.id for row in level}
        level = [row for row in rows if row.parent_id in above]


def _copy_stages(session: Session, old_id: str, new_id_: str, ids: Mapping[str, str]) -> None:
    rows = session.scalars(
        select(ReviewStage).where(ReviewStage.parser_id == old_id, ReviewStage.deleted_at.is_(None))
    )
    for row in rows.all():
        session.add(
            ReviewStage(
                team_id=row.team_id,
                parser_id=new_id_,
                name=row.name,
                reviewer_instructions=row.reviewer_instructions,
                position=row.position,
                review_type=row.review_type,
                on_failed_checks=row.on_failed_checks,
                reviewer_id=row.reviewer_id,
                rules=_translated(row.rules, ids),
            )
        )


def _copy_lookup_tables(session: Session, old_id: str, new_id_: str) -> None:
    rows = session.execute(
        select(StoredTable, StoredFile.size)
        .join(StoredFile, StoredFile.sha256 == StoredTable.sha256)
        .where(StoredTable.parser_id == old_id)
    ).all()
    file_references.acquire(
        session,
        Counter(row.sha256 for row, _ in rows),
        {row.sha256: size for row, size in rows},
    )
    for row, _ in rows:
        session.add(
            StoredTable(
                team_id=row.team_id,
                parser_id=new_id_,
                name=row.name,
                sha256=row.sha256,
                columns=row.columns,
                rows=row.rows,
            )
        )


def _copy_layouts(session: Session, old_id: str, new_id_: str, ids: Mapping[str, str]) -> None:
    for row in session.scalars(select(ExportLayout).where(ExportLayout.parser_id == old_id)).all():
        columns = row.columns and [{**column, "ref": _new_ref(column["ref"], ids)} for column in row.columns]
        session.add(
            ExportLayout(
                team_id=row.team_id,
                parser_id=new_id_,
                name=row.name,
                format=row.format,
                scope=row.scope,
                table_id=row.table_id and ids.get(row.table_id, row.table_id),
                columns=columns,
            )
        )


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

"""Folders that documents go to by themselves (contract A9): the rules, and who is put where."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Folder
from docduck.errors import InputError
from docduck.extraction.result import Extraction
from docduck.extraction.values.dates import DateOrder
from docduck.fields import Field
from docduck.service.conditions import (
    ASSIGNMENT_PROPERTIES,
    Condition,
    DocumentFacts,
    Scope,
    all_hold,
    any_holds,
    document_properties,
    parse_condition,
    restore_condition,
)
from docduck.service.conditions.parsing import parse_each, require_object
from docduck.service.duplicates import duplicates_of
from docduck.service.folder_tree import FolderTree, load_tree
from docduck.service.parser_settings import date_order_of
from docduck.service.parsers import ParserView
from docduck.service.queue import Claim
from docduck.service.states import Move, Status, note_filing

_log = logging.getLogger(__name__)

MOST_RULES = 20
LONGEST_INSTRUCTIONS = 4000
_KEYS = ("match", "rules", "instructions")
_ACTOR = "auto-assignment"


@dataclass(frozen=True, slots=True)
class AutoAssignment:
    """When a document goes to a folder: if ``all`` or ``any`` of the rules hold.

    ``instructions`` are for a language model to choose by; without rules, and without a model that
    chooses, nothing is put into the folder.
    """

    match: Literal["all", "any"] = "all"
    rules: tuple[Condition, ...] = ()
    instructions: str | None = None

    def takes(self, facts: DocumentFacts) -> bool:
        """Whether the rules say that the document belongs here."""
        if not self.rules:
            return False
        return all_hold(self.rules, facts) if self.match == "all" else any_holds(self.rules, facts)

    def as_json(self, *, by_id: bool) -> dict[str, Any]:
        """The object of contract A9, with fields by id as it is stored, or by name as it is shown."""
        return {
            "match": self.match,
            "rules": [rule.as_json(by_id=by_id) for rule in self.rules],
            "instructions": self.instructions,
        }


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document that was just read."""

    claim: Claim
    parser: ParserView
    extraction: Extraction


def parse_auto_assignment(raw: Any, fields: Sequence[Field], path: str = "autoAssignment") -> AutoAssignment:
    """The object of a request; raises InputError that names every place where it is wrong."""
    given = require_object(raw, path, _KEYS)
    match = given.get("match", "all")
    if match not in ("all", "any"):
        raise InputError(f"match must be 'all' or 'any', not: {match}", f"{path}.match")
    scope = Scope(fields, ASSIGNMENT_PROPERTIES)
    rules = parse_each(
        given.get("rules", []),
        lambda item, at: parse_condition(item, scope, at),
        f"{path}.rules",
        MOST_RULES,
        "rules",
    )
    instructions = given.get("instructions")
    if instructions is not None:
        if not isinstance(instructions, str) or len(instructions) > LONGEST_INSTRUCTIONS:
            raise InputError(
                f"instructions must be null or text of at most {LONGEST_INSTRUCTIONS} characters",
                f"{path}.instructions",
            )
        instructions = instructions.strip() or None
    if not rules and instructions is None:
        raise InputError(f"{path} needs rules or instructions", path)
    return AutoAssignment(match, rules, instructions)


def restore_auto_assignment(stored: Mapping[str, Any], fields: Sequence[Field]) -> AutoAssignment:
    """What ``AutoAssignment.as_json(by_id=True)`` stored."""
    rules = tuple(restore_condition(rule, fields) for rule in stored["rules"])
    return AutoAssignment(stored["match"], rules, stored["instructions"])


def assign_folders(session: Session, extracted: Sequence[Extracted]) -> None:
    """Put documents that were just read, and are in no folder, into the first that takes them.

    Folders are asked depth-first. It costs one read where no parser has a folder with rules.
    """
    parsers = {one.parser.id: one.parser for one in extracted}
    if not parsers:
        return
    with_rules = set(
        session.scalars(
            select(Folder.parser_id).where(Folder.parser_id.in_(parsers), Folder.has_auto_assign).distinct()
        )
    )
    for parser_id in sorted(with_rules):
        parser = parsers[parser_id]
        tree = load_tree(session, parser_id)
        if candidates := _candidates(tree, parser):
            mine = [one for one in extracted if one.parser.id == parser_id]
            _assign(session, tree, candidates, mine, date_order_of(parser.settings))


def _candidates(tree: FolderTree, parser: ParserView) -> list[tuple[str, AutoAssignment]]:
    found = []
    for folder in tree.folders:
        if not folder.has_auto_assign or not folder.auto_assignment:
            continue
        try:
            found.append((folder.id, restore_auto_assignment(folder.auto_assignment, parser.fields)))
        except (KeyError, TypeError, ValueError):
            # Reading documents goes on, whatever stands in one folder.
            _log.exception("the automatic assignment of folder %s can't be used", folder.id)
    return found


def _assign(
    session: Session,
    tree: FolderTree,
    candidates: Sequence[tuple[str, AutoAssignment]],
    extracted: Sequence[Extracted],
    date_order: DateOrder,
) -> None:
    by_id = {one.claim.document_id: one for one in extracted}
    documents = session.scalars(
        select(Document)
        .where(Document.id.in_(by_id), Document.folder_id.is_(None))
        .execution_options(populate_existing=True)
    )
    chosen: dict[str, str] = {}
    rows: dict[str, Document] = {}
    for document in documents:
        facts = _facts(session, document, by_id[document.id], date_order)
        folder_id = next((folder_id for folder_id, rules in candidates if rules.takes(facts)), None)
        if folder_id is not None:
            chosen[document.id], rows[document.id] = folder_id, document
    if not chosen:
        return
    # Held until the end, so that none is deleted before its documents are in it. One that is being
    # deleted is passed over: whoever waited for it here, holding documents, could wait for ever.
    there = set(
        session.scalars(
            select(Folder.id)
            .where(Folder.id.in_(sorted(set(chosen.values()))))
            .order_by(Folder.id)
            .with_for_update(read=True, key_share=True, skip_locked=True)
        )
    )
    chosen = {document_id: folder_id for document_id, folder_id in chosen.items() if folder_id in there}
    _file(session, tree, chosen, rows)


def _file(
    session: Session, tree: FolderTree, chosen: Mapping[str, str], rows: Mapping[str, Document]
) -> None:
    if not chosen:
        return
    table = Document.__table__
    session.connection().execute(
        update(Document)
        .where(table.c.id == bindparam("document"))
        .values(folder_id=bindparam("folder"), updated_at=clock.now())
        .execution_options(synchronize_session=False),
        [{"document": document_id, "folder": folder_id} for document_id, folder_id in chosen.items()],
    )
    by_status: dict[Status, list[Move]] = {}
    for document_id, folder_id in chosen.items():
        row = rows[document_id]
        status = Status(row.status)
        reason = f"into {tree.label(folder_id)}"
        step = Move(row.id, row.team_id, row.parser_id, status, row.attempt, reason=reason)
        by_status.setdefault(status, []).append(step)
        session.expire(row)
    for status, steps in by_status.items():
        note_filing(session, status, steps, _ACTOR)


def _facts(session: Session, document: Document, one: Extracted, date_order: DateOrder) -> DocumentFacts:
    return DocumentFacts(
        one.extraction.data,
        one.extraction.field_metadata,
        document_properties(document),
        document.custom if isinstance(document.custom, Mapping) else None,
        duplicates_of(session, one.parser.id, document.id),
        date_order,
    )

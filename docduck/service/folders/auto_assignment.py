"""Rules that file documents in folders."""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import bindparam, case, func, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Folder
from docduck.errors import InputError
from docduck.extraction.result import Extraction
from docduck.fields import Field
from docduck.service.conditions import (
    ASSIGNMENT_PROPERTIES,
    Condition,
    DocumentFacts,
    Effort,
    OutOfTime,
    Scope,
    all_hold,
    any_holds,
    document_properties,
    parse_condition,
    restore_condition,
)
from docduck.service.conditions.parsing import parse_each, require_object
from docduck.service.conditions.work_limits import RULE_SECONDS
from docduck.service.core.folder_tree import FolderTree, load_tree
from docduck.service.documents.claim import Claim
from docduck.service.documents.document_names import name_of
from docduck.service.documents.queries.duplicates import DuplicateLookup, is_any_duplicate
from docduck.service.documents.status_transitions import Remark, Transition, record
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import ParserView
from docduck.service.schemas.folders import LONGEST_INSTRUCTIONS, MOST_RULES
from docduck.service.search.entries import Entries
from docduck.service.search.index import Properties, properties_of
from docduck.statuses import Status

_log = logging.getLogger(__name__)

_KEYS = ("match", "rules", "instructions")
_ACTOR = "auto-assignment"


@dataclass(frozen=True, slots=True)
class AutoAssignment:
    """A folder's rules: a document is filed there if ``all`` or ``any`` of them hold.

    With ``instructions`` and no rules, it is filed there if it was classified so (``described_folders``).
    """

    match: Literal["all", "any"] = "all"
    rules: tuple[Condition, ...] = ()
    instructions: str | None = None

    def takes(self, facts: DocumentFacts, effort: Effort) -> bool:
        """Return whether the rules hold; raise OutOfTime."""
        if not self.rules:
            return False
        hold = all_hold if self.match == "all" else any_holds
        return hold(self.rules, facts, effort)

    def as_json(self, *, by_id: bool) -> dict[str, Any]:
        """Return the API's object, with fields by id (to store) or by name (to show)."""
        return {
            "match": self.match,
            "rules": [rule.as_json(by_id=by_id) for rule in self.rules],
            "instructions": self.instructions,
        }


@dataclass(frozen=True, slots=True)
class Extracted:
    """An extracted document; ``entries`` are the future index entries of its values.

    ``described_folder`` is the id of the folder that it was classified for by the folders' instructions.
    """

    claim: Claim
    parser: ParserView
    extraction: Extraction
    entries: Entries
    described_folder: str | None = None


def parse_auto_assignment(raw: Any, fields: Sequence[Field], path: str = "autoAssignment") -> AutoAssignment:
    """Parse the API's object; raise InputError listing all errors."""
    assignment = require_object(raw, path, _KEYS)
    match = assignment.get("match", "all")
    if match not in ("all", "any"):
        raise InputError(f"match must be 'all' or 'any', not: {match}", f"{path}.match")
    scope = Scope(fields, ASSIGNMENT_PROPERTIES)
    rules = parse_each(
        assignment.get("rules", []),
        lambda item, at: parse_condition(item, scope, at),
        f"{path}.rules",
        MOST_RULES,
        "rules",
    )
    instructions = assignment.get("instructions")
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
    """Restore what ``AutoAssignment.as_json(by_id=True)`` returned."""
    rules = tuple(restore_condition(rule, fields) for rule in stored["rules"])
    return AutoAssignment(stored["match"], rules, stored["instructions"])


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of evaluating a document's folder rules.

    ``folder_id`` is None if no folder matches or the rules ``ran_out`` of time. ``missed`` are values that no
    other document had; ``seconds`` is the time it took.
    """

    claim: Claim
    properties: Properties
    rules: RulesVersion
    folder_id: str | None = None
    label: str = ""
    missed: Collection[tuple[int, frozenset[str]]] = ()
    ran_out: bool = False
    seconds: float = 0.0


RulesVersion = tuple[int, dt.datetime | None]
"""The number of a parser's folders and the last change among them."""


def choose_folders(session: Session, extracted: Sequence[Extracted]) -> tuple[dict[str, Choice], set[str]]:
    """Evaluate folder rules for extracted documents; return the choices and the documents to evaluate later.

    Folders are tried depth-first; if no rules hold, the described folder is chosen. Documents of parsers
    without such folders, and those already in a folder, have no choice. The rules of a document may take
    ``RULE_SECONDS``; after that time, the parser's other documents are evaluated later.
    """
    parsers = {extraction.parser.id: extraction.parser for extraction in extracted}
    chosen: dict[str, Choice] = {}
    later: set[str] = set()
    for parser_id, mark in sorted(rules_versions(session, parsers).items()):
        parser = parsers[parser_id]
        tree = load_tree(session, parser_id)
        if candidates := _candidates(tree, parser):
            mine = [extraction for extraction in extracted if extraction.parser.id == parser_id]
            later |= _choose(session, tree, mark, candidates, mine, chosen)
    return chosen, later


def rules_versions(session: Session, parser_ids: Collection[str]) -> dict[str, RulesVersion]:
    """Return the marks of parsers that have folders with rules."""
    if not parser_ids:
        return {}
    rows = session.execute(
        select(Folder.parser_id, func.count(), func.max(Folder.updated_at))
        .where(Folder.parser_id.in_(parser_ids))
        .group_by(Folder.parser_id)
        .having(func.sum(case((Folder.has_auto_assign, 1), else_=0)) > 0)
    )
    return {parser_id: (count, newest) for parser_id, count, newest in rows}


def changed_choices(session: Session, chosen: Collection[Choice]) -> set[str]:
    """Return the documents whose rules, or the data for them, have changed since.

    The caller has locked the documents.
    """
    if not chosen:
        return set()
    marks = rules_versions(session, {choice.claim.target_id for choice in chosen})
    columns = (Document.id, Document.parser_id, Document.name, Document.external_id, Document.custom)
    statement = select(*columns).where(
        Document.id.in_([choice.claim.document_id for choice in chosen]), Document.folder_id.is_(None)
    )
    now = {
        row.id: Properties(row.parser_id, row.name, row.external_id, row.custom)
        for row in session.execute(statement)
    }
    return {
        document_id
        for choice in chosen
        if (document_id := choice.claim.document_id) in now
        and (
            now[document_id] != choice.properties
            or marks.get(choice.claim.target_id) != choice.rules
            or is_any_duplicate(session, document_id, choice.missed)
        )
    }


def _candidates(tree: FolderTree, parser: ParserView) -> list[tuple[str, AutoAssignment]]:
    candidates = []
    for folder in tree.folders:
        if not folder.has_auto_assign or not folder.auto_assignment:
            continue
        try:
            candidates.append((folder.id, restore_auto_assignment(folder.auto_assignment, parser.fields)))
        except (KeyError, TypeError, ValueError):
            # A broken folder doesn't stop the processing of documents.
            _log.exception("the automatic assignment of folder %s can't be used", folder.id)
    return candidates


def _choose(
    session: Session,
    tree: FolderTree,
    mark: RulesVersion,
    candidates: Sequence[tuple[str, AutoAssignment]],
    extracted: Sequence[Extracted],
    chosen: dict[str, Choice],
) -> set[str]:
    """Add the choices for one parser's documents to ``chosen``; return the documents to evaluate later."""
    by_id = {extraction.claim.document_id: extraction for extraction in extracted}
    documents = session.scalars(select(Document).where(Document.id.in_(by_id), Document.folder_id.is_(None)))
    others = {extraction.claim.document_id: extraction.entries for extraction in extracted}
    described = {folder for folder, rules in candidates if not rules.rules}
    later: set[str] = set()
    end = time.monotonic() + RULE_SECONDS
    for turn, document in enumerate(documents):
        extraction = by_id[document.id]
        if turn and time.monotonic() > end:
            later.add(document.id)
            continue
        lookup = DuplicateLookup(session, extraction.parser.id, document.id, others)
        facts = _facts(document, extraction, lookup)
        effort = Effort(RULE_SECONDS)
        choice = Choice(extraction.claim, properties_of(document), mark)
        begin = time.monotonic()
        try:
            folder_id = next((folder for folder, rules in candidates if rules.takes(facts, effort)), None)
        except OutOfTime:
            _log.warning(
                "the rules of the folders of parser %s took too long for document %s",
                extraction.parser.id,
                document.id,
            )
            chosen[document.id] = replace(choice, ran_out=True, seconds=time.monotonic() - begin)
            continue
        if folder_id is None and extraction.described_folder in described:
            folder_id = extraction.described_folder
        label = tree.label(folder_id) if folder_id else ""
        chosen[document.id] = replace(
            choice,
            folder_id=folder_id,
            label=label,
            missed=lookup.missed,
            seconds=time.monotonic() - begin,
        )
    return later


def file_documents(session: Session, choices: Collection[Choice]) -> None:
    """File documents that have just been processed in the chosen folders."""
    chosen = {choice.claim.document_id: choice for choice in choices if choice.folder_id is not None}
    if not chosen:
        return
    # Locked, so that none is deleted before its documents are in it. A locked folder is being deleted and is
    # skipped, as waiting for it while holding documents could deadlock.
    there = set(
        session.scalars(
            select(Folder.id)
            .where(Folder.id.in_(sorted({str(choice.folder_id) for choice in chosen.values()})))
            .order_by(Folder.id)
            .with_for_update(read=True, key_share=True, skip_locked=True)
        )
    )
    statement = select(Document.id, Document.status).where(
        Document.id.in_(chosen), Document.folder_id.is_(None)
    )
    filed = [
        (chosen[document_id], Status(status))
        for document_id, status in session.execute(statement)
        if chosen[document_id].folder_id in there
    ]
    if not filed:
        return
    table = Document.__table__
    session.connection().execute(
        update(Document)
        .where(table.c.id == bindparam("document"))
        .values(folder_id=bindparam("folder"), updated_at=clock.now())
        .execution_options(synchronize_session=False),
        [{"document": choice.claim.document_id, "folder": choice.folder_id} for choice, _ in filed],
    )
    steps = [
        Transition(
            choice.claim.document_id,
            choice.claim.team_id,
            choice.claim.parser_id,
            status,
            choice.claim.attempt,
            reason=f"into {choice.label}",
        )
        for choice, status in filed
    ]
    record(session, Remark.FILED, steps, _ACTOR)


def _facts(document: Document, extracted: Extracted, duplicates: DuplicateLookup) -> DocumentFacts:
    """Return the data for the rules; the document has the name that it will get."""
    name = name_of(document, extracted.parser, extracted.extraction.data)
    return DocumentFacts(
        extracted.extraction.data,
        extracted.extraction.field_metadata,
        {**document_properties(document), "$name": name, "$contentType": extracted.extraction.content_type},
        document.custom if isinstance(document.custom, Mapping) else None,
        duplicates,
        date_order_of(extracted.parser.settings),
    )

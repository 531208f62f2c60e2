"""Corrections: a person sets values of a document, and the parser learns their places (contracts C9, K18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, Parser
from docduck.errors import Conflict, NotFound
from docduck.fields import Field, FieldType
from docduck.service import audit, values
from docduck.service.document_changes import is_member
from docduck.service.document_lookup import find_document, wanted
from docduck.service.document_names import Valued, name_documents
from docduck.service.document_views import DocumentView, get_document, show_document
from docduck.service.given_values import check_values, no_value
from docduck.service.installation import Installation
from docduck.service.owed_lessons import owe, settle
from docduck.service.parsers import view
from docduck.service.search import index
from docduck.service.states import HAS_VALUES, Move, Status, note_correction

_BUSY = (Status.UPLOADING, Status.QUEUED, Status.PROCESSING)


def correct(
    inst: Installation, team_id: str, document_id: str, changes: Mapping[str, Any], actor: str = "user"
) -> DocumentView:
    """Set values of a document, by field name or id; None clears one, a table is replaced whole.

    The document's look is learned in the same go, so that the next one like it is read right. Raises
    NotFound, InputError that lists all unknown fields and values of the wrong type, and Conflict while
    the document is being processed or once it is approved.
    """
    with inst.catalog.transaction() as session:
        _change(session, find_document(session, team_id, document_id, lock=True), changes, actor)
    settle(inst, document_id=document_id)
    return get_document(inst, team_id, document_id)


def set_values(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    data: Mapping[str, Any],
    *,
    replace: bool = False,
    reviewer_id: str | None = None,
    actor: str = "user",
) -> DocumentView:
    """The same for a document of one parser, without waiting until it is learned: ``settle`` does that.

    With ``replace``, fields that ``data`` does not name are cleared. ``reviewer_id`` is the member of the
    team in whose name it is done. Raises what ``correct`` raises.
    """
    with inst.catalog.transaction() as session:
        document = wanted(session, team_id, parser_id, document_id, lock=True)
        if reviewer_id is not None and not is_member(session, team_id, reviewer_id):
            raise NotFound("Reviewer not found", "reviewerId", reviewer_id)
        _change(session, document, data, reviewer_id or actor, replace=replace)
    return show_document(inst, team_id, parser_id, document_id)


def _change(
    session: Session,
    document: Document,
    given: Mapping[str, Any],
    actor: str,
    *,
    replace: bool = False,
) -> None:
    status = Status(document.status)
    if status in _BUSY:
        raise Conflict("Document is already being processed; change its values when that is done")
    if status is Status.APPROVED:
        raise Conflict("Document is approved; reset its review first")
    row = session.get(Parser, document.parser_id)
    if row is None:
        raise Conflict("Document has no parser any more; its values can't be changed")
    parser = view(row)
    result = session.get(DocumentResult, document.id)
    if result is None or status not in HAS_VALUES:
        raise Conflict("Document has no values; process it first")
    changes = check_values(parser.fields, given)
    if replace:
        changes = {field.name: no_value(field) for field in parser.fields} | changes
    if not changes:
        return
    owe(session, document)
    index.remove_values(session, [document.id])
    _write(result, parser.fields, changes, actor, replace=replace)
    index.add_values(session, parser.fields, {document.id: result.values})
    document.updated_at = clock.now()
    name_documents(session, [Valued(document.id, parser, values.named(parser.fields, result.values))])
    details = {"fields": sorted(changes), "replaced": replace}
    audit.note(session, document.team_id, actor, "document.corrected", "document", [(document.id, details)])
    note_correction(
        session, Move(document.id, document.team_id, document.parser_id, status, document.attempt), actor
    )


def _write(
    result: DocumentResult, fields: Sequence[Field], changes: Mapping[str, Any], actor: str, *, replace: bool
) -> None:
    mark = {
        "confidence": 1.0,
        "source": "user",
        "edited": True,
        "editedBy": actor,
        "editedAt": clock.iso(clock.now()),
    }
    tables = {field.name for field in fields if field.type is FieldType.TABLE}
    marks = {name: _evidence(value, mark, name in tables) for name, value in changes.items()}
    data, evidence = values.identified(fields, changes, marks)
    if result.read_values is None:
        result.read_values = result.values
    result.values = data if replace else {**result.values, **data}
    result.evidence = evidence if replace else {**result.evidence, **evidence}
    result.edited = True


def _evidence(value: Any, mark: Mapping[str, Any], is_table: bool) -> Any:
    """Return the evidence of a value that a person gave or cleared."""
    if is_table:
        return [{column: _evidence(cell, mark, False) for column, cell in row.items()} for row in value]
    return {"page": None, "locations": [], "rawText": None, **mark}

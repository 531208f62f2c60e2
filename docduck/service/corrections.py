"""Corrections: a person sets values of a document, and the parser learns where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, Parser
from docduck.errors import Conflict, InputError
from docduck.fields import Field, FieldType
from docduck.service import values
from docduck.service.document_lookup import find_document
from docduck.service.document_views import DocumentView, get_document
from docduck.service.installation import Installation
from docduck.service.learning import learn
from docduck.service.parsers import view
from docduck.service.states import Move, Status, note_correction

_BUSY = {Status.UPLOADING, Status.QUEUED, Status.PROCESSING}
_JSON_TYPES: dict[FieldType, tuple[type, ...]] = {
    FieldType.TEXT: (str,),
    FieldType.DATE: (str,),
    FieldType.CHOICE: (str,),
    FieldType.NUMBER: (int, float),
    FieldType.CURRENCY: (int, float),
    FieldType.BOOLEAN: (bool,),
    FieldType.LIST: (list,),
    FieldType.TABLE: (list,),
}


def correct(
    inst: Installation, team_id: str, document_id: str, changes: Mapping[str, Any], actor: str = "user"
) -> DocumentView:
    """Set values of a document, by field name or id; None clears one, a table is replaced whole.

    The document's look is learned in the same go, so that the next one like it is read right. Raises
    NotFound, InputError for an unknown field or a value of the wrong type, and Conflict while the
    document is being processed or once it is approved.
    """
    with inst.catalog.transaction() as session:
        document = find_document(session, team_id, document_id, lock=True)
        _refuse_unfit(document)
        row = session.get(Parser, document.parser_id)
        if row is None:
            raise Conflict("Document has no parser any more; its values can't be changed")
        parser = view(row)
        fields = parser.fields
        result = session.get(DocumentResult, document.id)
        if result is None:
            raise Conflict("Document has no values yet; process it first")
        known = {key: field for field in fields for key in (field.name, str(field.id))}
        before, _ = values.named(fields, result.values, result.evidence)
        for key, value in changes.items():
            if key not in known:
                raise InputError(f"There is no field '{key}'", f"data.{key}")
            _check(known[key], value, f"data.{key}")
        named = {known[key].name: value for key, value in changes.items()}
        _write(session, document, result, fields, named, actor)
        sha256, name = document.sha256, document.name
    after = get_document(inst, team_id, document_id)
    learn(inst, parser, document_id, sha256, name, after.data, before)
    return after


def _refuse_unfit(document: Document) -> None:
    if document.status in _BUSY:
        raise Conflict("Document is being processed; wait until it is done")
    if document.status == Status.APPROVED:
        raise Conflict("Document is approved; reset its review first")


def _write(
    session: Session,
    document: Document,
    result: DocumentResult,
    fields: Sequence[Field],
    changes: Mapping[str, Any],
    actor: str,
) -> None:
    mark = {
        "confidence": 1.0,
        "source": "user",
        "edited": True,
        "editedBy": actor,
        "editedAt": clock.now().isoformat(),
    }
    data, evidence = values.identified(
        fields, changes, {name: _evidence(value, mark) for name, value in changes.items()}
    )
    result.values = {**result.values, **data}
    result.evidence = {key: entry for key, entry in {**result.evidence, **evidence}.items() if entry}
    result.edited = True
    step = Move(document.id, document.team_id, document.parser_id, Status(document.status), document.attempt)
    note_correction(session, step, actor)


def _evidence(value: Any, mark: Mapping[str, Any]) -> Any:
    """The evidence of a value that a person gave; nothing for no value."""
    if value is None or value == []:
        return None
    if isinstance(value, list) and isinstance(value[0], dict):
        return [{column: _entry(mark) for column in row} for row in value]
    return _entry(mark)


def _entry(mark: Mapping[str, Any]) -> dict[str, Any]:
    return {"page": None, "locations": [], "rawText": None, **mark}


def _check(field: Field, value: Any, path: str) -> None:
    """Raises InputError that names the place where ``value`` is not of the field's type."""
    if value is None:
        return
    wanted = _JSON_TYPES[field.type]
    fits = isinstance(value, wanted) and (bool in wanted or not isinstance(value, bool))
    if not fits:
        raise InputError(f"'{field.name}' is a {field.type.value}; {_EXAMPLES[field.type]}", path)
    if field.type is FieldType.DATE:
        try:
            date.fromisoformat(value)
        except ValueError as error:
            raise InputError(f"'{field.name}' is a date; {_EXAMPLES[field.type]}", path) from error
    if field.type is FieldType.CHOICE and value not in field.options:
        raise InputError(f"'{field.name}' must be one of: {', '.join(field.options)}", path)
    if field.type is FieldType.LIST and not all(isinstance(item, str) for item in value):
        raise InputError(f"'{field.name}' is a list; {_EXAMPLES[field.type]}", path)
    if field.type is FieldType.TABLE:
        _check_rows(field, value, path)


def _check_rows(table: Field, rows: Sequence[Any], path: str) -> None:
    columns = {column.name: column for column in table.columns}
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(f"'{table.name}' is a table; {_EXAMPLES[table.type]}", f"{path}.{index}")
        for name, cell in row.items():
            if name not in columns:
                raise InputError(f"'{table.name}' has no column '{name}'", f"{path}.{index}.{name}")
            _check(columns[name], cell, f"{path}.{index}.{name}")


_EXAMPLES = {
    FieldType.TEXT: 'give a text such as "A-17"',
    FieldType.DATE: 'give a date as "YYYY-MM-DD"',
    FieldType.CHOICE: "give one of its options",
    FieldType.NUMBER: "give a number such as 12.5",
    FieldType.CURRENCY: "give a number such as 12.5",
    FieldType.BOOLEAN: "give true or false",
    FieldType.LIST: 'give an array of texts such as ["A", "B"]',
    FieldType.TABLE: 'give an array of rows such as [{"Amount": 12.5}]',
}

"""What the checks would say of values that a person is entering; nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docduck.catalog.models import DocumentResult
from docduck.errors import Conflict, InputError
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import mark_of
from docduck.service.corrections.entered_values import Entered, parse_entered
from docduck.service.corrections.marked_values import Entry, marked_values
from docduck.service.documents.doubts import unsure_below
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import ParserView


@dataclass(frozen=True, slots=True)
class CheckedValues:
    """Values and evidence by field name, as they would be; ``wrong`` are messages by path of an entry."""

    data: Mapping[str, Any]
    evidence: Mapping[str, Any]
    wrong: Mapping[str, str]


def check_entered(
    inst: Installation,
    team_id: str,
    parser: ParserView,
    document_id: str,
    entered: Mapping[str, Entered],
    actor: str,
) -> CheckedValues:
    """Check what was entered, by field id, with the document's other values.

    Fields with a text that doesn't fit them count as they are stored. Raise NotFound, and Conflict for a
    document without values.
    """
    order = date_order_of(parser.settings)
    wrong: Mapping[str, str] = {}
    try:
        data = parse_entered(parser.fields, entered, order)
    except InputError as error:
        wrong = dict(error.details)
        fields = {path.partition(".")[0] for path in wrong}
        fitting = {key: value for key, value in entered.items() if key not in fields}
        data = parse_entered(parser.fields, fitting, order)
    with inst.catalog.read_session() as session:
        document = get_parser_document(session, team_id, parser.id, document_id)
        result = session.get(DocumentResult, document.id)
        if result is None:
            raise Conflict("Document has no values; process it first", code="no_values")
        entry = Entry(data, below=unsure_below(parser.settings))
        marked = marked_values(parser.fields, result, entry, mark_of(actor))
    return CheckedValues(marked.after, marked.evidence, wrong)

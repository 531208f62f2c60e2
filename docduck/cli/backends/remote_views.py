"""The API's JSON as the service's views, which commands print.

The API has no teams, parser revisions, warehouse columns and confidences of documents; they stay empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic.alias_generators import to_snake

from docduck.client.types import (
    AuditEntry,
    Document,
    DocumentDetails,
    ExportLayout,
    HistoryEntry,
    Lesson,
    LookupTable,
    Parser,
    ParserDetails,
)
from docduck.client.types import Field as FieldJson
from docduck.fields import Field
from docduck.service.accounts.audit_log import AuditView
from docduck.service.corrections.lessons import LessonView
from docduck.service.documents.queries.document_views import DocumentRow, DocumentView
from docduck.service.outputs.export_layouts import LayoutView
from docduck.service.parsers.lookup_tables import LookupTableView
from docduck.service.parsers.parsers import ParserView
from docduck.statuses import Status

Row = TypeVar("Row", bound=DocumentRow)


def parser_view(parser: Parser, fields: Sequence[FieldJson]) -> ParserView:
    """Return a parser with its fields."""
    unknown = {"team_id": "", "revision": 0, "columns": {}}
    known = _snake_case(parser) | {"fields": [_field(one) for one in fields]}
    return TypeAdapter(ParserView).validate_python(known | unknown)


def whole_parser_view(parser: ParserDetails) -> ParserView:
    """Return a parser from a response that has its fields."""
    return parser_view(parser, parser["fields"])


def document_row(document: Document) -> DocumentRow:
    """Return a document of a list."""
    return _document(DocumentRow, document["parserId"], document)


def document_view(parser_id: str, document: DocumentDetails, history: Iterable[HistoryEntry]) -> DocumentView:
    """Return a document with its values and history."""
    metadata = document["metadata"]
    return _document(
        DocumentView,
        parser_id,
        {**metadata, **document},
        source_detail=metadata["sourceDetail"] or None,
        has_markdown=metadata["markdownUrl"] is not None,
        history=[_snake_case(one) for one in history],
        progress=_snake_case(progress) if (progress := metadata["progress"]) else None,
    )


def lookup_table_view(table: LookupTable) -> LookupTableView:
    """Return a lookup table."""
    return TypeAdapter(LookupTableView).validate_python(_snake_case(table))


def layout_view(layout: ExportLayout) -> LayoutView:
    """Return a layout of exports."""
    return TypeAdapter(LayoutView).validate_python(_snake_case(layout))


def lesson_view(lesson: Lesson) -> LessonView:
    """Return a lesson."""
    return TypeAdapter(LessonView).validate_python(_snake_case(lesson))


def audit_view(entry: AuditEntry) -> AuditView:
    """Return an entry of the audit log."""
    return TypeAdapter(AuditView).validate_python(_snake_case(entry))


def _document(kind: type[Row], parser_id: str | None, document: Mapping[str, Any], **more: Any) -> Row:
    status = document["status"]
    known = _snake_case(document) | {"review": _review(document["review"])}
    unknown = {"parser_id": parser_id, "confidence": None, "error": None, "processed_at": None}
    # A newer server may have statuses that this program doesn't know.
    view = TypeAdapter(kind).validate_python(unknown | known | more | {"status": Status.UPLOADING})
    return replace(view, status=Status(status) if status in set(Status) else status)


def _field(field: Mapping[str, Any]) -> Field:
    known = {name: value for name, value in field.items() if name in Field.model_fields}
    return Field.model_validate(known | {"columns": tuple(_field(one) for one in field.get("columns", ()))})


def _review(review: Mapping[str, Any]) -> dict[str, Any]:
    stages = [_snake_case(stage) for stage in review["stages"]]
    current_id = (review["currentStage"] or {}).get("id")
    current = next((stage for stage in stages if stage["id"] == current_id), None)
    return _snake_case(review) | {"stages": stages, "current_stage": current}


def _snake_case(value: Mapping[str, Any]) -> dict[str, Any]:
    return {to_snake(key): item for key, item in value.items()}

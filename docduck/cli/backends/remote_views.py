"""What a server tells of parsers and documents, as the values that commands print.

The API does not tell teams, revisions, columns of the warehouse and the confidence of a whole document;
they stay empty.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docduck.client.types import Document, DocumentDetails, HistoryEntry, Parser, ParserDetails
from docduck.client.types import Field as FieldShown
from docduck.fields import Field
from docduck.service.documents.queries.document_views import DocumentRow, DocumentView
from docduck.service.documents.queries.document_views import HistoryEntry as Entry
from docduck.service.documents.queries.review_progress import Person, ReviewView, StageView
from docduck.service.parsers.parsers import ParserView
from docduck.statuses import Status


def parser_view(shown: Parser, fields: Sequence[FieldShown]) -> ParserView:
    """A parser with its fields."""
    return ParserView(
        id=shown["id"],
        team_id="",
        slug=shown["slug"],
        name=shown["name"],
        description=shown["description"],
        settings=shown["settings"],
        is_active=shown["isActive"],
        revision=0,
        template_key=shown["templateKey"],
        fields=tuple(_field(one) for one in fields),
        columns={},
        created_at=_moment(shown["createdAt"]),
        updated_at=_moment(shown["updatedAt"]),
        type=shown["type"],
    )


def whole_parser_view(shown: ParserDetails) -> ParserView:
    """A parser that came with its fields."""
    return parser_view(shown, shown["fields"])


def document_row(parser_id: str, shown: Document) -> DocumentRow:
    """A document of a list."""
    return DocumentRow(**_facts(parser_id, shown))


def document_view(parser_id: str, shown: DocumentDetails, history: Iterable[HistoryEntry]) -> DocumentView:
    """A document whole."""
    known = shown["metadata"]
    facts = _facts(parser_id, shown) | {"error": shown.get("error")}
    return DocumentView(
        **facts,
        data=shown["data"],
        field_metadata=known["field_metadata"],
        warnings=known["warnings"],
        history=[_entry(one) for one in history],
        duplicate_of=known["duplicateOf"],
        source_detail=known["sourceDetail"] or None,
        file_name=known["fileName"],
        split=known["split"],
        parser_revision=known.get("parserRevision"),
        classification=known["classification"],
        classifier_id=known["classifierId"],
        has_markdown=known["markdownUrl"] is not None,
    )


def _facts(parser_id: str, shown: Document) -> dict[str, Any]:
    return {
        "id": shown["id"],
        "parser_id": parser_id,
        "name": shown["name"],
        "external_id": shown["externalId"],
        "status": _status(shown["status"]),
        "source": shown["source"],
        "content_type": shown["contentType"],
        "page_count": shown["pageCount"],
        "confidence": None,
        "error": None,
        "created_at": _moment(shown["createdAt"]),
        "updated_at": _moment(shown["updatedAt"]),
        "processed_at": None,
        "custom": shown["custom"],
        "folder_id": shown["folderId"],
        "review": _review(shown["review"]),
    }


def _status(text: str) -> Any:
    """The status; one that a newer server has made stays a text."""
    return Status(text) if text in set(Status) else text


def _field(shown: Mapping[str, Any]) -> Field:
    known = {name: value for name, value in shown.items() if name in Field.model_fields}
    known["options"], known["labels"] = tuple(shown["options"]), tuple(shown["labels"])
    known["columns"] = tuple(_field(one) for one in shown.get("columns", ()))
    return Field.model_validate(known)


def _review(shown: Mapping[str, Any]) -> ReviewView:
    stages = [_stage(one) for one in shown["stages"]]
    current = shown["currentStage"]
    return ReviewView(
        shown["isRequired"],
        shown["status"],
        _person(shown["assignee"]),
        next((one for one in stages if current and one.id == current["id"]), None),
        stages,
    )


def _stage(shown: Mapping[str, Any]) -> StageView:
    return StageView(
        shown["id"],
        shown["name"],
        shown["reviewerInstructions"],
        shown["position"],
        shown["status"],
        _person(shown["assignee"]),
        _moment_or_none(shown["approvedAt"]),
        _moment_or_none(shown["rejectedAt"]),
        shown.get("comment"),
    )


def _person(shown: Mapping[str, Any] | None) -> Person | None:
    return Person(shown["id"], shown["name"], shown["email"]) if shown else None


def _entry(shown: HistoryEntry) -> Entry:
    return Entry(
        _moment(shown["at"]),
        shown["event"],
        shown["fromStatus"],
        shown["toStatus"],
        shown["reason"],
        shown["actor"],
    )


def _moment(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def _moment_or_none(text: str | None) -> dt.datetime | None:
    return None if text is None else _moment(text)

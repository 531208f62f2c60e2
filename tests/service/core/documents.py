"""Documents and parsers for the service's tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.documents.detection.sniff import stream_type
from docduck.documents.document import Box
from docduck.errors import DocduckError
from docduck.extraction.result import Extraction, Finding, Location, PageFacts
from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.pending_corrections import is_pending, process_pending
from docduck.service.documents.claim import Claim
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, find, get_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes

FIELDS = parse_fields(
    [
        {"name": "Number", "type": "text", "required": True},
        {"name": "Total", "type": "currency"},
        {"name": "Tags", "type": "list"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [{"name": "Description", "type": "text"}, {"name": "Amount", "type": "currency"}],
        },
    ]
)


def make_parser(inst: Installation, name: str = "Invoices", team_id: str | None = None) -> ParserView:
    return create_parser(inst, team_id or inst.team_id, NewParser(name=name, fields=FIELDS))


def upload(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    content: Path | bytes,
    name: str | None = None,
    *,
    source: str = "api",
    external_id: str | None = None,
    actor: str = "upload",
) -> str:
    """Store a file and register it; return the document's id."""
    if isinstance(content, Path):
        name, content = name or content.name, content.read_bytes()
    name = name or "document"
    stored = inst.files.put_bytes(content)
    kind = stream_type(BytesIO(content), name)
    new = NewDocument(name, stored.sha256, stored.size, kind, source, external_id=external_id)
    with inst.catalog.transaction() as session:
        return register(session, team_id, find(session, team_id, parser_ref).id, [new], actor)[0]


def add(inst: Installation, parser: ParserView, count: int = 1, prefix: str = "doc") -> list[str]:
    return [
        upload(inst, parser.team_id, parser.slug, f"{parser.slug} {prefix} {i}".encode(), f"{prefix}-{i}.txt")
        for i in range(count)
    ]


def correct(
    inst: Installation, team_id: str, document_id: str, changes: Mapping[str, Any], actor: str = "user"
) -> DocumentView:
    """Set values, and learn from them at once."""
    parser_id = str(get_document(inst, team_id, document_id).parser_id)
    set_values(inst, team_id, parser_id, document_id, changes, actor=actor)
    while is_pending(inst, document_id):
        process_pending(inst)
    return get_document(inst, team_id, document_id)


def extraction(number: str = "A-1", total: float | None = 12.5, rows: int = 2) -> Extraction:
    def found(value: Any) -> dict[str, Any]:
        place = Location(1, Box(0.1, 0.2, 0.3, 0.05), str(value))
        return Finding(value, 0.9, (place,), str(value)).as_json()

    items = [{"Description": f"item {i}", "Amount": float(i)} for i in range(rows)]
    return Extraction(
        data={"Number": number, "Total": total, "Tags": ["a", "b"], "Line Items": items},
        field_metadata={
            "Number": found(number),
            "Total": found(total),
            "Line Items": [{name: found(value) for name, value in row.items()} for row in items],
        },
        markdown=f"# {number}",
        pages=[PageFacts(1, 595, 842, "text")],
        page_count=1,
        content_type="text/plain",
        confidence=0.9,
    )


def read_outcomes(
    inst: Installation,
    parser: ParserView,
    limit: int = 1000,
    *,
    owner: str = "me",
    text: bytes | None = None,
    error: DocduckError | None = None,
    **values: Any,
) -> list[ExtractionOutcome]:
    """Claim what is queued, and read it with these values or an error; ``text`` is the Markdown."""
    now = get_parser(inst, parser.team_id, parser.id)
    more: dict[str, Any] = {"error": error} if error else {"extraction": extraction(**values)}
    if text is not None:
        stored = inst.files.put_bytes(text)
        more |= {"markdown_sha256": stored.sha256, "markdown_size": stored.size}
    claims = claim(inst, [ClaimRequest(parser.id, limit)], owner)
    return [ExtractionOutcome(one, now, **more) for one in claims]


def complete(inst: Installation, parser: ParserView, owner: str = "me", **values: Any) -> list[Claim]:
    """Claim all that is queued and finish it with the same values (or as ``read_outcomes`` reads it)."""
    outcomes = read_outcomes(inst, parser, owner=owner, **values)
    claims = [one.claim for one in outcomes]
    assert [one.claim for one in store_outcomes(inst, outcomes, owner).stored] == claims
    return claims


def add_read(inst: Installation, parser: ParserView, prefix: str = "doc", **values: Any) -> str:
    """A document that is read with these values."""
    (document_id,) = add(inst, parser, prefix=prefix)
    complete(inst, parser, **values)
    return document_id


def read_document(inst: Installation, **values: Any) -> tuple[ParserView, str]:
    """A parser, and a document that is read with these values."""
    parser = make_parser(inst)
    return parser, add_read(inst, parser, **values)


def set_document(inst: Installation, document_id: str, **columns: Any) -> None:
    """Set columns of a document's row."""
    with inst.catalog.transaction() as session:
        session.execute(update(Document).where(Document.id == document_id).values(columns))


def statuses(inst: Installation, ids: Sequence[str]) -> list[str]:
    with inst.catalog.read_session() as session:
        rows = [session.get(Document, one) for one in ids]
        return [row.status for row in rows if row is not None]

"""Documents of all sorts, and searches of them by looking at each: what the index must agree with."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import Document, DocumentResult, SearchEntry
from docduck.extraction.values import typed_values
from docduck.fields import Field, FieldType, parse_fields
from docduck.files.local_files import LocalFiles
from docduck.service.conditions import (
    FILTER_PROPERTIES,
    DocumentFacts,
    Kind,
    Scope,
    all_hold,
    document_properties,
    parse_filters,
)
from docduck.service.conditions.targets import find_target
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from docduck.service.search.encoding import encoded
from docduck.service.search.query import ROOT, DocumentQuery
from tests.service.core.documents import add, extraction

FIELDS = parse_fields(
    [
        {"name": "Number", "type": "text"},
        {"name": "Vendor", "type": "text"},
        {"name": "Total", "type": "currency"},
        {"name": "Date", "type": "date"},
        {"name": "Paid", "type": "boolean"},
        {"name": "Tags", "type": "list"},
        {
            "name": "Items",
            "type": "table",
            "columns": [{"name": "What", "type": "text"}, {"name": "Amount", "type": "number"}],
        },
    ]
)
VENDORS = (
    "Acme GmbH",
    "acme gmbh ",
    "Straße & Söhne",
    "STRASSE & SÖHNE",
    "Zoë\nLtd",
    "Ö",
    "",
    "100%_a",
    "12",
    "x" * 300,
)
NUMBERS = (0, -1, 12, 12.5, -3.25, 1e6, 99999999999999, 0.001, "1.234,50", "n/a", "", None, 12.0, "12")
DATES = ("2024-02-29", "2024-12-31", "2025-01-01", "31.12.2024", "soon", None)
TAGS: tuple[Any, ...] = ([], ["a"], ["A", "b"], ["urgent", "Straße"], None, [""], "a")
WORDS = ("Bolt", "steel plate", "Öl", None, "", "y" * 260)


@dataclass(frozen=True)
class Naive:
    """A document as it stands in the catalog, with its number in the index."""

    document: Document
    values: dict[str, Any]
    number: int

    def facts(self) -> DocumentFacts:
        evidence: dict[str, Any] = {}
        return DocumentFacts(self.values, evidence, document_properties(self.document), self.document.custom)


def make(inst: Installation) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name="Mixed", fields=FIELDS))


def populate(inst: Installation, parser: ParserView, chance: random.Random, count: int) -> None:
    """Register ``count`` documents, and read most of them."""
    store = LocalFiles(inst.settings.home.absolute() / "files")
    for start in range(0, count, 20):
        new = []
        for at in range(start, min(start + 20, count)):
            stored = store.put_bytes(f"{parser.id} {at} {chance.random()}".encode())
            name = chance.choice(["Rechnung", "invoice", "STRASSE", "a_b%", "ö"]) + f" {at}.pdf"
            external = chance.choice([None, f"X-{chance.random()}", f"straße {chance.random()}"])
            new.append(
                NewDocument(
                    name,
                    stored.sha256,
                    stored.size,
                    "application/pdf",
                    "api",
                    external_id=external,
                    custom=custom(chance),
                )
            )
        with inst.catalog.transaction() as session:
            register(session, parser.team_id, parser.id, new, "test")
    read(inst, parser, chance, int(count * 0.9))


def read(inst: Installation, parser: ParserView, chance: random.Random, limit: int) -> None:
    """Claim queued documents and finish them with values by chance."""
    now = get_parser(inst, parser.team_id, parser.id)
    claims = claim(inst, [ClaimRequest(parser.id, limit)], "me")
    readings = [
        ExtractionOutcome(one, now, replace(extraction(), data=data(chance, now.fields))) for one in claims
    ]
    assert len(store_outcomes(inst, readings, "me").stored) == len(readings)


def read_values(inst: Installation, parser: ParserView, *values: dict[str, Any]) -> list[str]:
    """Register a document for each of ``values`` and finish it with them; return the ids in their order."""
    now = get_parser(inst, parser.team_id, parser.id)
    ids = add(inst, parser, len(values))
    wanted = dict(zip(ids, values, strict=True))
    readings = [
        ExtractionOutcome(one, now, replace(extraction(), data=wanted[one.document_id]))
        for one in claim(inst, [ClaimRequest(parser.id, len(values))], "me")
    ]
    store_outcomes(inst, readings, "me")
    return ids


def custom(chance: random.Random) -> dict[str, Any] | None:
    values: tuple[Any, ...] = (None, 1, 2.5, "2.5", "two", True, ["a", 7], {"b": "deep"}, [], {})
    return chance.choice([None, {"a": chance.choice(values), "x": {"y": chance.choice(values)}, "d.t": 1}])


def data(chance: random.Random, fields: Sequence[Field]) -> dict[str, Any]:
    """Values by name, some of another type than their field's."""
    return {field.name: value_of(chance, field) for field in fields if chance.random() < 0.9}


def value_of(chance: random.Random, field: Field) -> Any:
    match field.type:
        case FieldType.TABLE:
            return [
                {c.name: value_of(chance, c) for c in field.columns if chance.random() < 0.8}
                for _ in range(chance.choice([0, 1, 1, 2, 3]))
            ]
        case FieldType.NUMBER | FieldType.CURRENCY:
            return chance.choice(NUMBERS)
        case FieldType.DATE:
            return chance.choice(DATES)
        case FieldType.BOOLEAN:
            return chance.choice([True, False, None])
        case FieldType.LIST:
            return chance.choice(TAGS)
        case _:
            return chance.choice(VENDORS if field.name == "Vendor" else WORDS)


def everything(inst: Installation, parser: ParserView) -> list[Naive]:
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(Document, DocumentResult.values, SearchEntry.number)
            .outerjoin(DocumentResult, DocumentResult.document_id == Document.id)
            .join(SearchEntry, SearchEntry.document_id == Document.id)
            .where(Document.parser_id == parser.id)
        )
        found = [Naive(row[0], row[1] or {}, row[2]) for row in rows]
        session.expunge_all()
        return found


def expected(parser: ParserView, documents: Sequence[Naive], query: DocumentQuery) -> list[str]:
    """All ids that ``query`` selects, in its order, by looking at each document."""
    conditions = (
        parse_filters(list(query.filters), Scope(parser.fields, FILTER_PROPERTIES)) if query.filters else ()
    )
    found = [one for one in documents if _fits(parser, one, query) and all_hold(conditions, one.facts())]
    return [one.document.id for one in _sorted(parser, found, query)]


def _fits(parser: ParserView, one: Naive, query: DocumentQuery) -> bool:
    document = one.document
    if query.status is not None and document.status != query.status:
        return False
    if query.folder_id is not None and document.folder_id != (
        None if query.folder_id == ROOT else query.folder_id
    ):
        return False
    if query.external_id is not None and document.external_id != query.external_id:
        return False
    if query.created_from and document.created_at < query.created_from:
        return False
    if query.created_to and document.created_at > query.created_to:
        return False
    texts = [document.name.casefold(), (document.external_id or "").casefold()]
    if query.in_values:
        texts += [text.casefold() for text in _texts(parser, one)]
        return all(any(word in text for text in texts) for word in typed_values.folded(query.q or "").split())
    return not query.q or any(typed_values.folded(query.q) in text for text in texts)


def _texts(parser: ParserView, one: Naive) -> list[str]:
    cells: list[Any] = []
    for field in parser.fields:
        value = one.values.get(str(field.id))
        if field.type is not FieldType.TABLE:
            cells.append(value)
            continue
        for row in value if isinstance(value, list) else ():
            if isinstance(row, dict):
                cells += [row.get(str(column.id)) for column in field.columns]
    return [text for cell in cells if not isinstance(cell, bool) and (text := typed_values.text_of(cell))]


def _sorted(parser: ParserView, found: list[Naive], query: DocumentQuery) -> list[Naive]:
    newest = sorted(found, key=lambda one: (one.document.created_at, one.number), reverse=True)
    sort = query.sort or ("relevance" if query.in_values and (query.q or "").strip() else "createdAt.desc")
    if sort == "relevance":
        return sorted(newest, key=lambda one: not _is_exact(parser, one, typed_values.folded(query.q or "")))
    down = sort.endswith(".desc")
    if sort.startswith("field:"):
        target = find_target(sort.removeprefix("field:").rpartition(".")[0], parser.fields)
        keys: dict[int, str] = {}
        for one in found:
            kind = Kind.TEXT if target.kind is Kind.LIST else target.kind
            texts = [
                text
                for cell in one.facts().cells(target)
                for item in (cell if isinstance(cell, list) else [cell])
                if (text := encoded(kind, item))
            ]
            if texts:
                keys[one.number] = max(texts) if down else min(texts)
        with_value = sorted(
            (one for one in found if one.number in keys),
            key=lambda one: (keys[one.number], one.number),
            reverse=down,
        )
        return with_value + [one for one in newest if one.number not in keys]
    by = sort.partition(".")[0]
    keys_by: dict[str, Callable[[Naive], Any]] = {
        "createdAt": lambda one: (one.document.created_at, one.number),
        "updatedAt": lambda one: (one.document.updated_at, one.document.id),
        "name": lambda one: (one.document.name.casefold(), one.document.id),
    }
    return sorted(found, key=keys_by[by], reverse=down)


def _is_exact(parser: ParserView, one: Naive, whole: str) -> bool:
    texts: list[Any] = [one.document.name, one.document.external_id]
    if any(text is not None and typed_values.folded(text) == whole for text in texts):
        return True
    for field in parser.fields:
        columns: Sequence[Field | None] = field.columns or [None]
        for column in columns:
            kind = find_target(field.name if column is None else f"{field.name}.{column.name}", parser.fields)
            if kind.kind in (Kind.TABLE, Kind.BOOLEAN):
                continue
            inner = Kind.TEXT if kind.kind is Kind.LIST else kind.kind
            for cell in one.facts().cells(kind):
                items = cell if isinstance(cell, list) else [cell]
                if any(
                    not typed_values.is_missing(cell)
                    and encoded(inner, item) is not None
                    and encoded(inner, item) == encoded(inner, whole)
                    for item in items
                ):
                    return True
    return False

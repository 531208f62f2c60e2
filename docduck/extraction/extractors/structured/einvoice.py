"""Values of the electronic invoice that a document is or contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from docduck.documents.detection.content_types import PDF, SIGNED, XML
from docduck.documents.document import Attachment, Document
from docduck.documents.formats.einvoice.model import DATES, NUMBERS, Invoice, Row
from docduck.documents.formats.einvoice.parse import parse_invoice
from docduck.documents.formats.einvoice.prices import for_one
from docduck.errors import DamagedFile
from docduck.extraction.extractor import Findings, TableRows
from docduck.extraction.extractors.structured import invoice_terms
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.lookup import Lookup, height
from docduck.extraction.result import Finding, Location
from docduck.extraction.values.choices import best_option
from docduck.extraction.values.numbers import as_json_number
from docduck.fields import Field, FieldType

_STATED, _REPLACED = 0.99, 0.85
"""Confidence in a stated term, and in another that replaces it."""


def embedded_invoice(document: Document, warnings: list[str]) -> Invoice | None:
    """Return the electronic invoice that ``document`` is or contains; warn of one that can't be read."""
    if document.content_type not in (PDF, XML):
        return None
    for attachment in sorted(document.attachments, key=_likelihood):
        if _likelihood(attachment) > 1:
            break
        try:
            invoice = parse_invoice(attachment.data)
        except DamagedFile as error:
            warnings.append(f"The embedded file {attachment.name!r} could not be read: {error.detail}")
            continue
        if invoice is not None:
            return invoice
    return None


def _likelihood(attachment: Attachment) -> int:
    """0 for XML or a signed envelope by content, 1 by name, 2 for anything else."""
    if attachment.content_type in (XML, SIGNED):
        return 0
    return 1 if attachment.name.casefold().endswith((".xml", ".p7m")) else 2


class InvoiceFields:
    """Finds values in one invoice. With ``whole`` the document contains nothing else."""

    def __init__(self, invoice: Invoice, document: Document) -> None:
        self.invoice = invoice
        self.whole = document.content_type == XML
        self.terms = {**invoice.terms, **_in_words(invoice)}
        self.lookup = Lookup(document)

    def find(self, queries: Sequence[FieldQuery]) -> Findings:
        """Return findings for the fields that mean a term of the invoice.

        What a document without pages does not state is absent; other documents' pages may show it.
        """
        findings = Findings(warnings=[] if self.whole else list(self.invoice.warnings))
        for query in queries:
            if query.type is FieldType.TABLE:
                rows = self._rows(query)
                if rows:
                    findings.tables[query.name] = rows
                elif self.whole and invoice_terms.table_of(query):
                    findings.absent.add(query.name)
                continue
            term = self._term(query)
            if term is None:
                continue
            finding = self._scalar(query.field, term)
            if finding is not None:
                findings.scalars[query.name] = finding
            elif self.whole:
                findings.absent.add(query.name)
        return findings

    def _term(self, query: FieldQuery) -> str | None:
        term = invoice_terms.term_of(query)
        if self.invoice.kind == "order":
            return {"order_number": "invoice_number", "order_date": "invoice_date"}.get(term or "", term)
        return term

    def _scalar(self, field: Field, term: str) -> Finding | None:
        for name in (term, *invoice_terms.instead(term)):
            values = self.terms.get(name)
            if not values:
                continue
            value = _convert(field, name, values)
            if value is None or (name == "account" and _asks_iban(field) and not _is_iban(values[0])):
                continue
            confidence = _STATED if name == term else _REPLACED
            places = self.lookup.places(values[0], _kind(name))
            location = places[-1 if name in NUMBERS else 0] if places else ()
            value = _as_printed(field, name, value, location)
            return Finding(value, confidence, location, values[0], "structured")
        return None

    def _rows(self, query: FieldQuery) -> TableRows | None:
        table = invoice_terms.table_of(query)
        rows = [row for row in self.invoice.tables.get(table or "", ()) if not _is_note(row)]
        if table is None or not rows:
            return None
        terms = {column.name: invoice_terms.column_of(column, table) for column in query.columns}
        terms = _apart(terms, rows)
        table_rows = []
        below = (0, 0.0)
        for row in rows:
            cells, below = self._cells(query.field.columns, terms, row, below)
            if cells:
                table_rows.append(cells)
        return table_rows

    def _cells(
        self, columns: Sequence[Field], terms: Mapping[str, str | None], row: Row, below: tuple[int, float]
    ) -> tuple[dict[str, Finding], tuple[int, float]]:
        """Return a row's cells, located next below the row before.

        Without pages, a price is that of one, unless a column asks for how many it is.
        """
        cells: dict[str, Finding] = {}
        top: tuple[int, float] | None = None
        meant = for_one(row) if self.whole and "base_quantity" not in terms.values() else row
        for column in sorted(columns, key=lambda c: terms[c.name] in NUMBERS):
            term = terms[column.name]
            values = row.get(term or "")
            if term is None or not values:
                continue
            value = _convert(column, term, meant[term])
            if value is None:
                continue
            start = top or below
            location = self.lookup.next_place(values[0], _kind(term), start)
            if location and top is None and term not in NUMBERS:
                top = height(location[0].page, location[0].box.top)
            value = _as_printed(column, term, value, location)
            cells[column.name] = Finding(value, _STATED, location, values[0], "structured")
        return {c.name: cells[c.name] for c in columns if c.name in cells}, top or below


def _is_note(row: Row) -> bool:
    """Whether a line is a heading or a remark among the items: nothing is counted and nothing charged."""
    return all(name in row and not Decimal(row[name][0]) for name in ("quantity", "line_total"))


def _apart(terms: dict[str, str | None], rows: Sequence[Row]) -> dict[str, str | None]:
    """Tell apart two columns that ask for one thing: an item's name and its description."""
    same = [name for name, term in terms.items() if term == "description"]
    if len(same) == 2 and any("item_description" in row for row in rows):
        longer = next((n for n in same if "desc" in n.casefold() or "besch" in n.casefold()), same[1])
        terms[longer] = "item_description"
    return terms


def _kind(term: str) -> FieldType:
    if term in NUMBERS:
        return FieldType.NUMBER
    return FieldType.DATE if term in DATES else FieldType.TEXT


def _in_words(invoice: Invoice) -> Row:
    """Return the meanings of codes as terms."""
    words: Row = {}
    type_ = invoice.get("invoice_type_code") or ""
    words["invoice_type"] = [invoice_terms.codes("invoice_type").get(type_) or invoice.kind.capitalize()]
    means = invoice_terms.codes("payment_means").get(invoice.get("payment_means_code") or "")
    if means:
        words["payment_means"] = [means]
    return words


def _convert(field: Field, term: str, values: Sequence[str]) -> Any:
    match field.type:
        case FieldType.NUMBER | FieldType.CURRENCY:
            return as_json_number(Decimal(values[0])) if term in NUMBERS else None
        case FieldType.DATE:
            return values[0] if term in DATES else None
        case FieldType.CHOICE:
            option = best_option(values[0], field.options)
            return option[0] if option else None
        case FieldType.LIST:
            return list(dict.fromkeys(_clean(term, value) for value in values))
        case FieldType.TEXT:
            return _clean(term, values[0])
        case _:
            return None


def _as_printed(field: Field, term: str, value: Any, location: Sequence[Location]) -> Any:
    """Return a date or number of a text field as the page prints it, if a page does."""
    if field.type is not FieldType.TEXT or _kind(term) is FieldType.TEXT or not location:
        return value
    return " ".join(place.text for place in location).strip(" .,:;")


def _clean(term: str, value: str) -> str:
    if term in ("account", "debited_account", "bic") and _is_iban(value):
        return value.replace(" ", "")
    return value


def _is_iban(value: str) -> bool:
    """Whether ``value`` has the form of an IBAN (ISO 13616); check digits don't count."""
    bare = value.replace(" ", "")
    return 12 <= len(bare) <= 36 and bare[:2].isalpha() and bare[2:4].isdigit() and bare.isalnum()


def _asks_iban(field: Field) -> bool:
    return "iban" in field.name.casefold()

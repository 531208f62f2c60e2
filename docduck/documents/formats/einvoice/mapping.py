"""How a syntax writes the terms of the model, as data, and the reading of a tree by it.

A syntax is a table from terms to XPaths over local names; of several paths the first that finds something
counts, and no path raises. What a format leaves to be computed is filled in afterwards by ``complete``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from lxml import etree

from docduck.documents.formats.einvoice.model import DATES, JOINED, NUMBERS, PARTIES, Invoice, Kind, Row
from docduck.documents.formats.xml_tree import Element

Paths = str | tuple[str, ...]
Terms = Mapping[str, Paths]

MAX_ROWS = 20_000
"""Rows read of one repeating group."""

FEW = "[position() <= 200]"
"""XPath predicate that bounds the elements compared by a predicate after it."""

_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?!\d{2}-)")


@dataclass(frozen=True, slots=True)
class Table:
    """A repeating group: the path of its rows and the terms of each, relative to the row."""

    rows: Paths
    terms: Terms


@dataclass(frozen=True, slots=True)
class Syntax:
    """A syntax of electronic invoices.

    ``roots`` are the names of the elements that hold one document, ``proof`` a path that finds something
    below each true one. ``summed`` terms add up what their paths find. ``finish`` does what only this
    syntax needs.
    """

    name: str
    roots: frozenset[str]
    proof: str
    terms: Terms
    tables: Mapping[str, Table]
    kind: Callable[[Element], Kind]
    summed: frozenset[str] = frozenset()
    rename: Mapping[str, str] = field(default_factory=dict)
    finish: Callable[[Element, Invoice], None] | None = None


def read(syntax: Syntax, root: Element) -> Invoice:
    """Return the document below ``root``, one of the syntax's ``roots``."""
    if syntax.rename:
        for element in root.iter():
            element.tag = syntax.rename.get(element.tag, element.tag)
    invoice = Invoice(syntax.name, syntax.kind(root), _row(root, syntax.terms, syntax.summed))
    for name, table in syntax.tables.items():
        rows = _nodes(root, table.rows)
        if len(rows) > MAX_ROWS:
            invoice.warnings.append(f"Only the first {MAX_ROWS} of {len(rows)} {name} were read")
        mapped = [_row(row, table.terms) for row in rows[:MAX_ROWS] if isinstance(row, etree._Element)]
        invoice.tables[name] = [row for row in mapped if row]
    if syntax.finish:
        syntax.finish(root, invoice)
    complete(invoice)
    return invoice


def prefixed(prefix: str, path: str, terms: Terms) -> dict[str, Paths]:
    """Return the terms of a party whose element is at ``path``, named ``<prefix>_<attribute>``."""
    return {
        f"{prefix}_{name}": tuple(_under(path, text) for text in _as_tuple(paths))
        for name, paths in terms.items()
    }


def _under(path: str, inner: str) -> str:
    if inner.startswith("concat("):
        return re.sub(r"(?<=[(,])\s*(?=[A-Za-z@])", f"{path}/", inner)
    return f"{path}/{inner}"


def _as_tuple(paths: Paths) -> tuple[str, ...]:
    return (paths,) if isinstance(paths, str) else paths


@lru_cache(maxsize=2048)
def _compiled(path: str) -> etree.XPath:
    return etree.XPath(path, smart_strings=False)


def _nodes(element: Element, paths: Paths) -> list[Element | str]:
    for path in _as_tuple(paths):
        result = _compiled(path)(element)
        nodes = result if isinstance(result, list) else [result]
        kept = [node for node in nodes if isinstance(node, etree._Element) or str(node).strip()]
        if kept:
            return kept
    return []


def _row(element: Element, terms: Terms, summed: frozenset[str] = frozenset()) -> Row:
    row: Row = {}
    for name, paths in terms.items():
        values = [value for node in _nodes(element, paths) if (value := _value(name, node))]
        if name in summed and len(values) > 1:
            values = [plain(sum((Decimal(v) for v in values), Decimal()))]
        elif name in JOINED and len(values) > 1:
            values = ["\n".join(dict.fromkeys(values))]
        if values:
            row[name] = values
    return row


def _value(name: str, node: Element | str) -> str | None:
    text = "".join(node.itertext(etree.Element)) if isinstance(node, etree._Element) else str(node)
    if name in JOINED:
        return "\n".join(line for raw in text.splitlines() if (line := " ".join(raw.split()))) or None
    text = " ".join(text.split())
    base = re.sub(rf"^(?:{'|'.join(PARTIES)})_", "", name)
    if base in DATES:
        return iso_date(text)
    if base in NUMBERS:
        number = decimal(text)
        return plain(number) if number is not None else None
    return text or None


def iso_date(text: str) -> str | None:
    """Return ``2024-07-31`` from that form or ``20240731``, optionally followed by a time or zone."""
    match = _DATE.match(text)
    if not match:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return None


def decimal(text: str) -> Decimal | None:
    """Return the number of an XML decimal; a comma is taken for the decimal point."""
    try:
        value = Decimal(text.replace(" ", "").replace(",", "."))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) < 30 else None


def plain(value: Decimal) -> str:
    """Return ``value`` in digits, without an exponent."""
    return format(value, "f")


def amount(row: Row, term: str) -> Decimal | None:
    """Return the first value of a number term in ``row``."""
    values = row.get(term)
    return Decimal(values[0]) if values else None


def complete(invoice: Invoice) -> None:
    """Add terms that follow from others: addresses, and totals that are not stated."""
    terms = invoice.terms
    for party in PARTIES:
        _address(terms, party)
        if f"{party}_name" not in terms and f"{party}_trading_name" in terms:
            terms[f"{party}_name"] = terms[f"{party}_trading_name"]
    for line in invoice.tables.get("lines", ()):
        _line(line)
    _totals(invoice)
    rates = {rate for row in invoice.tables.get("vat", ()) for rate in row.get("tax_rate", ())}
    if len(rates) == 1:
        terms.setdefault("tax_rate_total", list(rates))


def _address(terms: Row, party: str) -> None:
    def parts(*names: str) -> Iterable[str]:
        return (value for name in names for value in terms.get(f"{party}_{name}", ())[:3])

    town = " ".join(parts("zip", "city"))
    lines = [*parts("street", "street_extra"), *([town] if town else []), *parts("region", "country")]
    if len(lines) > 1:
        terms.setdefault(f"{party}_address", [", ".join(lines)])


def _line(line: Row) -> None:
    text = line.get("item_description") or line.get("line_note")
    if text and "description" not in line:
        line["description"] = [" ".join(text[0].split())]


def _totals(invoice: Invoice) -> None:
    terms = invoice.terms

    def put(term: str, value: Decimal) -> None:
        terms.setdefault(term, [plain(value)])

    vat = invoice.tables.get("vat", [])
    bases, taxes = [[a for row in vat if (a := amount(row, t)) is not None]
                    for t in ("taxable_amount", "tax_amount")]  # fmt: skip
    if bases:
        put("net_total", sum(bases, Decimal()))
    if taxes:
        put("tax_total", sum(taxes, Decimal()))
    net, tax, gross = (amount(terms, term) for term in ("net_total", "tax_total", "grand_total"))
    if gross is None and net is not None and tax is not None:
        put("grand_total", net + tax)
    if net is None and gross is not None and tax is not None:
        put("net_total", gross - tax)
    gross = amount(terms, "grand_total")
    if gross is not None and invoice.kind != "order":
        put("amount_due", gross - (amount(terms, "amount_paid") or 0))

"""How a syntax writes the terms of the model, as data, and the reading of a tree by it.

``syntaxes/`` has a file for each syntax, a table from terms to XPaths over local names; of several paths the
first that finds something counts, and no path raises. What a format leaves to be computed is filled in
afterwards by ``complete``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from pathlib import Path
from string import Template
from typing import Any

import yaml
from lxml import etree

from docduck.documents.formats.einvoice.model import DATES, JOINED, NUMBERS, PARTIES, Invoice, Kind, Row
from docduck.documents.formats.xml_tree import Element

Paths = tuple[str, ...]
Terms = Mapping[str, Paths]

MAX_ROWS = 20_000
"""Rows read of one repeating group."""

_FOLDER = Path(__file__).parent / "syntaxes"
_SYNTAXES = ("cii", "ubl", "fatturapa", "facturae", "ebinterface", "ksef")
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
    below each true one. ``kinds`` are the conditions of other kinds than an invoice. ``summed`` terms add up
    what their paths find. Elements are read under the names of ``rename``. With ``states_tax_as_net`` some of
    its dialects do so.
    """

    name: str
    roots: frozenset[str]
    proof: str
    kinds: Mapping[Kind, str]
    terms: Terms
    tables: Mapping[str, Table]
    summed: frozenset[str]
    rename: Mapping[str, str]
    states_tax_as_net: bool


@cache
def syntaxes() -> Sequence[Syntax]:
    """Return the syntaxes, each read from its file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    texts = ((_FOLDER / f"{name}.yaml").read_text("utf-8") for name in _SYNTAXES)
    return [_syntax(yaml.load(text, Loader=loader)) for text in texts]


def _syntax(data: dict[str, Any]) -> Syntax:
    macros: dict[str, str] = data.get("macros", {})

    def path(text: str) -> str:
        return Template(text).substitute(macros)

    def paths(some: str | list[str]) -> Paths:
        return tuple(map(path, [some] if isinstance(some, str) else some))

    def terms(table: Mapping[str, str | list[str]]) -> dict[str, Paths]:
        return {name: paths(some) for name, some in table.items()}

    of_parties = (
        (f"{party}_{name}", tuple(_under(path(place), inner) for inner in some))
        for group in data["parties"]
        for party, place in group["paths"].items()
        for name, some in terms(group["terms"]).items()
    )
    return Syntax(
        name=data["name"],
        roots=frozenset(data["roots"]),
        proof=path(data["proof"]),
        kinds={kind: path(condition) for kind, condition in data["kinds"].items()},
        terms={**terms(data["terms"]), **dict(of_parties)},
        tables={
            name: Table(paths(table["rows"]), terms(table["terms"])) for name, table in data["tables"].items()
        },
        summed=frozenset(data.get("summed", ())),
        rename=data.get("rename", {}),
        states_tax_as_net=data.get("states_tax_as_net", False),
    )


def read(syntax: Syntax, root: Element) -> Invoice:
    """Return the document below ``root``, one of the syntax's ``roots``."""
    more = sum(1 for _ in root.itersiblings(root.tag))
    if syntax.rename:
        for element in root.iter():
            element.tag = syntax.rename.get(element.tag, element.tag)
    kinds: Iterator[Kind] = (kind for kind, path in syntax.kinds.items() if _compiled(path)(root))
    invoice = Invoice(syntax.name, next(kinds, "invoice"), _row(root, syntax.terms, syntax.summed))
    for name, table in syntax.tables.items():
        rows = _nodes(root, table.rows)
        if len(rows) > MAX_ROWS:
            invoice.warnings.append(f"Only the first {MAX_ROWS} of {len(rows)} {name} were read")
        mapped = [_row(row, table.terms) for row in rows[:MAX_ROWS] if isinstance(row, etree._Element)]
        invoice.tables[name] = [row for row in mapped if row]
    if more:
        invoice.warnings.append(f"The file holds {more + 1} invoices; the first was read")
    if syntax.states_tax_as_net:
        _correct_net(invoice.terms)
    complete(invoice)
    return invoice


def _under(path: str, inner: str) -> str:
    if inner.startswith("concat("):
        return re.sub(r"(?<=[(,])\s*(?=[A-Za-z@])", f"{path}/", inner)
    return f"{path}/{inner}"


@lru_cache(maxsize=2048)
def _compiled(path: str) -> etree.XPath:
    return etree.XPath(path, smart_strings=False)


def _nodes(element: Element, paths: Paths) -> list[Element | str]:
    for path in paths:
        result = _compiled(path)(element)
        nodes = result if isinstance(result, list) else [result]
        filled = [node for node in nodes if isinstance(node, etree._Element) or str(node).strip()]
        if filled:
            return filled
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


def _correct_net(terms: Row) -> None:
    """Correct a net total that is the tax, as in OIOUBL; without any total it is that of the lines."""
    net, tax, gross = (amount(terms, term) for term in ("net_total", "tax_total", "grand_total"))
    if net is not None and tax is not None and gross is not None and net == tax and net + tax != gross:
        terms["net_total"] = [plain(gross - tax)]
    if net is None and gross is None and tax is None and {"lines_total", "amount_due"} <= terms.keys():
        terms["net_total"] = terms["lines_total"]


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

"""An electronic invoice as text to be read: headings, labelled values and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from docduck.documents.formats.einvoice.model import NUMBERS, Invoice, Row
from docduck.documents.formats.flow.blocks import Block, Paragraph, Section, Table, TableCell

_DOCUMENT = (
    "invoice_number", "invoice_date", "document_title", "due_date", "delivery_date", "period_start",
    "period_end", "tax_point_date", "currency", "tax_currency", "buyer_reference", "order_number",
    "order_date",
    "sales_order_number", "quotation_number", "contract_number", "project_number", "project_name",
    "delivery_number", "receiving_number", "tender_number", "invoiced_object", "accounting_reference",
    "preceding_invoice", "preceding_invoice_date", "incoterm",
)  # fmt: skip
_PARTY = (
    "name", "trading_name", "street", "street_extra", "zip", "city", "region", "country", "vat_id",
    "tax_number", "registration_number", "id", "electronic_address", "contact", "phone", "fax",
    "email", "website",
)  # fmt: skip
_PAYMENT = (
    "payment_method", "payment_terms", "payment_reference", "account", "account_name", "bic", "bank_name",
    "debited_account", "creditor_id", "mandate",
)  # fmt: skip
_TOTALS = (
    "lines_total", "discount", "charges", "net_total", "tax_total", "grand_total", "withheld_tax",
    "amount_paid", "rounding", "amount_due",
)  # fmt: skip
_LINES = (
    "position", "sku", "description", "item_description", "quantity", "unit", "unit_price", "base_quantity",
    "line_discount", "tax_rate", "line_total",
)  # fmt: skip
_VAT = ("tax_category", "tax_rate", "taxable_amount", "tax_amount", "exemption")
_ALLOWANCES = ("description", "tax_rate", "amount")
_PARTY_TITLES = {
    "seller": "Seller", "buyer": "Buyer", "delivery": "Delivery to", "payee": "Payee",
    "tax_representative": "Tax representative",
}  # fmt: skip
_LABELS = {
    "id": "Number", "zip": "Postal code", "vat_id": "VAT ID", "street_extra": "Street (more)", "bic": "BIC",
    "sku": "Article number", "account": "Account", "charges": "Total charges", "discount": "Total discount",
    "net_total": "Total without tax", "tax_total": "Total tax", "grand_total": "Total with tax",
    "creditor_id": "Creditor ID", "item_description": "Details", "line_total": "Amount",
    "base_quantity": "Price per", "tax_rate": "Tax rate %", "taxable_amount": "Taxable amount",
}  # fmt: skip


def sections(invoice: Invoice) -> list[Section]:
    """Return the invoice, one section of blocks; only what it states appears."""
    terms = invoice.terms
    title = invoice.kind.capitalize()
    own = {"invoice_number": f"{title} number", "invoice_date": f"{title} date"}
    blocks: list[Block] = [Paragraph(title, heading=1)]
    blocks += _values(terms, _DOCUMENT, own)
    for party, title in _PARTY_TITLES.items():
        own = {f"{party}_{name}": label(name) for name in _PARTY}
        blocks += _titled(title, _values(terms, own, own))
    blocks += _titled("Items", _table(invoice.tables.get("lines", ()), _LINES))
    blocks += _titled("Discounts and charges", _table(invoice.tables.get("allowances", ()), _ALLOWANCES))
    blocks += _titled("Tax", _table(invoice.tables.get("vat", ()), _VAT))
    blocks += _titled("Totals", _values(terms, _TOTALS))
    blocks += _titled("Payment", _values(terms, _PAYMENT))
    blocks += _titled("Notes", [Paragraph(text) for text in terms.get("note", ())])
    return [Section(blocks)]


def _titled(title: str, blocks: Sequence[Block]) -> list[Block]:
    return [Paragraph(title, heading=2), *blocks] if blocks else []


def label(term: str) -> str:
    """Return what a term is called on the page."""
    return _LABELS.get(term) or term.replace("_", " ").capitalize()


def _values(terms: Row, names: Iterable[str], own: Mapping[str, str] = _LABELS) -> list[Paragraph]:
    """Return the values of some terms, labelled by ``own`` words or the usual ones."""
    return [
        Paragraph(f"{own.get(name) or label(name)}: {value}")
        for name in names
        for value in terms.get(name, ())
    ]


def _table(rows: Sequence[Row], names: Sequence[str]) -> list[Block]:
    columns = [name for name in names if any(name in row for row in rows)]
    if not columns:
        return []
    if any(row.get("item_description") == row.get("description") for row in rows):
        columns = [name for name in columns if name != "item_description"]
    header = [TableCell([Paragraph(label(name))], header=True) for name in columns]
    body = [[_cell(name, row.get(name, [""])[0]) for name in columns] for row in rows]
    return [Table([header, *body])]


def _cell(name: str, value: str) -> TableCell:
    return TableCell([Paragraph(value, align="right" if name in NUMBERS else "left")])

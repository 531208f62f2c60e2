"""ebInterface 4.x–6.x, the Austrian electronic invoice. Source: the schemas of AUSTRIAPRO."""

from __future__ import annotations

from docduck.documents.formats.einvoice.mapping import Paths, Syntax, Table, prefixed
from docduck.documents.formats.einvoice.model import Kind
from docduck.documents.formats.xml_tree import Element

_PARTY: dict[str, Paths] = {
    "name": "Address/Name",
    "trading_name": "Address/TradingName",
    "vat_id": "VATIdentificationNumber",
    "street": "Address/Street",
    "street_extra": "Address/POBox",
    "zip": "Address/ZIP",
    "city": "Address/Town",
    "country": ("Address/Country/@CountryCode", "Address/Country"),
    "contact": ("Contact/Name", "Address/Contact"),
    "phone": ("Contact/Phone", "Address/Phone"),
    "email": ("Contact/Email", "Address/Email"),
}

_ACCOUNT = "PaymentMethod/UniversalBankTransaction/BeneficiaryAccount"

_TERMS: dict[str, Paths] = {
    "invoice_number": "InvoiceNumber",
    "invoice_type_code": "@DocumentType",
    "invoice_date": "InvoiceDate",
    "currency": "@InvoiceCurrency",
    "note": "Comment",
    "due_date": "PaymentConditions/DueDate",
    "payment_terms": "PaymentConditions/Comment",
    "delivery_date": ("Delivery/Date", "Delivery/Period/ToDate"),
    "period_start": "Delivery/Period/FromDate",
    "period_end": "Delivery/Period/ToDate",
    "delivery_number": "Delivery/DeliveryID",
    "order_number": ("InvoiceRecipient/OrderReference/OrderID", "OrderingParty/OrderReference/OrderID"),
    "order_date": "InvoiceRecipient/OrderReference/ReferenceDate",
    "preceding_invoice": ("CancelledOriginalDocument/InvoiceNumber", "RelatedDocument/InvoiceNumber"),
    "buyer_id": "InvoiceRecipient/BillersInvoiceRecipientID",
    "seller_id": ("Biller/InvoiceRecipientsBillerID", "InvoiceRecipient/OrderReference/SupplierID"),
    "account": f"{_ACCOUNT}/IBAN",
    "account_name": f"{_ACCOUNT}/BankAccountOwner",
    "bic": f"{_ACCOUNT}/BIC",
    "bank_name": f"{_ACCOUNT}/BankName",
    "payment_reference": "PaymentMethod/UniversalBankTransaction/PaymentReference",
    "grand_total": "TotalGrossAmount",
    "amount_paid": "PrepaidAmount",
    "rounding": "RoundingAmount",
    "amount_due": "PayableAmount",
    **prefixed("seller", "Biller", _PARTY),
    **prefixed("buyer", "InvoiceRecipient", _PARTY),
    **prefixed("delivery", "Delivery", _PARTY),
}

_LINE: dict[str, Paths] = {
    "position": "PositionNumber",
    "description": "Description",
    "sku": ("ArticleNumber[@ArticleNumberType='BillersArticleNumber']", "ArticleNumber"),
    "quantity": "Quantity",
    "unit": "Quantity/@Unit",
    "unit_price": "UnitPrice",
    "base_quantity": "UnitPrice/@BaseQuantity",
    "line_total": "LineItemAmount",
    "tax_rate": ("TaxItem/TaxPercent", "VATRate"),
    "tax_amount": "TaxItem/TaxAmount",
    "order_line": "InvoiceRecipientsOrderReference/OrderPositionNumber",
    "line_date": "Delivery/Date",
}

_VAT: dict[str, Paths] = {
    "tax_rate": ("TaxPercent", "VATRate"),
    "tax_category": "TaxPercent/@TaxCategoryCode",
    "taxable_amount": ("TaxableAmount", "TaxedAmount"),
    "tax_amount": ("TaxAmount", "Amount"),
}

_ALLOWANCE: dict[str, Paths] = {"description": "Comment", "amount": "Amount", "discount_rate": "Percentage"}


def _kind(root: Element) -> Kind:
    return "credit note" if root.get("DocumentType") == "CreditMemo" else "invoice"


EBINTERFACE = Syntax(
    name="ebInterface",
    roots=frozenset({"Invoice"}),
    proof="Biller[../InvoiceNumber]",
    terms=_TERMS,
    tables={
        "lines": Table("Details/ItemList/ListLineItem", _LINE),
        "vat": Table(("Tax/TaxItem", "Tax/VAT/VATItem"), _VAT),
        "allowances": Table("ReductionAndSurchargeDetails/*", _ALLOWANCE),
    },
    kind=_kind,
)

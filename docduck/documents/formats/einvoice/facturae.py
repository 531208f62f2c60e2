"""Facturae 3.x, the Spanish electronic invoice.

Source: the schema ``Facturaev3_2_2`` of the Ministerio de Hacienda.
"""

from __future__ import annotations

from docduck.documents.formats.einvoice.mapping import Paths, Syntax, Table, prefixed
from docduck.documents.formats.einvoice.model import Kind
from docduck.documents.formats.xml_tree import Element

_E = "*[self::LegalEntity or self::Individual]"
_SPAIN, _ABROAD = f"{_E}/AddressInSpain", f"{_E}/OverseasAddress"

_PARTY: dict[str, Paths] = {
    "name": (
        "LegalEntity/CorporateName",
        "concat(Individual/Name, ' ', Individual/FirstSurname, ' ', Individual/SecondSurname)",
    ),
    "trading_name": "LegalEntity/TradeName",
    "id": "PartyIdentification",
    "vat_id": "TaxIdentification/TaxIdentificationNumber",
    "tax_number": "TaxIdentification/TaxIdentificationNumber",
    "registration_number": "LegalEntity/RegistrationData/RegistrationNumber",
    "street": (f"{_SPAIN}/Address", f"{_ABROAD}/Address"),
    "zip": f"{_SPAIN}/PostCode",
    "city": (f"{_SPAIN}/Town", f"{_ABROAD}/PostCodeAndTown"),
    "region": (f"{_SPAIN}/Province", f"{_ABROAD}/Province"),
    "country": (f"{_SPAIN}/CountryCode", f"{_ABROAD}/CountryCode"),
    "contact": f"{_E}/ContactDetails/ContactPersons",
    "phone": f"{_E}/ContactDetails/Telephone",
    "fax": f"{_E}/ContactDetails/TeleFax",
    "email": f"{_E}/ContactDetails/ElectronicMail",
    "website": f"{_E}/ContactDetails/WebAddress",
}

_P = "../../Parties"
_PAY = "PaymentDetails/Installment"

_TERMS: dict[str, Paths] = {
    "invoice_number": "InvoiceHeader/InvoiceNumber",
    "invoice_type_code": "InvoiceHeader/InvoiceDocumentType",
    "preceding_invoice": "InvoiceHeader/Corrective/InvoiceNumber",
    "invoice_date": "InvoiceIssueData/IssueDate",
    "delivery_date": "InvoiceIssueData/OperationDate",
    "period_start": "InvoiceIssueData/InvoicingPeriod/StartDate",
    "period_end": "InvoiceIssueData/InvoicingPeriod/EndDate",
    "currency": "InvoiceIssueData/InvoiceCurrencyCode",
    "tax_currency": "InvoiceIssueData/TaxCurrencyCode",
    "due_date": f"{_PAY}/InstallmentDueDate",
    "payment_means_code": f"{_PAY}/PaymentMeans",
    "account": (f"{_PAY}/AccountToBeCredited/IBAN", f"{_PAY}/AccountToBeCredited/AccountNumber"),
    "bic": f"{_PAY}/AccountToBeCredited/BIC",
    "debited_account": f"{_PAY}/AccountToBeDebited/IBAN",
    "payment_reference": f"{_PAY}/PaymentReconciliationReference",
    "contract_number": (
        "InvoiceIssueData/ReceiverContractReference", "Items/InvoiceLine/ReceiverContractReference"),
    "order_number": (
        "InvoiceIssueData/ReceiverTransactionReference", "Items/InvoiceLine/ReceiverTransactionReference",
        "Items/InvoiceLine/IssuerTransactionReference"),
    "delivery_number": "Items/InvoiceLine/DeliveryNotesReferences/DeliveryNote/DeliveryNoteNumber",
    "note": "AdditionalData/InvoiceAdditionalInformation|LegalLiterals/LegalReference",
    "lines_total": "InvoiceTotals/TotalGrossAmount",
    "discount": "InvoiceTotals/TotalGeneralDiscounts",
    "charges": "InvoiceTotals/TotalGeneralSurcharges",
    "net_total": "InvoiceTotals/TotalGrossAmountBeforeTaxes",
    "tax_total": "InvoiceTotals/TotalTaxOutputs",
    "withheld_tax": "InvoiceTotals/TotalTaxesWithheld",
    "grand_total": "InvoiceTotals/InvoiceTotal",
    "amount_paid": "InvoiceTotals/TotalPaymentsOnAccount",
    "amount_due": ("InvoiceTotals/TotalExecutableAmount", "InvoiceTotals/TotalOutstandingAmount"),
    **prefixed("seller", f"{_P}/SellerParty", _PARTY),
    **prefixed("buyer", f"{_P}/BuyerParty", _PARTY),
}  # fmt: skip

_LINE: dict[str, Paths] = {
    "position": "SequenceNumber",
    "description": "ItemDescription",
    "sku": "ArticleCode",
    "line_note": "AdditionalLineItemInformation",
    "quantity": "Quantity",
    "unit": "UnitOfMeasure",
    "unit_price": "UnitPriceWithoutTax",
    "line_total": ("GrossAmount", "TotalCost"),
    "line_discount": "DiscountsAndRebates/Discount/DiscountAmount",
    "discount_rate": "DiscountsAndRebates/Discount/DiscountRate",
    "tax_rate": "TaxesOutputs/Tax/TaxRate",
    "tax_amount": "TaxesOutputs/Tax/TaxAmount/TotalAmount",
    "line_date": "TransactionDate",
    "period_start": "LineItemPeriod/StartDate",
    "period_end": "LineItemPeriod/EndDate",
}

_VAT: dict[str, Paths] = {
    "tax_rate": "TaxRate",
    "tax_category": "TaxTypeCode",
    "taxable_amount": "TaxableBase/TotalAmount",
    "tax_amount": "TaxAmount/TotalAmount",
}

_ALLOWANCE: dict[str, Paths] = {
    "description": ("DiscountReason", "ChargeReason"),
    "amount": ("DiscountAmount", "ChargeAmount"),
}


def _kind(root: Element) -> Kind:
    total = (root.findtext("InvoiceTotals/InvoiceTotal") or "").strip()
    corrective = root.find("InvoiceHeader/Corrective") is not None
    return "credit note" if corrective and total.startswith("-") else "invoice"


FACTURAE = Syntax(
    name="Facturae",
    roots=frozenset({"Invoice"}),
    proof="InvoiceHeader[../InvoiceTotals]",
    terms=_TERMS,
    tables={
        "lines": Table("Items/InvoiceLine", _LINE),
        "vat": Table("TaxesOutputs/Tax", _VAT),
        "allowances": Table(
            "InvoiceTotals/GeneralDiscounts/Discount|InvoiceTotals/GeneralSurcharges/Charge", _ALLOWANCE
        ),
    },
    kind=_kind,
)

"""OASIS UBL 2.x Invoice, CreditNote, DebitNote and Order (Peppol BIS, XRechnung, OIOUBL, eFFF, Svefaktura …).

Source: the UBL 2.1 schemas of OASIS; names that differ in UBL 2.0 and in Svefaktura (UBL 1.0) are further
paths.
"""

from __future__ import annotations

from docduck.documents.formats.einvoice.mapping import FEW, Paths, Syntax, Table, amount, plain, prefixed
from docduck.documents.formats.einvoice.model import Invoice, Kind
from docduck.documents.formats.xml_tree import Element


def _any(*names: str) -> str:
    """Return the XPath condition that an element has one of ``names``."""
    return " or ".join(f"self::{name}" for name in names)


_ADDRESS = f"*[{_any('PostalAddress', 'Address', 'RegistrationAddress')}]"

_PARTY: dict[str, Paths] = {
    "name": ("PartyLegalEntity/RegistrationName", "PartyName/Name", "PartyTaxScheme/RegistrationName", "Name",
             "concat(Person/FirstName, ' ', Person/FamilyName)"),
    "trading_name": "PartyName/Name",
    "id": "PartyIdentification/ID",
    "registration_number": "PartyLegalEntity/CompanyID",
    "vat_id": (
        "PartyTaxScheme[TaxScheme/ID='VAT']/CompanyID",
        "PartyTaxScheme[TaxScheme/ID='VA' or TaxScheme/ID='IVA' or TaxScheme/ID='GST' "
        "or TaxScheme/ID='63']/CompanyID",
        "PartyTaxScheme[not(TaxScheme/ID) or starts-with(TaxScheme/ID, 'S') or TaxScheme/ID='']/CompanyID",
        f"PartyTaxScheme{FEW}[starts-with(CompanyID, ../PostalAddress/Country/IdentificationCode)]/CompanyID",
        "PartyTaxScheme/CompanyID[contains(@schemeID, 'VAT') or contains(@schemeID, 'SE')]",
    ),
    "tax_number": (
        "PartyTaxScheme[TaxScheme/ID!='VAT']/CompanyID", "PartyTaxScheme/CompanyID[@schemeID='TAX']"),
    "street": (f"{_ADDRESS}/StreetName", f"{_ADDRESS}/AddressLine/Line", f"{_ADDRESS}/Postbox"),
    "street_extra": f"{_ADDRESS}/BuildingNumber|{_ADDRESS}/AdditionalStreetName"
                    f"|{_ADDRESS}[StreetName]/AddressLine/Line",
    "zip": f"{_ADDRESS}/PostalZone",
    "city": f"{_ADDRESS}/CityName",
    "region": f"{_ADDRESS}/CountrySubentity",
    "country": (f"{_ADDRESS}/Country/IdentificationCode", f"{_ADDRESS}/Country/Name"),
    "contact": ("Contact/Name", "Contact/ID"),
    "phone": "Contact/Telephone",
    "fax": ("Contact/Telefax", "Contact/Fax"),
    "email": ("Contact/ElectronicMail", "Contact/E-Mail", "EndpointID[@schemeID='EM']"),
    "website": "WebsiteURI",
    "electronic_address": "EndpointID",
}  # fmt: skip

_PLACES = ("DeliveryLocation/Address", "DeliveryAddress")
_DELIVERY: dict[str, Paths] = {
    "name": ("DeliveryParty/PartyName/Name", "DeliveryParty/PartyLegalEntity/RegistrationName",
             "DeliveryLocation/Name", "DeliveryLocation/Description"),
    "id": "DeliveryLocation/ID",
    **{
        name: tuple(f"{place}/{path}" for place in _PLACES for path in paths)
        for name, paths in {
            "street": ("StreetName", "AddressLine/Line"),
            "street_extra": ("AdditionalStreetName",),
            "zip": ("PostalZone",),
            "city": ("CityName",),
            "region": ("CountrySubentity",),
            "country": ("Country/IdentificationCode", "Country/Name"),
        }.items()
    },
}  # fmt: skip

_SUM = f"*[{_any('LegalMonetaryTotal', 'AnticipatedMonetaryTotal', 'RequestedMonetaryTotal', 'LegalTotal')}]"
_CURRENCY = "DocumentCurrencyCode|InvoiceCurrencyCode"

_TERMS: dict[str, Paths] = {
    "invoice_number": "ID",
    "invoice_type_code": ("InvoiceTypeCode", "CreditNoteTypeCode", "OrderTypeCode"),
    "invoice_date": "IssueDate",
    "note": "Note",
    "due_date": ("DueDate", "PaymentMeans/PaymentDueDate", "PaymentMeans/DuePaymentDate",
                 "PaymentTerms/PaymentDueDate", "PaymentTerms/InstallmentDueDate",
                 "PaymentTerms/SettlementPeriod/EndDate"),
    "delivery_date": ("Delivery/ActualDeliveryDate", "Delivery/ActualDeliveryDateTime",
                      "Delivery/RequestedDeliveryPeriod/EndDate", "Delivery/RequestedDeliveryDate",
                      "Delivery/LatestDeliveryDate", "InvoiceLine/Delivery/ActualDeliveryDate"),
    "period_start": ("InvoicePeriod/StartDate", "ValidityPeriod/StartDate"),
    "period_end": ("InvoicePeriod/EndDate", "ValidityPeriod/EndDate"),
    "tax_point_date": "TaxPointDate",
    "currency": ("DocumentCurrencyCode", "InvoiceCurrencyCode", f"{_SUM}/*/@currencyID",
                 f"{_SUM}/*/@amountCurrencyID"),
    "tax_currency": "TaxCurrencyCode",
    "order_number": ("OrderReference/ID", "OrderReference/BuyersID"),
    "order_date": "OrderReference/IssueDate",
    "sales_order_number": "OrderReference/SalesOrderID",
    "quotation_number": ("QuotationDocumentReference/ID", "QuoteDocumentReference/ID"),
    "contract_number": ("ContractDocumentReference/ID", "Contract/ID"),
    "project_number": ("ProjectReference/ID", "AdditionalDocumentReference[DocumentTypeCode='50']/ID"),
    "buyer_reference": ("BuyerReference", "AccountingCustomerParty/Party/Contact/ID",
                        "RequisitionistDocumentReference/ID"),
    "delivery_number": "DespatchDocumentReference/ID",
    "receiving_number": "ReceiptDocumentReference/ID",
    "tender_number": "OriginatorDocumentReference/ID",
    "invoiced_object": "AdditionalDocumentReference[DocumentTypeCode='130']/ID",
    "accounting_reference": ("AccountingCost", "AccountingCostCode"),
    "preceding_invoice": ("BillingReference/InvoiceDocumentReference/ID",
                          "InitialInvoiceDocumentReference/ID"),
    "preceding_invoice_date": "BillingReference/InvoiceDocumentReference/IssueDate",
    "incoterm": "DeliveryTerms/ID",
    "payment_reference": ("PaymentMeans/PaymentID", "PaymentMeans/InstructionID",
                          "PaymentMeans/PayeeFinancialAccount/PaymentNote"),
    "payment_means_code": ("PaymentMeans/PaymentMeansCode", "PaymentMeans/PaymentMeansTypeCode"),
    "payment_method": "PaymentMeans/PaymentMeansCode/@name",
    "account": "PaymentMeans/PayeeFinancialAccount/ID",
    "account_name": "PaymentMeans/PayeeFinancialAccount/Name",
    "bic": (
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID",
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/FinancialInstitution/ID",
    ),
    "bank_name": (
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/FinancialInstitution/Name",
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/Name",
    ),
    "debited_account": "PaymentMeans/PaymentMandate/PayerFinancialAccount/ID",
    "creditor_id": (
        "PayeeParty/PartyIdentification/ID[@schemeID='SEPA']",
        "AccountingSupplierParty/Party/PartyIdentification/ID[@schemeID='SEPA']",
    ),
    "mandate": "PaymentMeans/PaymentMandate/ID",
    "payment_terms": "PaymentTerms/Note",
    "lines_total": (f"{_SUM}/LineExtensionAmount", f"{_SUM}/LineExtensionTotalAmount"),
    "discount": f"{_SUM}/AllowanceTotalAmount",
    "charges": f"{_SUM}/ChargeTotalAmount",
    "net_total": (f"{_SUM}/TaxExclusiveAmount", f"{_SUM}/TaxExclusiveTotalAmount"),
    "tax_total": (
        f"TaxTotal{FEW}[TaxAmount/@currencyID=../{_CURRENCY.replace('|', '|../')}]/TaxAmount",
        "TaxTotal/TaxAmount",
        "TaxTotal/TotalTaxAmount",
    ),
    "withheld_tax": "WithholdingTaxTotal/TaxAmount",
    "rounding": (f"{_SUM}/PayableRoundingAmount", f"{_SUM}/RoundOffAmount"),
    "grand_total": (f"{_SUM}/TaxInclusiveAmount", f"{_SUM}/TaxInclusiveTotalAmount"),
    "amount_paid": f"{_SUM}/PrepaidAmount",
    "amount_due": f"{_SUM}/PayableAmount",
    **{
        term: paths
        for prefix, path in {
            "seller": f"*[{_any('AccountingSupplierParty', 'SellerSupplierParty', 'SellerParty')}]/Party",
            "buyer": f"*[{_any('AccountingCustomerParty', 'BuyerCustomerParty', 'BuyerParty')}]/Party",
            "payee": "PayeeParty",
            "tax_representative": "TaxRepresentativeParty",
        }.items()
        for term, paths in prefixed(prefix, path, _PARTY).items()
    },
    **prefixed("delivery", "Delivery", _DELIVERY),
}  # fmt: skip

_QUANTITY = f"*[{_any('InvoicedQuantity', 'CreditedQuantity', 'DebitedQuantity', 'Quantity')}]"

_LINE: dict[str, Paths] = {
    "position": "ID",
    "line_note": "Note",
    "description": ("Item/Name", "Item/Description"),
    "item_description": "Item/Description",
    "sku": "Item/SellersItemIdentification/ID",
    "buyer_sku": "Item/BuyersItemIdentification/ID",
    "gtin": "Item/StandardItemIdentification/ID",
    "classification": "Item/CommodityClassification/ItemClassificationCode",
    "origin": "Item/OriginCountry/IdentificationCode",
    "order_line": "OrderLineReference/LineID",
    "unit_price": ("Price/PriceAmount", "Item/BasePrice/PriceAmount"),
    "base_quantity": ("Price/BaseQuantity", "Item/BasePrice/BaseQuantity"),
    "gross_price": "Price/AllowanceCharge/BaseAmount",
    "price_discount": "Price/AllowanceCharge/Amount",
    "quantity": _QUANTITY,
    "unit": (f"{_QUANTITY}/@unitCode", f"{_QUANTITY}/@quantityUnitCode"),
    "line_date": ("Delivery/ActualDeliveryDate", "Delivery/RequestedDeliveryPeriod/EndDate"),
    "tax_rate": ("Item/ClassifiedTaxCategory/Percent", "Item/TaxCategory/Percent",
                 "TaxTotal/TaxSubtotal/TaxCategory/Percent", "TaxTotal/TaxSubtotal/Percent"),
    "tax_category": ("Item/ClassifiedTaxCategory/ID", "Item/TaxCategory/ID"),
    "tax_amount": "TaxTotal/TaxAmount",
    "period_start": "InvoicePeriod/StartDate",
    "period_end": "InvoicePeriod/EndDate",
    "line_total": "LineExtensionAmount",
    "line_discount": "AllowanceCharge[ChargeIndicator='false']/Amount",
    "line_charge": "AllowanceCharge[ChargeIndicator='true']/Amount",
    "discount_rate": "AllowanceCharge[ChargeIndicator='false']/MultiplierFactorNumeric",
}  # fmt: skip

_VAT: dict[str, Paths] = {
    "tax_rate": ("TaxCategory/Percent", "Percent"),
    "tax_category": "TaxCategory/ID",
    "taxable_amount": "TaxableAmount",
    "tax_amount": "TaxAmount",
    "exemption": "TaxCategory/TaxExemptionReason",
}

_ALLOWANCE: dict[str, Paths] = {
    "description": ("AllowanceChargeReason", "AllowanceChargeReasonCode"),
    "amount": "Amount",
    "tax_rate": "TaxCategory/Percent",
    "charge": "ChargeIndicator",
}


def _kind(root: Element) -> Kind:
    if root.tag == "Order":
        return "order"
    code = (root.findtext("InvoiceTypeCode") or "").strip()
    return "credit note" if root.tag == "CreditNote" or code in ("381", "396") else "invoice"


def _finish(root: Element, invoice: Invoice) -> None:
    """Correct totals of OIOUBL, which states the tax as ``TaxExclusiveAmount``."""
    terms = invoice.terms
    net, tax, gross = (amount(terms, term) for term in ("net_total", "tax_total", "grand_total"))
    lines = amount(terms, "lines_total")
    if None not in (net, tax, gross) and net == tax and net + tax != gross:  # type: ignore[operator]
        terms["net_total"] = [plain(gross - tax)]  # type: ignore[operator]
    if net is None and gross is None and lines is not None and "amount_due" in terms and tax is None:
        terms["net_total"] = terms["lines_total"]


UBL = Syntax(
    name="UBL",
    roots=frozenset({"Invoice", "CreditNote", "DebitNote", "Order"}),
    proof=f"ID[1][../IssueDate and ../{_SUM}|../InvoiceLine|../CreditNoteLine|../OrderLine]",
    terms=_TERMS,
    tables={
        "lines": Table(("InvoiceLine|CreditNoteLine|DebitNoteLine", "OrderLine/LineItem"), _LINE),
        "vat": Table(
            (
                f"TaxTotal{FEW}[TaxAmount/@currencyID=../{_CURRENCY.replace('|', '|../')}]/TaxSubtotal",
                "TaxTotal/TaxSubtotal",
                "TaxTotal/TaxSubTotal",
            ),
            _VAT,
        ),
        "allowances": Table("AllowanceCharge", _ALLOWANCE),
    },
    kind=_kind,
    summed=frozenset({"tax_total", "withheld_tax"}),
    finish=_finish,
)

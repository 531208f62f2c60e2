"""UN/CEFACT Cross Industry Invoice and Order: Factur-X, ZUGFeRD (1.0 too), XRechnung CII, Order-X.

Sources: the schemas of UN/CEFACT D16B (CrossIndustryInvoice:100, SCRDMCCBDACIOMessageStructure:100) and of
ZUGFeRD 1.0 (CrossIndustryDocument:1p0), whose names are brought to common ones by ``rename``.
"""

from __future__ import annotations

from docduck.documents.formats.einvoice.mapping import FEW, Paths, Syntax, Table, prefixed
from docduck.documents.formats.einvoice.model import Kind
from docduck.documents.formats.xml_tree import Element

_CREDIT_NOTES = frozenset({"81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532"})
"""The types of credit notes in code list UNTDID 1001, as EN 16931 names them."""

_RENAME = {
    **dict.fromkeys(
        ("ApplicableHeaderTradeAgreement", "ApplicableSupplyChainTradeAgreement",
         "SpecifiedLineTradeAgreement", "SpecifiedSupplyChainTradeAgreement"), "TradeAgreement"),
    **dict.fromkeys(
        ("ApplicableHeaderTradeDelivery", "ApplicableSupplyChainTradeDelivery", "SpecifiedLineTradeDelivery",
         "SpecifiedSupplyChainTradeDelivery"), "TradeDelivery"),
    **dict.fromkeys(
        ("ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement",
         "SpecifiedLineTradeSettlement", "SpecifiedSupplyChainTradeSettlement"), "TradeSettlement"),
    **dict.fromkeys(
        ("SpecifiedTradeSettlementHeaderMonetarySummation", "SpecifiedTradeSettlementMonetarySummation",
         "SpecifiedTradeSettlementLineMonetarySummation"), "MonetarySummation"),
    "HeaderExchangedDocument": "ExchangedDocument",
    "SpecifiedExchangedDocument": "ExchangedDocument",
    "SpecifiedSupplyChainTradeTransaction": "SupplyChainTradeTransaction",
    "ApplicablePercent": "RateApplicablePercent",
}  # fmt: skip

_PARTY: dict[str, Paths] = {
    "name": "Name",
    "trading_name": "SpecifiedLegalOrganization/TradingBusinessName",
    "id": ("ID", "GlobalID"),
    "registration_number": "SpecifiedLegalOrganization/ID",
    "vat_id": (
        "SpecifiedTaxRegistration/ID[@schemeID='VA' or @schemeID='VAT']",
        "SpecifiedTaxRegistration/ID[not(@schemeID)]",
    ),
    "tax_number": "SpecifiedTaxRegistration/ID[@schemeID='FC']",
    "street": ("PostalTradeAddress/LineOne", "PostalTradeAddress/StreetName"),
    "street_extra": "PostalTradeAddress/LineTwo|PostalTradeAddress/LineThree",
    "zip": "PostalTradeAddress/PostcodeCode",
    "city": "PostalTradeAddress/CityName",
    "region": "PostalTradeAddress/CountrySubDivisionName",
    "country": "PostalTradeAddress/CountryID",
    "contact": ("DefinedTradeContact/PersonName", "DefinedTradeContact/DepartmentName"),
    "phone": "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber",
    "fax": "DefinedTradeContact/FaxUniversalCommunication/CompleteNumber",
    "email": (
        "DefinedTradeContact/EmailURIUniversalCommunication/URIID",
        "DefinedTradeContact/EmailURIUniversalCommunication/CompleteNumber",
        "URIUniversalCommunication/URIID[@schemeID='EM']",
    ),
    "electronic_address": "URIUniversalCommunication/URIID",
}

_S = "SupplyChainTradeTransaction"
_A, _D, _T = f"{_S}/TradeAgreement", f"{_S}/TradeDelivery", f"{_S}/TradeSettlement"
_MEANS = f"{_T}/SpecifiedTradeSettlementPaymentMeans"
_SUM = f"{_T}/MonetarySummation"


def _reference(path: str) -> Paths:
    return (f"{path}/IssuerAssignedID", f"{path}/ID")


def _stated(name: str) -> Paths:
    """Return the paths of an amount of the summation, that in the document's currency first."""
    return (
        f"{_SUM}/{name}{FEW}[@currencyID=../../InvoiceCurrencyCode or @currencyID=../../OrderCurrencyCode]",
        f"{_SUM}/{name}",
    )


_TERMS: dict[str, Paths] = {
    "invoice_number": "ExchangedDocument/ID",
    "invoice_type_code": "ExchangedDocument/TypeCode",
    "document_title": "ExchangedDocument/Name",
    "invoice_date": "ExchangedDocument/IssueDateTime/*",
    "note": "ExchangedDocument/IncludedNote/Content",
    "due_date": f"{_T}/SpecifiedTradePaymentTerms/DueDateDateTime/*",
    "delivery_date": (
        f"{_D}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/*",
        f"{_D}/RequestedDeliverySupplyChainEvent/OccurrenceDateTime/*",
    ),
    "period_start": f"{_T}/BillingSpecifiedPeriod/StartDateTime/*",
    "period_end": f"{_T}/BillingSpecifiedPeriod/EndDateTime/*",
    "tax_point_date": f"{_T}/ApplicableTradeTax/TaxPointDate/*",
    "currency": (
        f"{_T}/InvoiceCurrencyCode",
        f"{_T}/OrderCurrencyCode",
        f"{_SUM}/GrandTotalAmount/@currencyID",
    ),
    "tax_currency": f"{_T}/TaxCurrencyCode",
    "order_number": _reference(f"{_A}/BuyerOrderReferencedDocument"),
    "order_date": f"{_A}/BuyerOrderReferencedDocument/FormattedIssueDateTime/*",
    "sales_order_number": _reference(f"{_A}/SellerOrderReferencedDocument"),
    "quotation_number": _reference(f"{_A}/QuotationReferencedDocument"),
    "contract_number": _reference(f"{_A}/ContractReferencedDocument"),
    "project_number": f"{_A}/SpecifiedProcuringProject/ID",
    "project_name": f"{_A}/SpecifiedProcuringProject/Name",
    "buyer_reference": f"{_A}/BuyerReference",
    "delivery_number": (
        *_reference(f"{_D}/DespatchAdviceReferencedDocument"),
        *_reference(f"{_D}/DeliveryNoteReferencedDocument"),
    ),
    "receiving_number": _reference(f"{_D}/ReceivingAdviceReferencedDocument"),
    "invoiced_object": f"{_A}/AdditionalReferencedDocument[TypeCode='130']/IssuerAssignedID",
    "accounting_reference": f"{_T}/ReceivableSpecifiedTradeAccountingAccount/ID",
    "preceding_invoice": _reference(f"{_T}/InvoiceReferencedDocument"),
    "preceding_invoice_date": f"{_T}/InvoiceReferencedDocument/FormattedIssueDateTime/*",
    "incoterm": f"{_A}/ApplicableTradeDeliveryTerms/DeliveryTypeCode",
    "payment_reference": f"{_T}/PaymentReference",
    "payment_means_code": f"{_MEANS}/TypeCode",
    "payment_method": f"{_MEANS}/Information",
    "account": (
        f"{_MEANS}/PayeePartyCreditorFinancialAccount/IBANID",
        f"{_MEANS}/PayeePartyCreditorFinancialAccount/ProprietaryID",
    ),
    "account_name": f"{_MEANS}/PayeePartyCreditorFinancialAccount/AccountName",
    "bic": f"{_MEANS}/PayeeSpecifiedCreditorFinancialInstitution/BICID",
    "bank_name": f"{_MEANS}/PayeeSpecifiedCreditorFinancialInstitution/Name",
    "debited_account": f"{_MEANS}/PayerPartyDebtorFinancialAccount/IBANID",
    "creditor_id": f"{_T}/CreditorReferenceID",
    "mandate": f"{_T}/SpecifiedTradePaymentTerms/DirectDebitMandateID",
    "payment_terms": f"{_T}/SpecifiedTradePaymentTerms/Description",
    "lines_total": _stated("LineTotalAmount"),
    "discount": _stated("AllowanceTotalAmount"),
    "charges": _stated("ChargeTotalAmount"),
    "net_total": _stated("TaxBasisTotalAmount"),
    "tax_total": _stated("TaxTotalAmount"),
    "rounding": _stated("RoundingAmount"),
    "grand_total": _stated("GrandTotalAmount"),
    "amount_paid": _stated("TotalPrepaidAmount"),
    "amount_due": _stated("DuePayableAmount"),
    **prefixed("seller", f"{_A}/SellerTradeParty", _PARTY),
    **prefixed("buyer", f"{_A}/BuyerTradeParty", _PARTY),
    **prefixed("delivery", f"{_D}/ShipToTradeParty", _PARTY),
    **prefixed("payee", f"{_T}/PayeeTradeParty", _PARTY),
    **prefixed("tax_representative", f"{_A}/SellerTaxRepresentativeTradeParty", _PARTY),
}

_LINE: dict[str, Paths] = {
    "position": "AssociatedDocumentLineDocument/LineID",
    "line_note": "AssociatedDocumentLineDocument/IncludedNote/Content",
    "description": "SpecifiedTradeProduct/Name",
    "item_description": "SpecifiedTradeProduct/Description",
    "sku": "SpecifiedTradeProduct/SellerAssignedID",
    "buyer_sku": "SpecifiedTradeProduct/BuyerAssignedID",
    "gtin": "SpecifiedTradeProduct/GlobalID",
    "classification": "SpecifiedTradeProduct/DesignatedProductClassification/ClassCode",
    "origin": "SpecifiedTradeProduct/OriginTradeCountry/ID",
    "order_line": "TradeAgreement/BuyerOrderReferencedDocument/LineID",
    "unit_price": "TradeAgreement/NetPriceProductTradePrice/ChargeAmount",
    "base_quantity": (
        "TradeAgreement/NetPriceProductTradePrice/BasisQuantity",
        "TradeAgreement/GrossPriceProductTradePrice/BasisQuantity",
    ),
    "gross_price": "TradeAgreement/GrossPriceProductTradePrice/ChargeAmount",
    "price_discount": "TradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ActualAmount",
    "quantity": ("TradeDelivery/BilledQuantity", "TradeDelivery/RequestedQuantity"),
    "unit": ("TradeDelivery/BilledQuantity/@unitCode", "TradeDelivery/RequestedQuantity/@unitCode"),
    "line_date": "TradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/*",
    "tax_rate": "TradeSettlement/ApplicableTradeTax/RateApplicablePercent",
    "tax_category": "TradeSettlement/ApplicableTradeTax/CategoryCode",
    "period_start": "TradeSettlement/BillingSpecifiedPeriod/StartDateTime/*",
    "period_end": "TradeSettlement/BillingSpecifiedPeriod/EndDateTime/*",
    "line_total": "TradeSettlement/MonetarySummation/LineTotalAmount",
    "gross_line_total": "TradeSettlement/MonetarySummation/GrandTotalAmount",
    "tax_amount": "TradeSettlement/ApplicableTradeTax/CalculatedAmount",
    "line_discount": (
        "TradeSettlement/SpecifiedTradeAllowanceCharge[ChargeIndicator/Indicator='false']/ActualAmount"
    ),
    "line_charge": (
        "TradeSettlement/SpecifiedTradeAllowanceCharge[ChargeIndicator/Indicator='true']/ActualAmount"
    ),
    "discount_rate": "TradeSettlement/SpecifiedTradeAllowanceCharge/CalculationPercent",
}

_VAT: dict[str, Paths] = {
    "tax_rate": "RateApplicablePercent",
    "tax_category": "CategoryCode",
    "taxable_amount": "BasisAmount",
    "tax_amount": "CalculatedAmount",
    "exemption": "ExemptionReason",
}

_ALLOWANCE: dict[str, Paths] = {
    "description": ("Reason", "ReasonCode"),
    "amount": "ActualAmount",
    "tax_rate": "CategoryTradeTax/RateApplicablePercent",
    "charge": "ChargeIndicator/Indicator",
}


def _kind(root: Element) -> Kind:
    code = (root.findtext("ExchangedDocument/TypeCode") or "").strip()
    if root.tag.startswith("SCRDM"):
        return "order"
    return "credit note" if code in _CREDIT_NOTES else "invoice"


CII = Syntax(
    name="UN/CEFACT Cross Industry Invoice",
    roots=frozenset({"CrossIndustryInvoice", "CrossIndustryDocument", "SCRDMCCBDACIOMessageStructure"}),
    proof="*[contains(local-name(), 'SupplyChainTradeTransaction')]",
    terms=_TERMS,
    tables={
        "lines": Table(f"{_S}/IncludedSupplyChainTradeLineItem", _LINE),
        "vat": Table(f"{_T}/ApplicableTradeTax", _VAT),
        "allowances": Table(f"{_T}/SpecifiedTradeAllowanceCharge", _ALLOWANCE),
    },
    kind=_kind,
    rename=_RENAME,
)

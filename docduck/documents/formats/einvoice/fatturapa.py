"""FatturaPA, the Italian electronic invoice: ordinary (1.x) and simplified.

Source: the schemas of the Agenzia delle Entrate for ``FatturaElettronica`` and its simplified form.
"""

from __future__ import annotations

from docduck.documents.formats.einvoice.mapping import Paths, Syntax, Table, prefixed
from docduck.documents.formats.einvoice.model import Invoice, Kind
from docduck.documents.formats.xml_tree import Element

_PARTY: dict[str, Paths] = {
    "name": (
        "DatiAnagrafici/Anagrafica/Denominazione", "Denominazione", "AltriDatiIdentificativi/Denominazione",
        "concat(DatiAnagrafici/Anagrafica/Nome, ' ', DatiAnagrafici/Anagrafica/Cognome)",
        "concat(Nome, ' ', Cognome)",
    ),
    "vat_id": (
        "concat(DatiAnagrafici/IdFiscaleIVA/IdPaese, DatiAnagrafici/IdFiscaleIVA/IdCodice)",
        "concat(IdFiscaleIVA/IdPaese, IdFiscaleIVA/IdCodice)",
        "concat(IdentificativiFiscali/IdFiscaleIVA/IdPaese, IdentificativiFiscali/IdFiscaleIVA/IdCodice)",
    ),
    "tax_number": ("DatiAnagrafici/CodiceFiscale", "CodiceFiscale", "IdentificativiFiscali/CodiceFiscale"),
    "registration_number": "IscrizioneREA/NumeroREA",
    "street": ("Sede/Indirizzo", "AltriDatiIdentificativi/Sede/Indirizzo", "StabileOrganizzazione/Indirizzo"),
    "street_extra": ("Sede/NumeroCivico", "AltriDatiIdentificativi/Sede/NumeroCivico"),
    "zip": ("Sede/CAP", "AltriDatiIdentificativi/Sede/CAP"),
    "city": ("Sede/Comune", "AltriDatiIdentificativi/Sede/Comune"),
    "region": ("Sede/Provincia", "AltriDatiIdentificativi/Sede/Provincia"),
    "country": ("Sede/Nazione", "AltriDatiIdentificativi/Sede/Nazione"),
    "contact": "RiferimentoAmministrazione",
    "phone": "Contatti/Telefono",
    "fax": "Contatti/Fax",
    "email": "Contatti/Email",
}  # fmt: skip

_HEAD = "../FatturaElettronicaHeader"
_G = "DatiGenerali/DatiGeneraliDocumento"
_AGREED = "DatiGenerali/*[self::DatiOrdineAcquisto or self::DatiContratto or self::DatiConvenzione]"
_PAY = "DatiPagamento/DettaglioPagamento"

_TERMS: dict[str, Paths] = {
    "invoice_number": (f"{_G}/Numero",),
    "invoice_type_code": f"{_G}/TipoDocumento",
    "invoice_date": f"{_G}/Data",
    "currency": f"{_G}/Divisa",
    "note": f"{_G}/Causale",
    "due_date": f"{_PAY}/DataScadenzaPagamento",
    "delivery_date": ("DatiGenerali/DatiTrasporto/DataOraConsegna", "DatiGenerali/DatiDDT/DataDDT"),
    "order_number": "DatiGenerali/DatiOrdineAcquisto/IdDocumento",
    "order_date": "DatiGenerali/DatiOrdineAcquisto/Data",
    "contract_number": "DatiGenerali/DatiContratto/IdDocumento",
    "delivery_number": "DatiGenerali/DatiDDT/NumeroDDT",
    "receiving_number": "DatiGenerali/DatiRicezione/IdDocumento",
    "project_number": f"{_AGREED}/CodiceCUP",
    "tender_number": f"{_AGREED}/CodiceCIG",
    "buyer_reference": (f"{_HEAD}/DatiTrasmissione/CodiceDestinatario",),
    "preceding_invoice": "DatiGenerali/DatiFattureCollegate/IdDocumento",
    "preceding_invoice_date": "DatiGenerali/DatiFattureCollegate/Data",
    "payment_means_code": f"{_PAY}/ModalitaPagamento",
    "payment_reference": f"{_PAY}/CodicePagamento",
    "account": f"{_PAY}/IBAN",
    "bic": f"{_PAY}/BIC",
    "bank_name": f"{_PAY}/IstitutoFinanziario",
    "payee_name": f"{_PAY}/Beneficiario",
    "grand_total": (f"{_G}/ImportoTotaleDocumento", "DatiBeniServizi/Importo"),
    "tax_total": "DatiBeniServizi/DatiIVA/Imposta",
    "rounding": f"{_G}/Arrotondamento",
    "withheld_tax": f"{_G}/DatiRitenuta/ImportoRitenuta",
    "amount_due": f"{_PAY}/ImportoPagamento",
    **prefixed("seller", f"{_HEAD}/CedentePrestatore", _PARTY),
    **prefixed("buyer", f"{_HEAD}/CessionarioCommittente", _PARTY),
    **prefixed("tax_representative", f"{_HEAD}/RappresentanteFiscale", _PARTY),
}

_LINE: dict[str, Paths] = {
    "position": "NumeroLinea",
    "description": "Descrizione",
    "sku": "CodiceArticolo/CodiceValore",
    "quantity": "Quantita",
    "unit": "UnitaMisura",
    "unit_price": "PrezzoUnitario",
    "line_total": ("PrezzoTotale", "Importo"),
    "tax_rate": ("AliquotaIVA", "DatiIVA/Aliquota"),
    "tax_category": "Natura",
    "tax_amount": "DatiIVA/Imposta",
    "discount_rate": "ScontoMaggiorazione[Tipo='SC']/Percentuale",
    "line_discount": "ScontoMaggiorazione[Tipo='SC']/Importo",
    "line_charge": "ScontoMaggiorazione[Tipo='MG']/Importo",
    "period_start": "DataInizioPeriodo",
    "period_end": "DataFinePeriodo",
    "accounting_reference": "RiferimentoAmministrazione",
}

_VAT: dict[str, Paths] = {
    "tax_rate": "AliquotaIVA",
    "tax_category": "Natura",
    "taxable_amount": "ImponibileImporto",
    "tax_amount": "Imposta",
    "exemption": "RiferimentoNormativo",
}

_ALLOWANCE: dict[str, Paths] = {"description": "Tipo", "amount": "Importo"}


def _kind(root: Element) -> Kind:
    code = (root.findtext(f"{_G}/TipoDocumento") or "").strip()
    return "credit note" if code in ("TD04", "TD08") else "invoice"


def _finish(root: Element, invoice: Invoice) -> None:
    bodies = root.itersiblings("FatturaElettronicaBody")
    if more := sum(1 for _ in bodies):
        invoice.warnings.append(f"The file holds {more + 1} invoices; the first was read")


FATTURAPA = Syntax(
    name="FatturaPA",
    roots=frozenset({"FatturaElettronicaBody"}),
    proof="DatiGenerali",
    terms=_TERMS,
    tables={
        "lines": Table("DatiBeniServizi/DettaglioLinee|DatiBeniServizi[Importo]", _LINE),
        "vat": Table("DatiBeniServizi/DatiRiepilogo", _VAT),
        "allowances": Table(f"{_G}/ScontoMaggiorazione", _ALLOWANCE),
    },
    kind=_kind,
    summed=frozenset({"amount_due", "grand_total", "tax_total", "withheld_tax"}),
    finish=_finish,
)

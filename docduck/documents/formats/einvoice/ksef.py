"""KSeF FA, the Polish structured invoice.

Source: the logical schemas FA(1) to FA(3) of the Ministerstwo Finansów.
"""

from __future__ import annotations

from docduck.documents.formats.einvoice.mapping import Paths, Syntax, Table, prefixed
from docduck.documents.formats.einvoice.model import Kind
from docduck.documents.formats.xml_tree import Element

_PARTY: dict[str, Paths] = {
    "name": (
        "DaneIdentyfikacyjne/Nazwa",
        "DaneIdentyfikacyjne/PelnaNazwa",
        "concat(DaneIdentyfikacyjne/ImiePierwsze, ' ', DaneIdentyfikacyjne/Nazwisko)",
    ),
    "trading_name": "DaneIdentyfikacyjne/NazwaHandlowa",
    "vat_id": ("DaneIdentyfikacyjne/NIP", "DaneIdentyfikacyjne/NrVatUE", "DaneIdentyfikacyjne/NrID"),
    "id": "NrKlienta",
    "street": ("Adres/AdresL1", "Adres/AdresPol/Ulica"),
    "street_extra": ("Adres/AdresPol/NrDomu",),
    "zip": "Adres/AdresPol/KodPocztowy",
    "city": ("Adres/AdresL2", "Adres/AdresPol/Miejscowosc"),
    "country": ("Adres/KodKraju", "Adres/AdresPol/KodKraju"),
    "phone": "DaneKontaktowe/Telefon",
    "email": "DaneKontaktowe/Email",
}

_TERMS: dict[str, Paths] = {
    "invoice_number": "Fa/P_2",
    "invoice_type_code": "Fa/RodzajFaktury",
    "invoice_date": "Fa/P_1",
    "delivery_date": ("Fa/P_6", "Fa/OkresFa/P_6_Do"),
    "period_start": "Fa/OkresFa/P_6_Od",
    "period_end": "Fa/OkresFa/P_6_Do",
    "currency": "Fa/KodWaluty",
    "due_date": ("Fa/Platnosc/TerminPlatnosci/Termin", "Fa/Platnosc/TerminyPlatnosci/TerminPlatnosci"),
    "payment_terms": "Fa/Platnosc/TerminPlatnosci/TerminOpis",
    "payment_means_code": "Fa/Platnosc/FormaPlatnosci",
    "account": ("Fa/Platnosc/RachunekBankowy/NrRB", "Fa/Platnosc/RachunekBankowy/NrRBPL"),
    "bic": "Fa/Platnosc/RachunekBankowy/SWIFT",
    "bank_name": "Fa/Platnosc/RachunekBankowy/NazwaBanku",
    "order_number": "Fa/WarunkiTransakcji/Zamowienia/NrZamowienia",
    "order_date": "Fa/WarunkiTransakcji/Zamowienia/DataZamowienia",
    "contract_number": "Fa/WarunkiTransakcji/Umowy/NrUmowy",
    "preceding_invoice": "Fa/DaneFaKorygowanej/NrFaKorygowanej",
    "preceding_invoice_date": "Fa/DaneFaKorygowanej/DataWystFaKorygowanej",
    "delivery_number": "Fa/WZ",
    "note": "Fa/DodatkowyOpis/Wartosc|Stopka/Informacje/StopkaFaktury",
    "net_total": "Fa/*[starts-with(local-name(), 'P_13_')]",
    "tax_total": "Fa/*[starts-with(local-name(), 'P_14_') and not(contains(local-name(), 'W'))]",
    "grand_total": "Fa/P_15",
    "amount_paid": "Fa/Platnosc/ZaplataCzesciowa/KwotaZaplatyCzesciowej",
    **prefixed("seller", "Podmiot1", _PARTY),
    **prefixed("buyer", "Podmiot2", _PARTY),
}

_LINE: dict[str, Paths] = {
    "position": "NrWierszaFa", "description": "P_7", "sku": ("Indeks", "GTIN"), "gtin": "GTIN",
    "classification": ("CN", "PKWiU"), "unit": "P_8A", "quantity": "P_8B", "unit_price": ("P_9A", "P_9B"),
    "line_discount": "P_10", "line_total": ("P_11", "P_11A"), "gross_line_total": "P_11A",
    "tax_rate": "P_12", "line_date": "P_6A",
}  # fmt: skip


def _kind(root: Element) -> Kind:
    code = (root.findtext("Fa/RodzajFaktury") or "").strip()
    return "credit note" if code.startswith("KOR") else "invoice"


KSEF = Syntax(
    name="KSeF FA",
    roots=frozenset({"Faktura"}),
    proof="Fa[../Podmiot1]",
    terms=_TERMS,
    tables={"lines": Table("Fa/FaWiersz|Fa/FaWiersze/FaWiersz", _LINE)},
    kind=_kind,
    summed=frozenset({"net_total", "tax_total", "amount_paid"}),
)

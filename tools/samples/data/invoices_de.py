"""German invoices."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tools.samples import people
from tools.samples.formats import CH, DE, DE_LONG
from tools.samples.invoice import Invoice
from tools.samples.priced import Line, chosen_lines
from tools.samples.sheet import SERIF, VERA, Theme
from tools.samples.words import DE as WORDS

TOOLS = Invoice(
    people.BRANDT,
    people.KESSLER,
    "RE-2024-0815",
    date(2024, 3, 14),
    "EUR",
    DE,
    WORDS,
    (
        Line("Stanzwerkzeug für Blechhalter, gehärtet", "2", "1480.00", "SW-4410", "Stk"),
        Line(
            "Nachschleifen der Schneidplatten einschließlich Prüfprotokoll und Anlieferung",
            "12",
            "38.50",
            "NS-200",
            "Stk",
        ),
        Line("Konstruktion Vorrichtung Pos. 7 nach Zeichnung 33-1182 Rev. C", "6.5", "92.00", "KON-1", "Std"),
        Line("Verpackung und Versand", "1", "64.90", "VP-9", "psch"),
    ),
    ("position", "item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="19",
    due=date(2024, 4, 13),
    order="45-007731",
    customer_number="104482",
    terms="30 Tage netto",
    extras=(("Lieferschein", "LS-2291"), ("Ansprechpartner", "Frau Reuter")),
    intro="Sehr geehrte Damen und Herren,\nfür die im März ausgeführten Arbeiten berechnen wir Ihnen:",
    closing="Bitte geben Sie bei der Überweisung die Rechnungsnummer an. Vielen Dank für Ihren Auftrag.",
)

_QUANTITIES = (1, 2, 3, 5, 6, 10, 12, 20, 25, 40)
_STATIONERY = (
    Line("Kopierpapier A4, 80 g, weiß, 500 Blatt", "", "4.35", "KP-080", "Pack"),
    Line("Ordner A4, 80 mm, blau", "", "2.19", "OR-811", "Stk"),
    Line("Kugelschreiber Schreibfarbe schwarz, Druckmechanik", "", "0.89", "KS-015", "Stk"),
    Line("Haftnotizen 76 x 76 mm, gelb, 12 Blöcke", "", "6.49", "HN-076", "Pack"),
    Line("Briefumschläge DIN lang mit Fenster, selbstklebend, 1000 Stück", "", "24.90", "BU-110", "Karton"),
    Line("Textmarker sortiert, 6er-Etui", "", "5.75", "TM-006", "Etui"),
    Line("Heftklammern 24/6 verzinkt", "", "1.15", "HK-246", "Pack"),
    Line(
        "Toner schwarz, Reichweite ca. 9.000 Seiten, passend zu Modell L-5200", "", "118.00", "TO-520", "Stk"
    ),
    Line("Register A4, 12-teilig", "", "1.95", "RG-012", "Satz"),
    Line("Whiteboard-Marker, rot", "", "1.65", "WM-003", "Stk"),
    Line("Aktenvernichter-Öl, 250 ml", "", "7.80", "AV-250", "Flasche"),
    Line("Tischkalender, eine Woche auf zwei Seiten", "", "8.40", "TK-024", "Stk"),
    Line("Locher für 25 Blatt", "", "9.95", "LO-025", "Stk"),
    Line("Versandkarton 300 x 200 x 150 mm, 25 Stück", "", "17.50", "VK-302", "Bündel"),
)

STATIONERY = Invoice(
    people.NORDLICHT,
    people.WEBER,
    "2024103377",
    date(2024, 5, 31),
    "EUR",
    DE,
    {
        **WORDS,
        "number": "Rechnungs-Nr.",
        "date": "Datum",
        "customer_number": "Kunden-Nr.",
        "due": "Zahlbar bis",
    },
    chosen_lines(7, 58, _STATIONERY, _QUANTITIES),
    ("position", "item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="19",
    due=date(2024, 6, 14),
    customer_number="D-30918",
    intro="Sammelrechnung für die Lieferungen im Mai 2024",
    closing="Es gelten unsere AGB. Die Ware bleibt bis zur Zahlung unser Eigentum.",
    carry=True,
    theme=Theme(accent="#0b6b62"),
)

DESIGN = Invoice(
    people.LENZ,
    people.FJORD,
    "2024-031",
    date(2024, 9, 3),
    "EUR",
    DE_LONG,
    {
        **WORDS,
        "tax_id": "Steuernummer",
        "number": "Rechnung Nr.",
        "date": "Ausgestellt am",
        "col_description": "Leistung",
        "col_quantity": "Stunden",
        "col_unit_price": "Stundensatz",
        "col_amount": "Betrag",
        "total": "Rechnungsbetrag",
    },
    (
        Line("Verpackungsgestaltung Röstung „Nordwind“: drei Entwürfe", "14.5", "75.00"),
        Line("Reinzeichnung und Druckdaten für zwei Beutelgrößen (250 g und 1 kg)", "6", "75.00"),
        Line("Abstimmung mit der Druckerei", "1.25", "60.00"),
    ),
    ("description", "quantity", "unit_price", "amount"),
    due=date(2024, 9, 17),
    closing="Gemäß § 19 UStG wird keine Umsatzsteuer berechnet. Herzlichen Dank für Ihren Auftrag!",
    theme=Theme(*SERIF, accent="#a4432f"),
)

FARM = Invoice(
    people.HOFLADEN,
    people.GASTHAUS,
    "24/0466",
    date(2024, 7, 8),
    "EUR",
    DE,
    {**WORDS, "tax": "MwSt. {rate} %", "col_description": "Artikel", "col_amount": "Betrag"},
    (
        Line("Kartoffeln festkochend, Sorte Linda", "75", "0.92", None, "kg", "7"),
        Line("Spargel weiß, Klasse I", "18.4", "9.80", None, "kg", "7"),
        Line("Freilandeier Größe L", "180", "0.34", None, "Stk", "7"),
        Line("Apfelsaft naturtrüb, Kiste 6 x 1 l", "8", "10.20", None, "Kiste", "19"),
        Line(
            "Heideschinken am Stück, luftgetrocknet, zwölf Monate gereift", "3.62", "24.50", None, "kg", "7"
        ),
        Line("Pfand Mehrwegkisten", "8", "2.40", None, "Stk", "19"),
    ),
    ("description", "quantity", "unit", "unit_price", "tax_rate", "amount"),
    due=date(2024, 7, 22),
    customer_number="1177",
    terms="14 Tage ohne Abzug",
    theme=Theme(accent="#4c7a34"),
)

CREDIT = Invoice(
    people.NORDLICHT,
    people.FJORD,
    "GS-2024-0092",
    date(2024, 6, 19),
    "EUR",
    DE,
    {
        **WORDS,
        "number": "Gutschrift Nr.",
        "date": "Datum",
        "customer_number": "Kunden-Nr.",
        "total": "Gutschriftsbetrag",
    },
    (
        Line("Rücknahme Drehstuhl „Elbe“, Transportschaden", "2", "189.00", "DS-044", "Stk"),
        Line("Erstattung der Versandkosten", "1", "14.90", "VS-1", "psch"),
    ),
    ("position", "item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="19",
    customer_number="D-41207",
    extras=(("Zu Rechnung", "2024102915"),),
    credit=True,
    intro="Wir schreiben Ihnen wie besprochen gut:",
    closing="Der Betrag wird mit Ihrer nächsten Rechnung verrechnet.",
    theme=Theme(accent="#0b6b62"),
)

SWISS = Invoice(
    people.ALPWERK,
    people.SEEBAHN,
    "R-240611",
    date(2024, 6, 11),
    "CHF",
    CH,
    {
        **WORDS,
        "tax_id": "UID",
        "due": "Zahlbar bis",
        "tax": "MWST {rate} %",
        "subtotal": "Zwischensumme",
        "total": "Total CHF",
        "col_description": "Beschreibung",
        "col_unit_price": "Preis",
        "col_amount": "Betrag",
        "order": "Bestellung",
    },
    (
        Line(
            "Schwingungsmessung Triebwagen Serie 12, drei Messtage inkl. Auswertung",
            "3",
            "1850.00",
            None,
            "Tag",
        ),
        Line("Messbericht mit Handlungsempfehlung", "1", "2400.00", None, "Stk"),
        Line("Reisespesen Zürich–Luzern", "3", "86.40", None, "Fahrt"),
        Line("Mietgerät Beschleunigungssensor dreiachsig", "12", "45.50", None, "Tag"),
    ),
    ("position", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="8.1",
    due=date(2024, 7, 11),
    order="SB-55120",
    customer_number="20077",
    theme=Theme(*VERA, accent="#8c1c2e"),
    closing="Bitte verwenden Sie für die Zahlung die oben stehende IBAN. Besten Dank.",
)

GAUGES = Invoice(
    people.ISARTEC,
    people.STADTWERKE,
    "IM-10472",
    date(2024, 11, 21),
    "EUR",
    DE,
    {
        **WORDS,
        "customer": "Rechnung an",
        "order": "Bestell-Nr.",
        "col_item": "Art.-Nr.",
        "col_amount": "Betrag",
    },
    (
        Line("Ultraschall-Durchflussmesser DN 80", "3", "1245.00", "UDM-80", "Stk"),
        Line("Temperaturfühler Pt1000, Einbaulänge 105 mm", "6", "38.20", "PT-105", "Stk"),
        Line("Werkskalibrierung mit Zertifikat", "3", "160.00", "KAL-W", "Stk"),
    ),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="19",
    due=date(2024, 12, 21),
    order="SWR-2024-3318",
    terms="30 Tage netto",
    closing="Lieferung frei Haus am 19.11.2024.",
    theme=Theme(accent="#1f3a5f"),
)

SPARE_PARTS = replace(
    TOOLS,
    receiver=people.STADTWERKE,
    number="RE-2024-0977",
    date=date(2024, 4, 29),
    due=date(2024, 5, 29),
    order="SWR-2024-1180",
    customer_number="104518",
    lines=(
        Line("Dichtungssatz Pumpe P3", "4", "86.40", "DS-P3", "Satz"),
        Line("Lagerbock gefräst, Werkstoff 1.4301", "2", "312.00", "LB-143", "Stk"),
        Line("Montage vor Ort, zwei Monteure", "5", "124.00", "MO-2", "Std"),
    ),
    extras=(("Lieferschein", "LS-2340"),),
    intro="Sehr geehrte Damen und Herren,\nwir berechnen Ihnen wie vereinbart:",
)

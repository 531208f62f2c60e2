"""Bank statements."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tools.samples import people
from tools.samples.formats import DE, ES, FR, GB_SHORT, US, US_LONG, Locale
from tools.samples.party import Party, iban
from tools.samples.sheet import Theme
from tools.samples.statement import Entry, Statement

DE_CODE = Locale("de", ".", ",", "{} EUR", DE.day)
DAY_MONTH_FR = Locale("fr", "\xa0", ",", "{} €", "{d:02}/{m:02}")

HAMBURG = Statement(
    Party("Hafenbank Hamburg", ("Am Sandtorkai 30", "20457 Hamburg")),
    people.FJORD,
    iban("DE", "200505500300771942"),
    "HAFBDEHH",
    None,
    "7/2024",
    date(2024, 7, 31),
    date(2024, 7, 1),
    date(2024, 7, 31),
    "EUR",
    DE_CODE,
    DE_CODE,
    {
        "title": "Kontoauszug",
        "holder": "Kontoinhaber",
        "iban": "IBAN",
        "bic": "BIC",
        "number": "Auszug Nr.",
        "issued": "Auszugsdatum",
        "period": "Zeitraum",
        "to": "bis",
        "opening": "Alter Saldo",
        "closing": "Neuer Saldo",
        "page": "Seite {page} von {pages}",
        "date": "Buchung",
        "value_date": "Wert",
        "description": "Verwendungszweck",
        "amount": "Betrag",
    },
    "8412.55",
    (
        Entry(
            date(2024, 7, 1),
            "Dauerauftrag Miete Lange Reihe 88\nGrundstücksgesellschaft Alster mbH",
            "-2450.00",
            date(2024, 7, 1),
        ),
        Entry(date(2024, 7, 3), "Kartenzahlungen Terminal 5538 vom 02.07.", "1284.90", date(2024, 7, 4)),
        Entry(
            date(2024, 7, 5), "Lastschrift Stadtnetz Energie, Kundennr. 881204", "-318.47", date(2024, 7, 5)
        ),
        Entry(
            date(2024, 7, 10), "Überweisung Rösterei Blank OHG, Re. 24-0618", "-3975.20", date(2024, 7, 10)
        ),
        Entry(date(2024, 7, 15), "Gutschrift Hotel Elbblick, Rechnung 2024-77", "2160.00", date(2024, 7, 15)),
        Entry(
            date(2024, 7, 22),
            "Kartenzahlungen Terminal 5538 vom 19.07. bis 21.07.",
            "3402.35",
            date(2024, 7, 23),
        ),
        Entry(
            date(2024, 7, 30),
            "Lohn und Gehalt Juli, Sammelüberweisung 4 Posten",
            "-6890.00",
            date(2024, 7, 30),
        ),
        Entry(date(2024, 7, 31), "Kontoführung", "-12.50", date(2024, 7, 31)),
    ),
    ("date", "value_date", "description", "amount"),
    footer="Hafenbank Hamburg · Am Sandtorkai 30 · 20457 Hamburg · Einwendungen binnen sechs Wochen",
    theme=Theme(accent="#12355b"),
)

_BRITISH = (
    ("CARD PAYMENT GREENS GROCERS BATH", -64, -18),
    ("DIRECT DEBIT AVON WATER", -42, -38),
    ("CONTACTLESS CITY BUS", -4, -2),
    ("FASTER PAYMENT FROM J MERCER REF PIANO LESSONS", 40, 90),
    ("CASH MACHINE MILSOM STREET", -100, -20),
    ("CARD PAYMENT THE TILTED SHELF YORK", -60, -9),
)
_MONTHLY = (
    (1, "STANDING ORDER REF RENT 9 LANSDOWNE CRESCENT", "-950.00"),
    (28, "BACS SALARY BATH SPA FESTIVAL TRUST", "1890.00"),
)


def _quarter(seed: int, first: date, last: date) -> tuple[Entry, ...]:
    pick = random.Random(seed)
    entries = [
        Entry(date(first.year, month, day), text, amount)
        for month in range(first.month, last.month + 1)
        for day, text, amount in _MONTHLY
    ]
    day = first
    while (day := day + timedelta(days=pick.choice((0, 1, 2, 3)))) <= last:
        text, low, high = pick.choice(_BRITISH)
        pence = Decimal(pick.choice(("0.00", "0.15", "0.49", "0.50", "0.75", "0.99")))
        entries.append(Entry(day, text, str(pick.randint(low, high) + pence)))
    return tuple(sorted(entries, key=lambda entry: entry.date))


_HOLLOWAY = _quarter(2, date(2024, 4, 1), date(2024, 6, 30))

BATH = Statement(
    Party("Ridgeway Bank", ("1 Queen Square", "Bath BA1 2HN")),
    people.HOLLOWAY,
    iban("GB", "RDGW60244131778042"),
    "RDGWGB22",
    "31778042",
    "118",
    None,
    date(2024, 4, 1),
    date(2024, 6, 30),
    "GBP",
    GB_SHORT,
    GB_SHORT,
    {
        "title": "Statement of Account",
        "holder": "Account name",
        "account": "Account number",
        "iban": "IBAN",
        "bic": "BIC",
        "number": "Statement number",
        "period": "Statement period",
        "to": "to",
        "opening": "Balance brought forward",
        "closing": "Balance carried forward",
        "page": "Page {page} of {pages}",
        "date": "Date",
        "description": "Details",
        "debit": "Paid out",
        "credit": "Paid in",
        "balance": "Balance",
    },
    "2310.08",
    _HOLLOWAY,
    ("date", "description", "debit", "credit", "balance"),
    footer="Ridgeway Bank. Registered in England. Report lost cards on 0800 496 0199 at any time.",
    theme=Theme(accent="#5a1846"),
)

OMAHA = Statement(
    Party("Prairie State Bank", ("200 Farnam Street", "Omaha, NE 68102")),
    people.MERIDIAN,
    None,
    None,
    "4410027718",
    None,
    date(2024, 10, 31),
    date(2024, 10, 1),
    date(2024, 10, 31),
    "USD",
    US_LONG,
    US,
    {
        "title": "Business Checking Statement",
        "holder": "Account Name",
        "account": "Account Number",
        "issued": "Statement Date",
        "period": "Statement Period",
        "to": "through",
        "opening": "Beginning Balance",
        "closing": "Ending Balance",
        "page": "Page {page} of {pages}",
        "date": "Date",
        "description": "Description",
        "debit": "Withdrawals",
        "credit": "Deposits",
        "balance": "Balance",
    },
    "15208.33",
    (
        Entry(date(2024, 10, 2), "ACH DEPOSIT BLUEPLAINS DENTAL INSURANCE CLAIM 77120", "4312.80"),
        Entry(date(2024, 10, 4), "CHECK 2081", "-1875.00"),
        Entry(date(2024, 10, 9), "PURCHASE MIDWEST DENTAL SUPPLY OMAHA NE", "-642.19"),
        Entry(date(2024, 10, 15), "ACH PAYMENT PRAIRIE WIND SOFTWARE INV-002941", "-1228.25"),
        Entry(date(2024, 10, 18), "DEPOSIT BRANCH 004", "2960.00"),
        Entry(date(2024, 10, 25), "PAYROLL BATCH 10-25", "-11480.64"),
        Entry(date(2024, 10, 31), "SERVICE FEE", "-15.00"),
    ),
    ("date", "description", "debit", "credit", "balance"),
    footer="Prairie State Bank · Member FDIC · Questions? (402) 555-0160",
    theme=Theme(accent="#234f32"),
)

LYON = Statement(
    Party("Banque des Terreaux", ("6 place des Terreaux", "69001 Lyon")),
    people.CABINET,
    iban("FR", "18029000450007714402966"),
    "BTERFR2L",
    None,
    "2024-03",
    None,
    date(2024, 3, 1),
    date(2024, 3, 31),
    "EUR",
    FR,
    DAY_MONTH_FR,
    {
        "title": "Relevé de compte",
        "holder": "Titulaire du compte",
        "iban": "IBAN",
        "bic": "BIC",
        "number": "Relevé N°",
        "period": "Période du",
        "to": "au",
        "opening": "Ancien solde",
        "closing": "Nouveau solde",
        "page": "Page {page} / {pages}",
        "date": "Date",
        "value_date": "Valeur",
        "description": "Libellé",
        "debit": "Débit",
        "credit": "Crédit",
    },
    "-412.30",
    (
        Entry(date(2024, 3, 4), "VIR SEPA Mairie de Saint-Brévin", "5400.00", date(2024, 3, 5)),
        Entry(
            date(2024, 3, 6),
            "PRLV SEPA URSSAF Rhône-Alpes\ncotisations 4e trimestre",
            "-2187.00",
            date(2024, 3, 6),
        ),
        Entry(date(2024, 3, 12), "CARTE Papeterie du Rhône 11/03", "-96.48", date(2024, 3, 12)),
        Entry(date(2024, 3, 20), "CHÈQUE 7710442", "-640.00", date(2024, 3, 19)),
        Entry(date(2024, 3, 28), "VIR SEPA Hôtel Bellecour, situation n° 2", "1875.50", date(2024, 3, 29)),
        Entry(date(2024, 3, 29), "FRAIS tenue de compte", "-18.90", date(2024, 3, 29)),
    ),
    ("date", "value_date", "description", "debit", "credit"),
    footer="Banque des Terreaux – SA au capital de 90 000 000 € – RCS Lyon 301 440 718",
    theme=Theme(accent="#0f4c5c"),
)

TURIA = Statement(
    Party("Banco del Turia", ("Calle Colón 30", "46004 Valencia")),
    people.HORIZONTE,
    iban("ES", "01870421530200884410"),
    "BTURESVV",
    None,
    None,
    date(2024, 2, 1),
    date(2024, 1, 1),
    date(2024, 1, 31),
    "EUR",
    ES,
    ES,
    {
        "title": "Extracto de cuenta",
        "holder": "Titular",
        "iban": "IBAN",
        "bic": "BIC",
        "issued": "Fecha de emisión",
        "period": "Periodo",
        "to": "a",
        "currency": "Divisa",
        "opening": "Saldo anterior",
        "closing": "Saldo final",
        "page": "Página {page} de {pages}",
        "date": "Fecha",
        "value_date": "F. valor",
        "description": "Concepto",
        "amount": "Importe",
        "balance": "Saldo",
    },
    "21044.17",
    (
        Entry(date(2024, 1, 3), "Recibo alquiler nave enero", "-3200.00", date(2024, 1, 3)),
        Entry(
            date(2024, 1, 8), "Transferencia de Motores Segura S.L., fra. 118", "7865.00", date(2024, 1, 8)
        ),
        Entry(date(2024, 1, 15), "Seguridad Social, cuota diciembre", "-2714.63", date(2024, 1, 15)),
        Entry(date(2024, 1, 19), "Suministros Levante S.L., remesa 24-003", "-894.12", date(2024, 1, 22)),
        Entry(date(2024, 1, 30), "Nóminas enero", "-9120.40", date(2024, 1, 30)),
        Entry(date(2024, 1, 31), "Liquidación de intereses", "3.18", date(2024, 1, 31)),
    ),
    ("date", "value_date", "description", "amount", "balance"),
    footer="Banco del Turia, S.A. Calle Colón 30, 46004 Valencia. CIF A46002217",
    theme=Theme(accent="#8a5a00"),
)

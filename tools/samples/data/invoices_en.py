"""English invoices."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tools.samples import people
from tools.samples.formats import GB, GB_LONG, IE, ISO_EN, US, US_LONG
from tools.samples.invoice import Invoice
from tools.samples.priced import Line, chosen_lines
from tools.samples.sheet import SERIF, VERA, Theme
from tools.samples.words import EN as WORDS

SUPPLY = Invoice(
    people.CASCADE,
    people.EVERGREEN,
    "CR-58213",
    date(2024, 8, 5),
    "USD",
    US,
    {**WORDS, "number": "Invoice #", "date": "Date", "order": "P.O. No.", "tax": "Sales Tax ({rate}%)"},
    (
        Line("Aluminum trekking pole, pair, 110-135 cm", "24", "31.75", "TP-1135", "PR"),
        Line("Dry bag, roll top, 20 L, safety orange", "60", "12.40", "DB-020-OR", "EA"),
        Line(
            "Bear-resistant food canister with strap set and printed instructions",
            "12",
            "58.90",
            "BC-700",
            "EA",
        ),
        Line("Paracord 550, 100 ft spool", "40", "6.85", "PC-550", "EA"),
    ),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="10.2",
    due=date(2024, 9, 4),
    order="4500881",
    customer_number="EV-2207",
    terms="Net 30",
    ship_to=people.EVERGREEN_DC,
    closing="Thank you for your business. Claims must be made within 10 days of receipt.",
)

SOFTWARE = Invoice(
    people.PRAIRIE,
    people.MERIDIAN,
    "INV-002941",
    date(2024, 10, 1),
    "USD",
    US_LONG,
    {**WORDS, "date": "Date of issue", "due": "Date due", "total": "Amount due", "order": "Purchase order"},
    (
        Line("Scheduling Pro, 14 seats (Oct 1 – Oct 31, 2024)", "14", "39.00"),
        Line("SMS reminders, per message", "2150", "0.015"),
        Line("Onboarding workshop, remote, including recording and handouts", "1", "650.00"),
    ),
    ("description", "quantity", "unit_price", "amount"),
    due=date(2024, 10, 15),
    theme=Theme(*VERA, accent="#3d3a8c"),
    closing="Pay by ACH: Prairie State Bank, routing 073000545, account 4410027718.",
)

STUDIO = Invoice(
    people.HARROW,
    people.THORNBURY,
    "HF1187",
    date(2024, 4, 26),
    "GBP",
    GB_LONG,
    {**WORDS, "order": "Your PO", "terms": "Terms", "customer": "Invoice to", "date": "Date"},
    (
        Line("Cover design, “The Salt Road”, hardback and paperback", "1", "1450.00"),
        Line("Typesetting, per page", "312", "4.25"),
        Line(
            "Author corrections, second round, beyond the two hours that the quotation includes",
            "3.5",
            "65.00",
        ),
    ),
    ("description", "quantity", "unit_price", "amount"),
    tax_rate="20",
    due=date(2024, 5, 26),
    order="TP/24/0093",
    terms="30 days net",
    theme=Theme(*SERIF, accent="#5b2a4d"),
    closing="Thank you. Interest at 8% above base rate is charged on late payment.",
)

_QUANTITIES = (1, 2, 4, 5, 8, 10, 16, 24, 30, 60)
_BUILDING = (
    Line("Softwood sawn C24 47 x 150 mm, 4.8 m", "", "17.86", "TIM-47150", "EA"),
    Line("Plasterboard 12.5 mm, tapered edge, 2400 x 1200 mm", "", "8.95", "PLB-125", "EA"),
    Line("Cement 25 kg", "", "5.40", "CEM-25", "BAG"),
    Line("Sharp sand, bulk bag", "", "58.00", "SAN-BB", "EA"),
    Line("Loft insulation roll 200 mm, covers 5.61 m2", "", "27.30", "INS-200", "ROLL"),
    Line("Galvanised joist hanger 47 mm", "", "1.72", "HGR-47", "EA"),
    Line("Wood screws 5.0 x 80 mm, box of 200", "", "9.15", "SCR-580", "BOX"),
    Line("Damp proof course 112 mm x 30 m", "", "7.60", "DPC-112", "ROLL"),
    Line("Multi-finish plaster 25 kg", "", "8.20", "PLA-MF25", "BAG"),
    Line("PVC guttering half round 112 mm, black, 4 m length", "", "11.35", "GUT-112B", "EA"),
)

BUILDING = Invoice(
    people.PENNINE,
    people.OAKDALE,
    "40097712",
    date(2024, 2, 9),
    "GBP",
    GB,
    {
        **WORDS,
        "number": "Invoice No.",
        "date": "Tax Point",
        "customer_number": "Account No.",
        "order": "Your Order No.",
        "customer": "Invoice To",
        "ship_to": "Deliver To",
        "subtotal": "Goods Total",
        "tax": "VAT @ {rate}%",
        "total": "Invoice Total",
        "col_item": "Product Code",
        "col_unit_price": "Price",
        "col_amount": "Net Amount",
    },
    chosen_lines(3, 34, _BUILDING, _QUANTITIES),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="20",
    order="OH-7741",
    customer_number="OAK004",
    ship_to=people.OAKDALE_SITE,
    theme=Theme(accent="#7a1f1f"),
    closing="Goods remain our property until paid for.",
)

FREIGHT = Invoice(
    people.GREENWAY,
    people.TIDEWAY,
    "GFL/2024/1766",
    date(2024, 12, 2),
    "EUR",
    IE,
    {
        **WORDS,
        "number": "Invoice No.",
        "col_description": "Details",
        "col_quantity": "Quantity",
        "total": "Total due",
    },
    (
        Line("Refrigerated trailer Dublin – Cherbourg, booking GF-88120", "1", "1840.00", None, "trip"),
        Line("Fuel surcharge November 2024", "1", "147.20", None, "flat"),
        Line(
            "Waiting time at terminal, per started hour\n(28 November, 14:10 to 17:05)",
            "3",
            "55.00",
            None,
            "hour",
        ),
        Line("Export health certificate handling", "2", "38.50", None, "doc"),
    ),
    ("position", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="23",
    due=date(2025, 1, 1),
    customer_number="TIDE-01",
    terms="30 days from date of invoice",
    theme=Theme(accent="#006b54"),
)

CREDIT = Invoice(
    people.HARROW,
    people.THORNBURY,
    "HFC0042",
    date(2024, 6, 3),
    "GBP",
    GB_LONG,
    {
        **WORDS,
        "number": "Credit Note No.",
        "date": "Date",
        "customer": "Credit to",
        "total": "Total credit",
    },
    (
        Line("Typesetting, 24 pages not needed, per page", "24", "4.25"),
        Line("Author corrections charged in error", "1", "65.00"),
    ),
    ("description", "quantity", "unit_price", "amount"),
    tax_rate="20",
    extras=(("Original invoice", "HF1187"),),
    credit=True,
    sign=-1,
    theme=Theme(*SERIF, accent="#5b2a4d"),
    closing="This credit will be set against your next payment.",
)

HOSTING = Invoice(
    people.BLUE_HERON,
    people.MERIDIAN,
    "BH-20240917",
    date(2024, 9, 17),
    "USD",
    ISO_EN,
    {**WORDS, "number": "Invoice No", "date": "Date", "tax": "Sales tax {rate}%", "total": "TOTAL DUE"},
    (
        Line("Managed server M2, September 2024", "2", "89.00"),
        Line("Backup storage, per GB", "450", "0.04"),
        Line("Domain renewal meridian-dental.example", "1", "14.50"),
    ),
    ("description", "quantity", "unit_price", "amount"),
    tax_rate="5.5",
    due=date(2024, 10, 1),
    customer_number="33817",
    closing="Questions? Reply to this message or call us on weekdays from 8 to 6.",
)

COUNTER_SALE = replace(
    BUILDING,
    number="40098150",
    date=date(2024, 2, 27),
    order="OH-7802",
    lines=chosen_lines(9, 6, _BUILDING, _QUANTITIES),
    ship_to=None,
)

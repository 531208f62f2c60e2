"""Purchase orders."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tools.samples import people
from tools.samples.formats import DE, FR, GB_SHORT, US
from tools.samples.order import Order
from tools.samples.party import Party
from tools.samples.priced import Line, chosen_lines
from tools.samples.sheet import Theme
from tools.samples.words import DE as WORDS_DE
from tools.samples.words import EN
from tools.samples.words import FR as WORDS_FR

COLUMNS = ("position", "item", "description", "quantity", "unit", "unit_price", "amount")
BUYER_DE = replace(
    people.KESSLER,
    phone="+49 731 5550 140",
    email="einkauf@kessler-maschinen.example",
    manager="Martina Vogel, Einkauf",
)
PLANT = Party("Kessler Werk 2, Tor 4", ("Otto-Renner-Straße 16", "89231 Neu-Ulm"))

MACHINE = Order(
    BUYER_DE,
    Party(people.ISARTEC.name, people.ISARTEC.address),
    "45-008120",
    date(2024, 10, 7),
    "EUR",
    DE,
    {
        **WORDS_DE,
        "number": "Bestellnummer",
        "date": "Bestelldatum",
        "col_amount": "Gesamt",
        "total": "Bestellwert",
    },
    (
        Line("Ultraschall-Durchflussmesser DN 50 mit Anzeige", "4", "1085.00", "UDM-50", "Stk"),
        Line(
            "Drucktransmitter 0–16 bar, Prozessanschluss G 1/2, Ausgang 4–20 mA",
            "10",
            "142.30",
            "DT-016",
            "Stk",
        ),
        Line("Anschlusskabel M12, 5 m", "14", "11.90", "AK-M12", "Stk"),
    ),
    COLUMNS,
    delivery=date(2024, 11, 15),
    ship_to=PLANT,
    tax_rate="19",
    terms="30 Tage netto",
    delivery_terms="DAP Neu-Ulm",
    closing="Bitte bestätigen Sie diese Bestellung innerhalb von drei Werktagen und geben Sie auf allen "
    "Papieren unsere Bestellnummer an.",
)

OUTFITTER = Order(
    replace(
        people.EVERGREEN,
        phone="(503) 555-0182",
        email="purchasing@evergreen.example",
        manager="Dana Whitfield, Buyer",
    ),
    Party(people.CASCADE.name, people.CASCADE.address),
    "4500881",
    date(2024, 7, 24),
    "USD",
    US,
    {
        **EN,
        "number": "PO Number",
        "date": "PO Date",
        "supplier": "Vendor",
        "delivery": "Required By",
        "delivery_terms": "Ship Via",
        "terms": "Terms",
        "total": "Order Total",
    },
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
    delivery=date(2024, 8, 9),
    ship_to=people.EVERGREEN_DC,
    terms="Net 30",
    closing="Ship complete. Notify the buyer at once if the required date cannot be met.",
    theme=Theme(accent="#2f5d3a"),
)

_QUANTITIES = (6, 12, 24, 36, 48, 100)
_KITCHEN = (
    Line("Assiette plate porcelaine blanche Ø 27 cm", "", "6.40", "ASP-27", "pce"),
    Line("Verre à vin 35 cl, lot de six", "", "14.90", "VER-35", "pce"),
    Line("Nappe coton 160 x 160 cm, blanche", "", "22.50", "NAP-160", "pce"),
    Line("Couteau de table inox", "", "2.15", "COU-TB", "pce"),
    Line("Fourchette de table inox", "", "1.95", "FOU-TB", "pce"),
    Line("Serviette de table coton 50 x 50 cm", "", "1.60", "SER-50", "pce"),
    Line(
        "Plateau de service antidérapant, ovale, 60 cm, compatible lave-vaisselle",
        "",
        "18.70",
        "PLA-60",
        "pce",
    ),
    Line("Carafe 1 l en verre trempé", "", "7.25", "CAR-1L", "pce"),
)

HOTEL = Order(
    replace(
        people.HOTEL_BELLECOUR,
        phone="04 72 55 01 60",
        email="achats@hotel-bellecour.example",
        manager="Claire Dumas",
    ),
    Party("Arts de la Table Guérin", ("41 rue du Faubourg", "87000 Limoges")),
    "BC-1317",
    date(2024, 3, 5),
    "EUR",
    FR,
    {**WORDS_FR, "number": "Commande N°", "date": "Date", "terms": "Règlement"},
    chosen_lines(5, 30, _KITCHEN, _QUANTITIES),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    delivery=date(2024, 4, 2),
    tax_rate="20",
    terms="45 jours fin de mois",
    theme=Theme(accent="#7b2d43"),
    closing="Merci de confirmer la réception de cette commande.",
)

SITE = Order(
    replace(
        people.OAKDALE, phone="01484 496 0121", email="orders@oakdalehomes.example", manager="Site manager"
    ),
    Party(people.PENNINE.name, people.PENNINE.address),
    "OH-7741",
    date(2024, 1, 30),
    "GBP",
    GB_SHORT,
    {**EN, "number": "Order No.", "date": "Order Date", "ship_to": "Deliver To", "total": "Order Total"},
    (
        Line("Softwood sawn C24 47 x 150 mm, 4.8 m", "60", "17.86", "TIM-47150", "EA"),
        Line("Loft insulation roll 200 mm, covers 5.61 m2", "24", "27.30", "INS-200", "ROLL"),
        Line("Wood screws 5.0 x 80 mm, box of 200", "8", "9.15", "SCR-580", "BOX"),
    ),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    delivery=date(2024, 2, 6),
    ship_to=people.OAKDALE_SITE,
    theme=Theme(accent="#20456b"),
    closing="Deliveries between 8:00 and 15:30 only. Driver must report to the site office.",
)

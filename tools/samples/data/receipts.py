"""Receipts."""

from __future__ import annotations

from datetime import date

from tools.samples.formats import ES, FR, GB_SHORT, US, Locale
from tools.samples.party import Party
from tools.samples.receipt import Item, Receipt

DE_TILL = Locale("de", ".", ",", "EUR {}", "{d:02}.{m:02}.{y}")
DE_LABELS = {
    "tax_id": "USt-IdNr.",
    "number": "Bon-Nr.",
    "date": "Datum",
    "time": "Uhrzeit",
    "subtotal": "Netto",
    "tax": "MwSt",
    "gross": "Brutto",
    "rate": "Satz",
    "sum": "Gesamt",
    "total": "SUMME",
}

MARKET = Receipt(
    Party("Markthalle Süd", ("Lindenweg 14", "04277 Leipzig"), "DE287340915", "0341 5550 172"),
    "004417",
    date(2024, 4, 6),
    "10:42",
    "EUR",
    DE_TILL,
    (
        Item("Roggenbrot 750 g", "3.45", code="A"),
        Item("Bergkäse 48 %", "6.18", code="A"),
        Item("Äpfel Elstar", "2.76", "1.2", "2.30", "A"),
        Item("Joghurt natur", "3.16", "4", "0.79", "A"),
        Item("Spülmittel Zitrone", "1.95", code="B"),
        Item("Mineralwasser 6x1,5 l", "4.74", "2", "2.37", "B"),
        Item("Kaffee ganze Bohne 1 kg", "14.99", code="A"),
    ),
    DE_LABELS,
    {"A": "7", "B": "19"},
    True,
    (("Girocard", "EUR 37,23"),),
    "Girocard",
    greeting=("Vielen Dank für Ihren Einkauf!", "Mo-Sa 8-20 Uhr"),
)

HARDWARE = Receipt(
    Party("Eisen Krüger Baumarkt", ("Hauptstraße 201", "99084 Erfurt"), "DE150927746", "0361 5550 118"),
    "2-88315",
    date(2024, 8, 22),
    "17:05",
    "EUR",
    DE_TILL,
    (
        Item("Wandfarbe weiß 10 Liter", "49.95"),
        Item("Malerrolle 25 cm", "15.80", "2", "7.90"),
        Item("Abdeckfolie 4x5 m", "4.47", "3", "1.49"),
        Item("Kreppband 50 m", "3.29"),
    ),
    {**DE_LABELS, "tax": "enthaltene MwSt {rate}%", "number": "Beleg-Nr."},
    {"": "19"},
    True,
    (("Bar", "80,00"), ("Rückgeld", "6,49")),
    "Bar",
    greeting=("Umtausch innerhalb von 14 Tagen", "nur mit diesem Beleg"),
)

DINER = Receipt(
    Party("Sunny Side Diner", ("312 Main Street", "Boise, ID 83702"), None, "(208) 555-0126"),
    "10577",
    date(2024, 7, 19),
    "08:51",
    "USD",
    US,
    (
        Item("Blueberry Pancakes", "21.90", "2", "10.95"),
        Item("Veggie Omelette", "12.50", "1", "12.50"),
        Item("Hash Browns", "4.25", "1", "4.25"),
        Item("Coffee, bottomless", "9.75", "3", "3.25"),
    ),
    {
        "number": "Check #",
        "date": "Date:",
        "time": "Time:",
        "subtotal": "Subtotal",
        "tax": "Tax {rate}%",
        "total": "TOTAL",
    },
    {"": "6"},
    False,
    (("VISA", "$51.30"), ("Card", "XXXX XXXX XXXX 4471"), ("Auth", "083114")),
    "VISA",
    style="columns",
    heads=("Item", "Qty", "Price", "Amount"),
    greeting=("Thank you!", "Come back soon"),
)

BOOKSHOP = Receipt(
    Party("The Tilted Shelf", ("27 Gillygate", "York YO31 7EQ"), "GB 411 0937 25", "01904 496 0188"),
    "A-20931",
    date(2024, 11, 2),
    "14:37",
    "GBP",
    GB_SHORT,
    (
        Item("Fountain pen, fine", "24.00"),
        Item("Notebook A5 dotted", "17.00", "2", "8.50"),
        Item("Greeting card", "8.85", "3", "2.95"),
        Item("Tote bag", "9.50"),
    ),
    {
        "tax_id": "VAT No",
        "number": "Receipt No",
        "date": "",
        "time": "",
        "subtotal": "Net",
        "tax": "VAT {rate}%",
        "total": "Total",
    },
    {"": "20"},
    True,
    (("Mastercard contactless", "£59.35"),),
    "Mastercard contactless",
    greeting=("Thank you for shopping local",),
)

PHARMACY = Receipt(
    Party(
        "Pharmacie des Halles", ("3 rue de la Monnaie", "59000 Lille"), "FR 61 820 447 153", "03 20 55 01 77"
    ),
    "T0091846",
    date(2024, 1, 25),
    "18:12",
    "EUR",
    FR,
    (
        Item("Sirop miel et thym", "7.90", "1", "7.90"),
        Item("Pansements x40", "8.40", "2", "4.20"),
        Item("Crème mains 75 ml", "6.35", "1", "6.35"),
    ),
    {
        "tax_id": "N° TVA",
        "number": "Ticket N°",
        "date": "Date",
        "time": "Heure",
        "subtotal": "Total HT",
        "tax": "dont TVA {rate}%",
        "total": "TOTAL TTC",
    },
    {"": "20"},
    True,
    (("Carte bancaire", "22,65 €"),),
    "Carte bancaire",
    style="columns",
    heads=("Article", "Qté", "P.U.", "Montant"),
    greeting=("Merci de votre visite",),
)

CAFE = Receipt(
    Party("Café Mirador", ("Paseo de la Alameda 5", "29001 Málaga"), "B92730418", "952 550 143"),
    "S-004298",
    date(2024, 9, 14),
    "13:20",
    "EUR",
    ES,
    (
        Item("Menú del día", "27.80", "2", "13.90"),
        Item("Agua mineral", "3.60", "2", "1.80"),
        Item("Café con leche", "1.70", "1", "1.70"),
        Item("Tarta de queso", "5.20", "1", "5.20"),
    ),
    {
        "tax_id": "CIF",
        "number": "Factura simplificada",
        "date": "Fecha",
        "time": "Hora",
        "subtotal": "Base imponible",
        "tax": "IVA {rate}%",
        "total": "TOTAL",
    },
    {"": "10"},
    True,
    (("Efectivo", "40,00 €"), ("Cambio", "1,70 €")),
    "Efectivo",
    style="columns",
    heads=("Descripción", "Cant.", "Precio", "Importe"),
    greeting=("Gracias por su visita",),
)

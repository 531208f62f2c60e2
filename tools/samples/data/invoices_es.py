"""Spanish invoices."""

from __future__ import annotations

from datetime import date

from tools.samples import people
from tools.samples.formats import ES, ES_LONG
from tools.samples.invoice import Invoice
from tools.samples.priced import Line
from tools.samples.sheet import VERA, Theme
from tools.samples.words import ES as WORDS

SUPPLIES = Invoice(
    people.LEVANTE,
    people.HORIZONTE,
    "A-24/1093",
    date(2024, 6, 28),
    "EUR",
    ES,
    WORDS,
    (
        Line("Tornillo hexagonal M12 x 60, acero inoxidable A2", "400", "0.38", "TH-1260", "ud"),
        Line("Disco de corte 125 mm para metal", "75", "1.15", "DC-125", "ud"),
        Line("Guantes de protección de nitrilo, talla 9, caja de 100 unidades", "12", "8.95", "GN-9", "caja"),
        Line("Aceite de corte soluble, bidón de 20 l", "3", "74.20", "AC-20", "bidón"),
        Line("Portes", "1", "18.00", "PORTES", "ud"),
    ),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="21",
    due=date(2024, 8, 27),
    order="P-5521",
    customer_number="430112",
    terms="Transferencia a 60 días",
    closing="Mercancía entregada el 25/06/2024, albarán 24-2207.",
    theme=Theme(accent="#b3541e"),
)

ARCHITECT = Invoice(
    people.GARRIDO,
    people.PANADERIA,
    "2024-017",
    date(2024, 11, 12),
    "EUR",
    ES_LONG,
    {
        **WORDS,
        "number": "Factura n.º",
        "date": "Fecha de emisión",
        "due": "Vencimiento",
        "tax_id": "NIF",
        "col_description": "Concepto",
        "total": "Total a pagar",
    },
    (
        Line("Proyecto básico de reforma del local comercial, incluida la visita previa", "1", "2400.00"),
        Line("Dirección de obra, octubre de 2024", "1", "850.00"),
        Line("Delineación, por hora", "9.5", "42.00"),
    ),
    ("description", "quantity", "unit_price", "amount"),
    tax_rate="21",
    due=date(2024, 12, 12),
    terms="30 días, transferencia",
    theme=Theme(accent="#44546a"),
)

OIL = Invoice(
    people.OLIVAR,
    people.PANADERIA,
    "OJ/2024/0285",
    date(2024, 3, 1),
    "EUR",
    ES,
    {**WORDS, "tax": "Cuota IVA {rate} %", "tax_id": "NIF", "customer_number": "Cód. cliente"},
    (
        Line("Aceite de oliva virgen extra, garrafa 5 l", "24", "38.50", "AOVE-5", None, "10"),
        Line("Aceitunas manzanilla aliñadas, cubo 3 kg", "10", "11.40", "ACE-3", None, "10"),
        Line("Estuche de regalo madera, tres botellas de 250 ml", "15", "21.90", "EST-3", None, "10"),
        Line("Transporte refrigerado", "1", "26.00", "TRA", None, "21"),
    ),
    ("item", "description", "quantity", "unit_price", "tax_rate", "amount"),
    due=date(2024, 3, 31),
    customer_number="0931",
    theme=Theme(*VERA, accent="#5c6b1f"),
)

"""French invoices."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tools.samples import people
from tools.samples.formats import FR, FR_LONG
from tools.samples.invoice import Invoice
from tools.samples.priced import Line, chosen_lines
from tools.samples.sheet import SERIF, Theme
from tools.samples.words import FR as WORDS

WORKSHOP = Invoice(
    people.MOREL,
    people.HOTEL_BELLECOUR,
    "F2024-0317",
    date(2024, 5, 17),
    "EUR",
    FR,
    {**WORDS, "total": "Net à payer"},
    (
        Line("Restauration de fauteuils Louis XVI, décapage et cirage", "8", "245.00", "REST-08", "pièce"),
        Line(
            "Velours de coton « bleu nuit », largeur 140 cm, fourni et posé par nos soins",
            "22.5",
            "48.90",
            "VEL-140",
            "m",
        ),
        Line("Enlèvement et livraison", "1", "120.00", "LIV", "forfait"),
    ),
    ("item", "description", "quantity", "unit", "unit_price", "amount"),
    tax_rate="20",
    due=date(2024, 6, 16),
    customer_number="C00418",
    order="BC-1205",
    terms="30 jours date de facture",
    closing="En cas de retard de paiement, une pénalité de trois fois le taux d'intérêt légal est exigible, "
    "ainsi qu'une indemnité forfaitaire pour frais de recouvrement de quarante euros.",
)

_QUANTITIES = (1, 2, 3, 4, 6, 10, 15, 20, 50)
_PAPER = (
    Line("Ramette papier A4 80 g blanc, 500 feuilles", "", "4.20", "RAM-A480"),
    Line("Classeur à levier dos 80 mm, rouge", "", "2.45", "CLA-80R"),
    Line("Stylo bille encre bleue, pointe moyenne", "", "0.62", "STY-BM"),
    Line("Enveloppes kraft C4 autocollantes, paquet de 250", "", "31.80", "ENV-C4K"),
    Line("Intercalaires A4 12 positions", "", "1.70", "INT-12"),
    Line("Rouleau adhésif transparent 19 mm x 33 m", "", "1.15", "ADH-19"),
    Line(
        "Cartouche d'encre noire grande capacité pour imprimante multifonction série 900",
        "",
        "42.90",
        "CAR-900N",
    ),
    Line("Agrafeuse métal 30 feuilles", "", "12.60", "AGR-30"),
    Line("Cahier spirale 180 pages, grands carreaux", "", "3.05", "CAH-180"),
)

PAPER = Invoice(
    people.RHONE,
    people.CABINET,
    "240588",
    date(2024, 9, 30),
    "EUR",
    FR,
    {**WORDS, "number": "N° de facture", "date": "Date", "due": "Échéance", "col_quantity": "Qté"},
    chosen_lines(11, 36, _PAPER, _QUANTITIES),
    ("item", "description", "quantity", "unit_price", "amount"),
    tax_rate="20",
    due=date(2024, 10, 31),
    customer_number="VASS02",
    terms="Virement à 30 jours fin de mois",
    theme=Theme(accent="#1c4f8a"),
)

ENERGY = Invoice(
    people.BREIZH,
    people.MAIRIE,
    "BES-88140-24",
    date(2024, 2, 2),
    "EUR",
    FR_LONG,
    {
        **WORDS,
        "number": "Facture n°",
        "date": "Émise le",
        "due": "À régler avant le",
        "customer_number": "N° client",
        "col_description": "Prestation",
        "col_unit_price": "Prix unitaire",
        "col_amount": "Montant",
    },
    (
        Line("Contrat d'entretien chaufferie, école Jules-Ferry, 1er semestre 2024", "1", "1180.00"),
        Line("Remplacement vanne trois voies DN 32", "2", "214.60"),
        Line("Main-d'œuvre chauffagiste", "5.5", "58.00"),
    ),
    ("description", "quantity", "unit_price", "amount"),
    tax_rate="20",
    due=date(2024, 3, 3),
    customer_number="88140",
    theme=Theme(*SERIF, accent="#1d6b52"),
    closing="Règlement par virement. Aucun escompte n'est accordé pour paiement anticipé.",
)

CREDIT = Invoice(
    people.RHONE,
    people.CABINET,
    "AV-24-0061",
    date(2024, 10, 8),
    "EUR",
    FR,
    {**WORDS, "number": "Avoir N°", "date": "Date de l'avoir", "total": "Total TTC"},
    (
        Line("Retour : agrafeuse métal 30 feuilles, défectueuse", "-3", "12.60", "AGR-30"),
        Line("Remise commerciale exceptionnelle", "-1", "25.00", "REM"),
    ),
    ("item", "description", "quantity", "unit_price", "amount"),
    tax_rate="20",
    customer_number="VASS02",
    extras=(("Facture d'origine", "240588"),),
    credit=True,
    theme=Theme(accent="#1c4f8a"),
)

CHAIRS = replace(
    WORKSHOP,
    receiver=people.CABINET,
    number="F2024-0409",
    date=date(2024, 7, 4),
    due=date(2024, 8, 3),
    customer_number="C00427",
    order=None,
    lines=(
        Line("Réfection complète de chaises cannées", "6", "165.00", "REF-CAN", "pièce"),
        Line("Teinture noyer, finition mate", "6", "38.00", "TEI-NOY", "pièce"),
        Line("Enlèvement et livraison", "1", "90.00", "LIV", "forfait"),
    ),
)

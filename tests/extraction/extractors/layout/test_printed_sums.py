"""What amounts add up to decides which is net, tax and gross, over what their labels say."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, parse_fields
from tests.extraction.pages import text_document

TOTALS = ("Subtotal", "Tax", "Total")
COLUMNS = [
    {"name": "Description"},
    {"name": "Quantity", "type": "number"},
    {"name": "Unit Price", "type": "currency"},
    {"name": "Amount", "type": "currency"},
]
HEAD = ("Heron Tools Ltd                         INVOICE", "Invoice Number: 4711", "")
ITEMS = (
    "Description              Quantity    Unit Price    Amount",
    "Bolts                    10          9.00          90.00",
    "Nuts                     1           10.00         10.00",
    "",
)


def fields(*totals: str, items: bool = False) -> list[Field]:
    some: list[dict[str, Any]] = [{"name": name, "type": "currency"} for name in totals]
    return parse_fields([*some, *([{"name": "Items", "type": "table", "columns": COLUMNS}] if items else [])])


def read(lines: tuple[str, ...], *totals: str, items: bool = False) -> list[Any]:
    data = extract_document(text_document(*lines), fields(*totals, items=items)).data
    return [data[name] for name in totals] + ([len(data["Items"])] if items else [])


@pytest.mark.parametrize(
    "lines",
    [
        ("Total                 100.00", "19 % VAT               19.00", "To be settled         119.00"),
        ("Warenwert             100,00", "19 % MwSt              19,00", "Zu begleichen         119,00"),
        ("Total                 100,00", "TVA 19 %               19,00", "À régler              119,00"),
        ("Suma                  100,00", "19 % IVA               19,00", "Líquido               119,00"),
        ("Summa                 100,00", "Moms 19 %              19,00", "Slutbelopp            119,00"),
        ("Goods                 100.00", "VAT (19 %)             19.00", "Please remit          119.00"),
    ],
)  # fmt: skip
def test_net_and_the_tax_at_its_rate_make_the_total(lines: tuple[str, ...]) -> None:
    assert read((*HEAD, *ITEMS, *lines), *TOTALS) == [100, 19, 119]
    assert read((*HEAD, *ITEMS, *lines), "Total") == [119]
    assert read((*HEAD, *ITEMS, *lines), *TOTALS, items=True) == [100, 19, 119, 2]


@pytest.mark.parametrize(
    ("heads", "total"),
    [
        ("Net amount EUR  VAT amount  Gross amount EUR", "Invoice total"),
        ("Montant EUR HT  Montant TVA  Montant EUR TTC", "Total facture"),
        ("Netto in EUR    Steuer      Brutto in EUR", "Gesamt"),
        ("Base            Cuota       Con impuestos", "Total"),
    ],
)
def test_a_row_of_net_tax_and_gross_amounts(heads: str, total: str) -> None:
    lines = (
        *HEAD,
        f"                                    {heads}",
        "Subscriptions and options           24.99           5.00        29.99",
        "Calls                               0.00            0.00        0.00",
        f"{total:<35} 24.99           5.00        29.99",
    )
    assert read(lines, *TOTALS) == [24.99, 5, 29.99]
    assert read(lines, "Total") == [29.99]


def test_a_sum_that_does_not_add_up_is_read_by_its_labels() -> None:
    lines = (
        "Subtotal              100.00",
        "VAT 19 %               19.00",
        "Total                 999.99",
    )
    document = text_document(*HEAD, *ITEMS, *lines)
    extraction = extract_document(document, fields(*TOTALS, items=True))
    assert [extraction.data[name] for name in TOTALS] == [100, 19, 999.99]
    failed = [problem for name in TOTALS for problem in extraction.field_metadata[name].get("validation", ())]
    assert [problem["rule"] for problem in failed] == ["net_plus_tax"]


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Subtotal              100.00",
            "Freight 5 %             5.00",
            "Total                 105.00",
        ),
        (
            "Subtotal              100.00",
            "Discount 5 %           -5.00",
            "Total                  95.00",
        ),
    ],
)
def test_a_charge_at_a_rate_is_no_tax(lines: tuple[str, ...]) -> None:
    assert read((*HEAD, *ITEMS, *lines), "Tax") == [None]


@pytest.mark.parametrize(
    "lines",
    [
        (*ITEMS, "Subtotal              100.00", "Allowance              -5.00",
         "Charge                 10.00",
         "Total                 105.00"),
        (*ITEMS, "Net                   100.00", "VAT 20 % on 90.00      18.00",
         "VAT 5 % on 10.00        0.50",
         "Total                 118.50"),
        (*ITEMS, "Total without tax     100.00", "VAT 7.7 %               7.70",
         "Rounded                 0.30",
         "Total                 108.00"),
        (*ITEMS, "VAT 20 %               20.00", "Total                 120.00"),
        ("Description              Quantity    Unit Price    Rebate    Amount",
         "Bolts                    3           30.00         2.00      88.00",
         "Nuts                     2           50.00         10 %      90.00", "",
         "Total                 178.00"),
        ("Description              Quantity    Unit Price    Amount",
         "Bolts                    3           30.00         88.00", "  less 2.00 for a scratch", "",
         "Total                  88.00"),
    ],
    ids=["charges", "two rates", "rounding", "tax without subtotal", "rebates", "discount below"],
)  # fmt: skip
def test_what_the_page_prints_explains_a_sum(lines: tuple[str, ...]) -> None:
    extraction = extract_document(text_document(*HEAD, *lines), fields(*TOTALS, items=True))
    entries = [extraction.field_metadata.get(name) or {} for name in TOTALS]
    entries += [cell for row in extraction.field_metadata["Items"] for cell in row.values()]
    assert not any(entry.get("validation") for entry in entries)


def test_the_number_of_a_line_is_no_amount() -> None:
    lines = ("6. Estimated amount payable under the contract:", "3,148,800.00", "7 Gross receipts  412.50")
    data = extract_document(text_document(*lines), fields("Estimated amount", "Gross receipts")).data
    assert data["Estimated amount"] != 6 and data["Gross receipts"] != 7

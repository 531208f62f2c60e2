"""Files of bank transactions and of line items: exact heads, directions, columns of other things."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.reader import read
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, parse_fields
from docduck.templates import load
from tests.extraction.extractors.structured.test_grids import workbook

DATES = ["2024-01-05", "2024-01-06"]
SIGNED = [-23.45, 2500]


def extracted(template: str, data: bytes | str) -> Extraction:
    """Return what the template reads in a file, given as text or bytes."""
    raw = data.encode() if isinstance(data, str) else data
    name = "" if raw.startswith((b"<", b"PK")) else "file.csv"
    return extract_document(read(raw, name), load(template).fields)


def columns(rows: list[dict[str, Any]], *names: str) -> list[list[Any]]:
    """Return some columns of rows."""
    return [[row[name] for row in rows] for name in names]


def transactions(data: bytes | str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = extracted("bank_statement", data).data["Transactions"]
    return rows


DIRECTED = {
    "letters": "Date,Description,Amount,D/C\n2024-01-05,Grocer,23.45,D\n2024-01-06,Salary,2500.00,C\n",
    "behind the balance": "Date,Details,Amount,Balance,Dr/Cr\n2024-01-05,Grocer,23.45,90.00,Dr\n"
    "2024-01-06,Salary,2500.00,2590.00,Cr\n",
    "German": "Buchungstag;Verwendungszweck;Umsatz;S/H\n05.01.2024;Strom;23,45;S\n"
    "06.01.2024;Lohn;2.500,00;H\n",
    "no head": "Buchungstag;Verwendungszweck;Umsatz;\n05.01.2024;Strom;23,45;S\n06.01.2024;Lohn;2.500,00;H\n",
    "Dutch": 'Datum,Omschrijving,Af Bij,Bedrag (EUR)\n20240105,Bakker,Af,"23,45"\n'
    '20240106,Loon,Bij,"2500,00"\n',
    "French": "Date;Libellé;Sens;Montant\n05/01/2024;Courses;Débit;23,45\n06/01/2024;Paie;Crédit;2500,00\n",
    "Spanish": "Fecha;Concepto;Debe/Haber;Importe\n05/01/2024;Compra;D;23,45\n06/01/2024;Nómina;H;2500,00\n",
    "Italian": "Data;Descrizione;Dare/Avere;Importo\n05/01/2024;Spesa;D;23,45\n06/01/2024;Paga;A;2500,00\n",
    "Polish": "Data operacji;Opis operacji;Wn/Ma;Kwota\n05.01.2024;Chleb;Wn;23,45\n"
    "06.01.2024;Paga;Ma;2500,00\n",
    "Swedish": "Datum;Text;D/K;Belopp\n2024-01-05;Mat;D;23,45\n2024-01-06;Lön;K;2500,00\n",
    "Czech": "Datum;Popis;MD/D;Částka\n05.01.2024;Chléb;MD;23,45\n06.01.2024;Mzda;D;2500,00\n",
    "words": "Transaction Date,Transaction Type,Details,Value\n2024-01-05,Withdrawal,Grocer,23.45\n"
    "2024-01-06,Deposit,Salary,2500.00\n",
    "marks": "Date,Description,+/-,Amount\n2024-01-05,Grocer,-,23.45\n2024-01-06,Salary,+,2500.00\n",
    "of the bank": "Posted Date,Payee,Town,Amount,Credit Debit Indicator\n2024-01-05,Grocer,York,23.45,"
    "Debit\n"
    "2024-01-06,Salary,York,2500.00,Credit\n",
}


@pytest.mark.parametrize("data", DIRECTED.values(), ids=DIRECTED)
def test_a_column_says_which_way_money_goes(data: str) -> None:
    assert columns(transactions(data), "Date", "Amount") == [DATES, SIGNED]


SIGNED_FILES = {
    "three columns": "Date,Description,Amount\n2024-01-05,Grocer,-23.45\n2024-01-06,Salary,2500.00\n",
    "a kind": "Date,Type,Description,Amount\n2024-01-05,Card,Grocer,-23.45\n"
    "2024-01-06,Transfer,Salary,2500\n",
    "a direction": "Date,Type,Description,Amount\n2024-01-05,Debit,Grocer,($23.45)\n"
    "2024-01-06,Credit,Salary,$2500.00\n",
    "a category": "Category,Date,Amount,Description\nFood,2024-01-05,-23.45,Grocer\n"
    "Income,2024-01-06,2500.00,Salary\n",
    "details before": "Details,Posting Date,Description,Amount,Type,Balance,Slip\n"
    "DEBIT,2024-01-05,Grocer,-23.45,ACH_DEBIT,1.00,,\nCREDIT,2024-01-06,Salary,2500.00,ACH_CREDIT,2501.00,,\n",
    "many others": "Buchungstag;Valuta;Konto;IBAN;BLZ;Vorgang/Verwendungszweck;Referenz;Status;Umsatz\n"
    "05.01.2024;05.01.2024;1;DE02120300000000202051;1;Grocer;7;ok;-23,45\n"
    "06.01.2024;06.01.2024;1;DE02500105170137075030;2;Salary;8;ok;2.500,00\n",
}


@pytest.mark.parametrize("data", SIGNED_FILES.values(), ids=SIGNED_FILES)
def test_exact_heads_win_and_signs_stay(data: str) -> None:
    result = extracted("bank_statement", data)
    rows = result.data["Transactions"]
    assert columns(rows, "Date", "Description", "Amount") == [DATES, ["Grocer", "Salary"], SIGNED]
    assert all(row["Debit"] is None and row["Credit"] is None for row in rows)
    assert [result.data[name] for name in ("Bank Name", "BIC", "IBAN", "Statement Date")] == [None] * 4


def test_one_direction_alone_counts_below_a_head_of_both_or_of_a_bank() -> None:
    rows = "2024-01-05,Grocer,23.45,{0}\n2024-01-06,Rent,900.00,{0}\n"
    for head, word in (("D/C", "D"), ("Type", "Debit")):
        found = transactions(f"Date,Description,Amount,{head}\n" + rows.format(word))
        assert [row["Amount"] for row in found] == [-23.45, -900]
    found = transactions("Date,Description,Amount,Class\n" + rows.format("D"))
    assert [row["Amount"] for row in found] == [23.45, 900]


def test_amounts_are_put_among_debits_and_credits_where_the_field_has_no_other_column() -> None:
    table = {
        "name": "Bookings",
        "type": "table",
        "columns": [{"name": "Date", "type": "date"}, {"name": "Text"}]
        + [{"name": name, "type": "currency"} for name in ("Debit", "Credit")],
    }
    fields: list[Field] = parse_fields([table])

    def cells(data: str) -> list[list[Any]]:
        rows = extract_document(read(data.encode(), "file.csv"), fields).data["Bookings"]
        return columns(rows, "Debit", "Credit")

    assert cells(DIRECTED["German"]) == [[23.45, None], [None, 2500]]
    assert cells(SIGNED_FILES["a category"].replace("Description", "Text")) == [[23.45, None], [None, 2500]]


def test_a_column_with_one_value_answers_its_field() -> None:
    data = (
        "Account Number,Date,Description,Amount\n4711,2024-01-05,Grocer,-23.45\n4711,2024-01-06,Salary,2500\n"
    )
    assert extracted("bank_statement", data).data["Account Number"] == "4711"
    assert extracted("bank_statement", data.replace("4711,2024-01-06", "4712,2024-01-06")).data[
        "Account Number"
    ] in (None, "")


@pytest.mark.parametrize("head", ["Colour,Description,Amount", "Colour,Size,Description,Amount"])
def test_line_items_with_columns_of_other_things(head: str) -> None:
    sizes = head.count(",") > 2
    lines = [["red", "big", "Hammer", "400.00"], ["blue", "small", "Drill", "600.00"]]
    rows = [[cell for cell in line if sizes or cell not in ("big", "small")] for line in lines]
    text = "\n".join([head, *(",".join(row) for row in rows)])
    book = workbook([head.split(","), *rows])
    html = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in [head.split(","), *rows]
    )
    for data in (text, book, f"<html><body><table>{html}</table></body></html>"):
        found = extracted("invoice", data).data["Line Items"]
        assert columns(found, "Description", "Amount") == [["Hammer", "Drill"], [400, 600]]
        assert all(row["Item Number"] is None and row["Unit"] is None for row in found)


def test_taxes_are_no_rates_and_amounts_are_net_or_gross_in_all_rows() -> None:
    head = ["Description", "Net amount", "VAT", "Total"]
    rows = [
        ["Board", "20.00", "4.00", "24.00"],
        ["Glue", "16.50", "3.30", "19.80"],
        ["Total", "36.50", "7.30", "43.80"],
    ]
    html = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in [head, *rows])
    for data in (workbook([head, *rows]), f"<html><body><p>Invoice</p><table>{html}</table></body></html>"):
        result = extracted("invoice", data).data
        assert columns(result["Line Items"], "Amount", "Tax Rate") == [[20, 16.5], [None, None]]
        assert [result[name] for name in ("Subtotal", "Tax Amount", "Total")] == [36.5, 7.3, 43.8]


def test_a_line_that_carries_a_sum_is_no_row_of_a_sheet() -> None:
    rows = [
        ["Board", 2, 10, 20],
        ["Übertrag", None, None, 20],
        ["Glue", 1, 5, 5],
        ["Report writing", 1, 7, 7],
    ]
    found = extracted("invoice", workbook([["Description", "Quantity", "Unit Price", "Amount"], *rows]))
    assert [row["Amount"] for row in found.data["Line Items"]] == [20, 5, 7]


def test_facts_and_sums_of_a_page_are_no_rows() -> None:
    def page(*rows: list[str]) -> str:
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        return f"<html><body><p>Invoice of Otter Mill Ltd</p><table>{cells}</table></body></html>"

    data = extracted("invoice", page(["Reference", "Date", "Amount"], ["INV-7", "2024-01-05", "120.00"])).data
    assert (data["Line Items"], data["Invoice Number"], data["Total"]) == ([], "INV-7", 120)
    sums = ["Subtotal", "100.00"], ["VAT 20%", "20.00"], ["Total", "120.00"]
    data = extracted("invoice", page(["Description", "Amount"], ["Hammer", "100.00"], *sums)).data
    assert [row["Description"] for row in data["Line Items"]] == ["Hammer"]
    assert [data[name] for name in ("Subtotal", "Tax Amount", "Total")] == [100, 20, 120]


def test_a_table_that_ends_with_the_first_row_of_a_page_is_whole() -> None:
    """Pages of a sheet have 200 rows."""
    rows = [["x" if n < 150 else None, f"Plank {n}", 2, 10, 20] for n in range(200)]
    found = extracted(
        "invoice", workbook([["Mark", "Description", "Quantity", "Unit Price", "Amount"], *rows])
    )
    read_ = found.data["Line Items"]
    assert [len(read_), read_[-1]["Description"], read_[-1]["Amount"]] == [200, "Plank 199", 20]

"""Brazilian payment slips: published examples of typeable lines, check digits and dates."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.extraction.extractors.codes.formats.boleto import parse_boleto
from tests.extraction.extractors.codes.papers import paper, read

BRADESCO = "23793.38128 60007.827136 95000.063305 9 75520000370000"
BANCO_DO_BRASIL = "00190.50095 40144.816069 06809.350314 3 37370000000100"
WATER = "83640000001-1 33120138000-2 81288462711-6 08013618155-1"
POWER = "84670000001-7 43590024020-9 02405000243-5 84221010811-9"


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


@pytest.mark.parametrize(
    ("line", "bank", "amount", "due"),
    [
        (BRADESCO, "237", 3700.0, date(2018, 6, 11)),
        (BANCO_DO_BRASIL, "001", 1.0, date(2007, 12, 31)),
        (WATER, None, 133.12, None),
        (POWER, None, 143.59, None),
    ],
)
def test_a_line_states_bank_amount_and_due_date(
    line: str, bank: str | None, amount: float, due: date | None
) -> None:
    slip = parse_boleto(digits(line))
    assert slip is not None
    assert (slip.bank, slip.amount, slip.line) == (bank, amount, digits(line))
    assert slip.due[:1] == ((due,) if due else ())
    assert parse_boleto(slip.barcode) == slip


@pytest.mark.parametrize("line", [BRADESCO, BANCO_DO_BRASIL, WATER, POWER])
def test_a_wrong_digit_is_no_slip(line: str) -> None:
    number = digits(line)
    for at in (5, 15, 25, len(number) - 1):
        assert parse_boleto(number[:at] + str((int(number[at]) + 1) % 10) + number[at + 1 :]) is None


def test_factors_begin_again_in_2025() -> None:
    slip = parse_boleto("00191100000000001000500940144816060680935031")
    assert slip is not None and slip.due == (date(2000, 7, 3), date(2025, 2, 22))


@given(st.one_of(st.text(max_size=60), st.text(st.sampled_from("0123456789٣"), min_size=44, max_size=48)))
def test_any_text_is_a_slip_or_none(text: str) -> None:
    parse_boleto(text)


ASKED = {
    "Linha_digitável": "text",
    "Valor_do_documento": "currency",
    "Vencimento": "date",
    "Código_do_banco": "text",
}


def test_a_slip_is_read_by_its_line() -> None:
    page = paper(
        ("237-2", 0.1, 0.2), (BRADESCO, 0.3, 0.2), ("Vencimento", 0.7, 0.3), ("11/06/2018", 0.7, 0.32)
    )
    result = read(page, **ASKED)
    assert result.data == {
        "Linha digitável": BRADESCO,
        "Valor do documento": 3700.0,
        "Vencimento": "2018-06-11",
        "Código do banco": "237",
    }
    assert result.field_metadata["Vencimento"]["locations"][0]["text"] == "11/06/2018"


def test_a_slip_is_read_by_its_bar_code() -> None:
    slip = parse_boleto(digits(POWER))
    assert slip is not None
    result = read(paper(codes=(("ITF", slip.barcode),)), **ASKED)
    assert (result.data["Linha digitável"], result.data["Valor do documento"]) == (slip.line, 143.59)


def test_several_slips_answer_nothing() -> None:
    page = paper((BRADESCO, 0.1, 0.2), (BANCO_DO_BRASIL, 0.1, 0.6))
    entries = read(page, **ASKED).field_metadata.values()
    assert all(entry["source"] != "structured" for entry in entries)

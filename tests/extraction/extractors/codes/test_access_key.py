"""Access keys of Brazilian fiscal documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.extraction.extractors.codes.formats.access_key import AccessKey, key_of_code, parse_access_key
from docduck.extraction.extractors.codes.formats.check_digits import mod11_rest
from tests.extraction.extractors.codes.papers import paper, read

KEY = "52060433009911002506550120000007800267301615"
"""The example of the Manual de Orientação do Contribuinte, 5.4."""
ADDRESS = "http://www.sefaz.rs.gov.br/NFCE/NFCE-COM.aspx?p={}|2|1|1|A604FD51E40ED8465B787B3E9CF8C1D90E61DB13"


def with_check(front: str) -> str:
    rest = mod11_rest([ord(char) - 48 for char in front])
    return front + str(0 if rest < 2 else 11 - rest)


WAYBILL = with_check("4224030248455500034357002000339686108213465")
RETAIL = with_check("4320030248455500034365002000339686108213465")


def test_the_example_of_the_manual() -> None:
    assert parse_access_key(KEY) == AccessKey(KEY, "GO", 2006, 4, "33009911002506", "55", "12", "780")


@pytest.mark.parametrize("at", range(0, 44, 3))
def test_a_wrong_digit_is_no_key(at: int) -> None:
    assert parse_access_key(KEY[:at] + str((int(KEY[at]) + 1) % 10) + KEY[at + 1 :]) is None


def test_the_issuer_may_have_letters_or_be_a_person() -> None:
    lettered = parse_access_key(with_check("35260712ABC34501DE35550010000000021062777160"[:43]))
    person = parse_access_key(with_check("3526070000012345678955920000000002106277716"))
    assert lettered is not None and lettered.issuer == "12ABC34501DE35"
    assert person is not None and person.issuer is None


def test_a_qr_code_has_its_key_in_an_address() -> None:
    key = key_of_code(ADDRESS.format(RETAIL))
    assert key is not None and (key.key, key.model) == (RETAIL, "65")
    assert key_of_code(ADDRESS.format(RETAIL[:-1])) is None


@given(st.one_of(st.text(max_size=100), st.text(st.sampled_from("0123456789AZ"), min_size=43, max_size=90)))
def test_any_text_is_a_key_or_none(text: str) -> None:
    parse_access_key(text)
    key_of_code(text)


ASKED = {"Chave_de_acesso": "text", "CNPJ_do_emitente": "text", "Número_da_NF-e": "text", "Série": "text"}


def test_a_document_is_read_by_its_printed_key() -> None:
    groups = " ".join(KEY[at : at + 4] for at in range(0, 44, 4))
    page = paper(
        ("DANFE", 0.1, 0.1),
        ("SÉRIE 12", 0.1, 0.15),
        ("000.000.780", 0.1, 0.2),
        (groups[:34], 0.3, 0.3),
        (groups[35:], 0.3, 0.32),
        ("11.222.333/0001-81", 0.1, 0.4),
        ("33.009.911/0025-06", 0.1, 0.5),
    )
    result = read(page, **ASKED)
    assert result.data == {
        "Chave de acesso": groups,
        "CNPJ do emitente": "33.009.911/0025-06",
        "Número da NF-e": "000.000.780",
        "Série": "12",
    }


def test_the_key_of_a_waybill_comes_before_those_of_its_invoices() -> None:
    page = paper((KEY, 0.1, 0.6), codes=(("Code128", WAYBILL),))
    assert read(page, Chave_de_acesso="text").data == {"Chave de acesso": WAYBILL}


def test_keys_of_several_documents_answer_nothing() -> None:
    page = paper(codes=(("Code128", KEY), ("QRCode", ADDRESS.format(RETAIL))))
    assert read(page, Chave_de_acesso="text").data == {"Chave de acesso": None}

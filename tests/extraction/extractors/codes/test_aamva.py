"""Codes of driving licences: the sample of AAMVA's standard, Canadian dates, early versions."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.extraction.extractors.codes.formats.aamva import parse_licence
from tests.extraction.extractors.codes.papers import paper, read

SAMPLE = (
    "@\n\x1e\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\n"
    "DADJOHN\nDDGN\nDCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\n"
    "DAYBRO\nDAG2300 WEST BROAD STREET\n"
    "DAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\n"
    "DCK123456789\nDDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r"
)
CANADIAN = (
    "@\n\x1e\rANSI 636012080002DL00410278ZO03190008DLDAQA12345\nDCSROY\nDCTMARIE,EVE\nDBB19860607\n"
    "DBA20241210\nDBC2\nDCGCAN\n"
)
EARLY = "@\n\x1c\rAAMVA6360010101DL00290192DLDAQ123\nDAADOE,JANE,ANN\nDBB19860607\nDBCF\n"


def test_the_sample_of_the_standard() -> None:
    licence = parse_licence(SAMPLE)
    assert licence is not None
    assert (licence.number, licence.surname, licence.given_names) == ("T64235789", "SAMPLE", "MICHAEL JOHN")
    assert (licence.birth_date, licence.expiry_date) == (date(1986, 6, 6), date(2024, 12, 10))
    assert (licence.issue_date, licence.sex, licence.country) == (date(2019, 6, 6), "M", "USA")
    assert licence.address == "2300 WEST BROAD STREET, RICHMOND, VA 23269"
    assert (licence.vehicle_class, licence.restrictions, licence.endorsements) == ("D", "K", "PH")


def test_control_characters_may_be_spelled() -> None:
    spelled = SAMPLE.replace("\n", "<LF>").replace("\r", "<CR>").replace("\x1e", "<RS>")
    assert parse_licence(spelled) == parse_licence(SAMPLE)


def test_canadian_and_early_cards_have_the_year_first() -> None:
    canadian, early = parse_licence(CANADIAN), parse_licence(EARLY)
    assert canadian is not None and early is not None
    assert (canadian.birth_date, canadian.given_names) == (date(1986, 6, 7), "MARIE EVE")
    assert (early.birth_date, early.surname, early.given_names) == (date(1986, 6, 7), "DOE", "JANE ANN")


@pytest.mark.parametrize(
    "text", ["", "@", "@\n\x1e\rANSI 636000090002DL", SAMPLE.replace("DAQ", "DXX"), "x" + SAMPLE]
)
def test_other_texts_are_none(text: str) -> None:
    assert parse_licence(text) is None


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40), st.text(max_size=20))
def test_any_damage_is_read_or_none(at: int, size: int, text: str) -> None:
    parse_licence(SAMPLE[:at] + text + SAMPLE[at + size :])


def test_a_licence_is_read_by_its_code() -> None:
    page = paper(
        ("1SAMPLE", 0.3, 0.6),
        ("2 MICHAEL JOHN", 0.3, 0.64),
        ("16 HGT: 5'-08\"", 0.3, 0.7),
        codes=(("PDF417", SAMPLE),),
    )
    got = read(
        page,
        Licence_number="text",
        Last_name="text",
        First_names="text",
        Date_of_birth="date",
        Expires="date",
        Issued="date",
        Sex="choice",
        Height="text",
        Address="text",
        Supplier_Number="text",
    )
    assert got.data == {
        "Licence number": "T64235789",
        "Last name": "SAMPLE",
        "First names": "MICHAEL JOHN",
        "Date of birth": "1986-06-06",
        "Expires": "2024-12-10",
        "Issued": "2019-06-06",
        "Sex": "Male",
        "Height": "5'-08\"",
        "Address": "2300 WEST BROAD STREET, RICHMOND, VA 23269",
        "Supplier Number": None,
    }

"""Machine-readable zones: the specimens of ICAO Doc 9303, OCR errors, and fields answered on papers."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.extraction.extractors.codes.formats.mrz import parse_zone
from tests.extraction.extractors.codes.papers import paper, read

TODAY = date(2026, 6, 1)
TD3 = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"]
TD1 = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
TD2 = ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"]
VISA_A = ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"]
VISA_B = ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"]
FRENCH = ["IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<", "8806923102858CORINNE<<<<<<<6512068F6"]
LONG_NUMBER = [
    "I<UTOD23145890<7349<<<<<<<<<<<",
    "3407127M9507122UTO<<<<<<<<<<<2",
    "STEVENSON<<PETER<JOHN<<<<<<<<<",
]


@pytest.mark.parametrize(
    ("lines", "layout", "number", "birth", "expiry"),
    [
        (TD3, "TD3", "L898902C3", date(1974, 8, 12), date(2012, 4, 15)),
        (TD1, "TD1", "D23145890", date(1974, 8, 12), date(2012, 4, 15)),
        (TD2, "TD2", "D23145890", date(1974, 8, 12), date(2012, 4, 15)),
        (VISA_A, "MRV-A", "L8988901C", date(1940, 9, 7), date(1996, 12, 10)),
        (VISA_B, "MRV-B", "L8988901C", date(1940, 9, 7), date(1996, 12, 10)),
    ],
)
def test_the_specimens_of_the_standard(
    lines: list[str], layout: str, number: str, birth: date, expiry: date
) -> None:
    zone = parse_zone(lines, TODAY)
    assert zone is not None and zone.is_whole
    assert (zone.layout, zone.number, zone.birth_date, zone.expiry_date) == (layout, number, birth, expiry)
    assert (zone.surname, zone.given_names, zone.sex) == ("ERIKSSON", "ANNA MARIA", "F")


def test_the_french_card_of_1988() -> None:
    zone = parse_zone(FRENCH, TODAY)
    assert zone is not None and zone.is_whole
    assert (zone.number, zone.surname, zone.given_names) == ("880692310285", "BERTHIER", "CORINNE")
    assert (zone.birth_date, zone.sex, zone.nationality) == (date(1965, 12, 6), "F", "FRA")


def test_a_long_number_goes_on_in_the_optional_data() -> None:
    zone = parse_zone(LONG_NUMBER, TODAY)
    assert zone is not None and zone.is_whole
    assert (zone.number, zone.optional) == ("D23145890734", None)


@pytest.mark.parametrize(
    "line",
    [
        "L898902C36UTO7408I22FI2O4IS9ZE184226B<<<<<10",
        "L898902C36UT07408122F1204159ZE184226B<<<10",
        "L898902C36UTO7408122F1204159ZE184226B<<<<<<<1O",
    ],
)
def test_errors_of_ocr_are_repaired_where_only_letters_or_digits_can_be(line: str) -> None:
    zone = parse_zone([TD3[0].replace("ERIKSSON", "ER1K55ON"), line], TODAY)
    assert zone is not None and zone.is_whole
    assert (zone.lines[1], zone.surname) == (TD3[1], "ERIKSSON")


def test_an_element_with_a_wrong_check_digit_is_none() -> None:
    zone = parse_zone([TD3[0], TD3[1].replace("L898902C3", "L898902C8")], TODAY)
    assert zone is not None and not zone.is_whole
    assert (zone.number, zone.birth_date) == (None, date(1974, 8, 12))
    assert parse_zone([TD3[0], "L898902C16UTO7408121F1204151ZE184226B<<<<<11"], TODAY) is None


def test_nobody_is_born_in_the_future_or_after_the_issue() -> None:
    zone = parse_zone(FRENCH, date(2070, 1, 1))
    assert zone is not None and zone.birth_date == date(1965, 12, 6)


@given(st.lists(st.text(st.sampled_from("PIVACDFR<0123OISB«é\n "), max_size=60), max_size=4))
def test_any_lines_are_a_zone_or_none(lines: list[str]) -> None:
    parse_zone(lines, TODAY)


@given(st.integers(0, 43), st.text(max_size=3))
def test_any_damage_is_read_or_none(at: int, text: str) -> None:
    parse_zone([TD3[0], TD3[1][:at] + text + TD3[1][at + 1 :]], TODAY)


ASKED = {
    "Passport_number": "text",
    "Surname": "text",
    "Given_names": "text",
    "Nationality": "text",
    "Date_of_birth": "date",
    "Sex": "choice",
    "Date_of_expiry": "date",
    "Supplier_Number": "text",
}
VALUES: dict[str, Any] = {
    "Passport number": "L898902C3",
    "Nationality": "UTO",
    "Date of birth": "1974-08-12",
    "Sex": "Female",
    "Date of expiry": "2012-04-15",
    "Supplier Number": None,
}


def test_a_passport_is_read_by_its_zone() -> None:
    result = read(paper((TD3[0], 0.1, 0.8), (TD3[1], 0.1, 0.84)), **ASKED)
    assert result.data == VALUES | {"Surname": "Eriksson", "Given names": "Anna Maria"}
    assert result.field_metadata["Surname"]["confidence"] == 0.7
    assert result.field_metadata["Date of birth"]["locations"][0]["text"] == " ".join(TD3)


def test_values_are_given_as_the_page_prints_them() -> None:
    page = paper(
        ("Name: Eriksson", 0.4, 0.1),
        ("Ánna-Maria", 0.4, 0.2),
        ("Nationality", 0.4, 0.3),
        ("UTO", 0.4, 0.32),
        ("L 898902 C3", 0.4, 0.4),
        ("12 AUG 1974", 0.4, 0.5),
        ("P<UTOERIKSSON<<ANNA< MARIA<<<<<<<<<<<<<<<<<<<", 0.1, 0.8),
        (TD3[1][:20], 0.1, 0.84),
        (TD3[1][20:], 0.5, 0.842),
    )
    result = read(page, **ASKED)
    assert result.data == VALUES | {
        "Surname": "Eriksson",
        "Given names": "Ánna-Maria",
        "Passport number": "L 898902 C3",
    }
    places = {name: entry["locations"] for name, entry in result.field_metadata.items()}
    assert places["Given names"][0]["text"] == "Ánna-Maria"
    assert places["Date of birth"][0]["text"] == "12 AUG 1974"


def test_a_nationality_that_is_printed_in_words_is_left_to_others() -> None:
    page = paper(("Nationality", 0.4, 0.3), ("Utopian", 0.4, 0.32), (TD3[0], 0.1, 0.8), (TD3[1], 0.1, 0.84))
    assert read(page, Nationality="text").data != {"Nationality": "UTO"}


def test_zones_of_two_papers_answer_nothing() -> None:
    other = [TD2[0], TD2[1]]
    page = paper((TD3[0], 0.1, 0.2), (TD3[1], 0.1, 0.24), (other[0], 0.1, 0.8), (other[1], 0.1, 0.84))
    assert read(page, Surname="text", Date_of_birth="date").data["Date of birth"] is None


@pytest.mark.parametrize("fields", [{"Nom": "text"}, {"Name": "text", "Number": "text"}])
def test_a_bare_name_asks_for_nothing_by_itself(fields: dict[str, str]) -> None:
    page = paper((TD3[0], 0.1, 0.8), (TD3[1], 0.1, 0.84))
    entries = read(page, **fields).field_metadata
    assert all(entry["source"] != "structured" for entry in entries.values())


def test_the_zone_itself_answers_a_field_for_it() -> None:
    page = paper((TD1[0], 0.1, 0.7), (TD1[1], 0.1, 0.74), (TD1[2], 0.1, 0.78))
    assert read(page, Machine_Readable_Zone="text").data == {"Machine Readable Zone": " ".join(TD1)}

from __future__ import annotations

import pytest

from docduck.errors import InputError
from docduck.extraction.post_processing.field_values import Keying
from docduck.extraction.post_processing.lookup_table import parse_table
from docduck.fields import FieldType

NAME = Keying("name", FieldType.TEXT)
VENDORS = b"name,account\nAcme Tools GmbH,7001\nBolt & Co,7002\nAcme Tools GmbH,7009\n"


@pytest.mark.parametrize(
    "data",
    [
        b"name,account\r\nAcme,7001\r\n",
        "\ufeffname;account\nAcme;7001\n".encode(),
        b'name;"account"\n"Acme";7001',
        b"name , account\n\n Acme , 7001 \n\n",
    ],
)
def test_csv_files_of_all_kinds(data: bytes) -> None:
    table = parse_table(data)
    assert (table.columns, table.rows) == (("name", "account"), [["Acme", "7001"]])


def test_the_separator_is_the_header_s() -> None:
    table = parse_table(b"name;note\nAcme;a, b and c\n")
    assert table.rows == [["Acme", "a, b and c"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The lookup table is empty"),
        (b"\n\n", "Line 1 of the lookup table is empty"),
        (b"a,,c\n1,2,3\n", "Line 1 of the lookup table has no name for column 2"),
        (b"a,b,A\n1,2,3\n", "Line 1 of the lookup table names the column 'A' twice"),
        (b"a,b\n1,2\n1\n", "Line 3 of the lookup table has 1 values, the header has 2 columns"),
        (b'a,b\n"1\n1",2\n1,2,3\n', "Line 4 of the lookup table has 3 values"),
        (b"a,b\n1,\xff\n", "Line 2 of the lookup table is not UTF-8"),
        (b"a,b\n1,\0\n", "Line 2 of the lookup table holds a NUL character"),
        (b'a,b\n"1"x,2\n', "Line 2 of the lookup table is not valid CSV"),
        (b"a\n" + b"x" * 20_000, "Line 2 of the lookup table has a value of more than 10000 characters"),
        (b"a,b\n1,2\n1,2\n1,2\n", "Line 4 of the lookup table is one row too many"),
        (b",".join(b"%d" % n for n in range(201)), "Line 1 of the lookup table names 201 columns"),
    ],
)
def test_a_bad_table_is_refused_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_table(data, most_rows=2)
    assert caught.value.message.startswith(message)


def test_the_first_of_equal_rows_is_found_whatever_its_case_and_spaces() -> None:
    table = parse_table(VENDORS)
    found = table.find((NAME,), (NAME.key("  ACME  tools gmbh "),))
    assert found is not None
    assert (found.cells[1], found.similarity) == ("7001", 1.0)
    assert table.find((NAME,), (NAME.key("Acme"),)) is None


def test_numbers_and_dates_match_in_any_notation() -> None:
    table = parse_table(b'day;rate;x\n31.01.2026;"1.234,50";yes\n')
    day, rate = Keying("day", FieldType.DATE), Keying("rate", FieldType.NUMBER)
    found = table.find((day, rate), (day.key("2026-01-31"), rate.key(1234.5)))
    assert found is not None
    assert found.cells[2] == "yes"


def test_similar_rows_are_found_down_to_the_threshold() -> None:
    table = parse_table(VENDORS)
    found = table.find_similar((NAME,), (NAME.key("GmbH Acme Tool"),), 0.85)
    assert found is not None
    assert found.cells[1] == "7001"
    assert 0.85 <= found.similarity < 1
    assert table.find_similar((NAME,), (NAME.key("Zimmermann"),), 0.85) is None

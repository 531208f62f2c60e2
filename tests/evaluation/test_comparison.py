from __future__ import annotations

from typing import Any

import pytest

from docduck.evaluation.comparison import compare_values, normal
from docduck.evaluation.job import compare_all
from docduck.evaluation.score import FieldScore, SuiteScore
from docduck.fields import Field, FieldType

TABLE = Field(
    name="Items",
    type=FieldType.TABLE,
    columns=(Field(name="Text"), Field(name="Amount", type=FieldType.CURRENCY)),
)


def score(kind: str, truth: Any, found: Any) -> tuple[int, int, int, int, int]:
    return counts(compare(Field(name="F", type=FieldType(kind), options=("a",)), truth, found))


def table(truth: list[tuple[Any, Any]], found: list[tuple[Any, Any]]) -> tuple[int, int, int, int, int]:
    def rows(given: list[tuple[Any, Any]]) -> list[dict[str, Any]]:
        return [{"Text": text, "Amount": amount} for text, amount in given]

    return counts(compare(TABLE, rows(truth), rows(found)))


def compare(field: Field, truth: Any, found: Any) -> FieldScore:
    total = FieldScore()
    for one in compare_values(field, truth, found):
        total.add(one)
    return total


def counts(one: FieldScore) -> tuple[int, int, int, int, int]:
    """Values, right, missing, wrong, invented."""
    return one.values, one.right, one.missing, one.wrong, one.invented


RIGHT, MISSING, WRONG, INVENTED, NOTHING = (
    (1, 1, 0, 0, 0),
    (1, 0, 1, 0, 0),
    (1, 0, 0, 1, 0),
    (0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0),
)


@pytest.mark.parametrize(
    ("kind", "truth", "found", "expected"),
    [
        ("text", "Müller & Co. KG", "MÜLLER  CO KG", RIGHT),
        ("text", "Straße 1", "STRASSE 1", RIGHT),
        ("text", "Straße 1", "Straße 2", WRONG),
        ("text", "Straße 1", None, MISSING),
        ("text", "Straße 1", "", MISSING),
        ("text", None, "Straße 1", INVENTED),
        ("text", None, "", NOTHING),
        ("text", "-", "-", RIGHT),
        ("text", "-", None, MISSING),
        ("number", 5, 5.0, RIGHT),
        ("number", 5, "5.004", RIGHT),
        ("number", 5, 5.01, WRONG),
        ("number", 0, 0, RIGHT),
        ("number", 0, None, MISSING),
        ("currency", "1234.50", 1234.5, RIGHT),
        ("currency", -3, 3, WRONG),
        ("currency", "unknown", "unknown", RIGHT),
        ("date", "2024-03-01", "2024-03-01", RIGHT),
        ("date", "2024-03-01", "2024-01-03", WRONG),
        ("boolean", False, False, RIGHT),
        ("boolean", True, False, WRONG),
        ("boolean", False, None, MISSING),
        ("boolean", False, "false", RIGHT),
        ("choice", "a", "A", RIGHT),
        ("list", ["A", "b", "b"], ["B", "a"], (3, 2, 1, 0, 0)),
        ("list", ["A"], ["A", "C"], (1, 1, 0, 0, 1)),
        ("list", [], None, NOTHING),
    ],
)
def test_values_are_compared_by_their_type(
    kind: str, truth: Any, found: Any, expected: tuple[int, ...]
) -> None:
    assert score(kind, truth, found) == expected


def test_all_empty_values_are_equal() -> None:
    nothing: list[Any] = [None, "", []]
    assert {normal(kind, value) for kind in FieldType for value in nothing} == {None}


def test_the_order_of_rows_does_not_matter() -> None:
    assert table([("a", 1), ("b", 2)], [("b", 2), ("a", 1)]) == (4, 4, 0, 0, 0)


def test_rows_are_paired_so_that_most_cells_agree() -> None:
    assert table([("a", 1), ("b", 2)], [("b", 9), ("x", 1)]) == (4, 2, 0, 2, 0)


def test_equal_row_is_paired_once() -> None:
    assert table([("a", 1), ("a", 1)], [("a", 1)]) == (4, 2, 2, 0, 0)
    assert table([("a", 1)], [("a", 1), ("a", 1)]) == (2, 2, 0, 0, 2)


def test_missing_and_invented_rows() -> None:
    assert table([("a", 1), ("b", None)], []) == (3, 0, 3, 0, 0)
    assert table([], [("a", 1), ("b", None)]) == (0, 0, 0, 0, 3)
    assert table([], []) == NOTHING


def test_empty_cells_do_not_pair_rows() -> None:
    assert table([("a", None)], [("z", None), ("a", 5)]) == (1, 1, 0, 0, 2)


def test_a_long_table_is_compared_fast() -> None:
    rows: list[tuple[Any, Any]] = [(f"row {i}", i) for i in range(20_000)]
    assert table(rows, rows[::-1])[:2] == (40_000, 40_000)


def test_suite_score_by_field_and_total() -> None:
    suite = SuiteScore()
    fields = [Field(name="Name"), TABLE]
    truth = {"Name": "A", "Items": [{"Text": "x", "Amount": 1}]}
    suite.add(compare_all(fields, truth, truth))
    suite.add(compare_all(fields, truth, {"Name": "B"}))
    assert (suite.documents, suite.perfect) == (2, 1)
    assert counts(suite.fields["Name"]) == (2, 1, 0, 1, 0)
    assert counts(suite.fields["Items.Text"]) == counts(suite.fields["Items.Amount"]) == (2, 1, 1, 0, 0)
    assert counts(suite.total) == (6, 3, 2, 1, 0)
    assert suite.total.share == 0.5
    assert suite.total.f1 == pytest.approx(2 * 3 / (6 + 4))
    assert FieldScore().share == FieldScore().f1 == 1


def test_cells_of_tables_tell_their_rows() -> None:
    truth = [{"Text": "Bolt", "Amount": 1}, {"Text": "Nut", "Amount": 2}, {"Text": "Gone", "Amount": 3}]
    found = [{"Text": "New", "Amount": None}, {"Text": "Nut", "Amount": 2}, {"Text": "Bolt", "Amount": 9}]
    rows = {
        (one.truth, one.found): (one.true_row, one.found_row) for one in compare_values(TABLE, truth, found)
    }
    assert rows[1, 9] == (0, 2)
    assert rows[2, 2] == (1, 1)
    (extra,) = compare_values(TABLE, [], [{"Text": "New", "Amount": None}])
    assert (extra.true_row, extra.found_row) == (None, 0)


def test_rows_of_long_tables_are_paired_with_those_near_them() -> None:
    truth = [{"Text": f"a{number}", "Amount": number} for number in range(3000)]
    found = [{"Text": f"b{number}", "Amount": number} for number in range(3000)]
    total = compare(TABLE, truth, found)
    assert counts(total) == (6000, 3000, 0, 3000, 0)

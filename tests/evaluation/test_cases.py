from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.evaluation.cases import find_cases
from tests.evaluation.conftest import MakeCase


def test_cases_are_found_by_suite_and_name(make_case: MakeCase, tmp_path: Path) -> None:
    for suite, name in (("b", "2"), ("a", "1"), ("b", "1")):
        make_case(name, suite=suite)
    (tmp_path / "cases" / "b" / "notes").mkdir()
    (tmp_path / "cases" / "b" / "1" / ".DS_Store").write_text("")
    found = find_cases(tmp_path / "cases")
    assert [(case.suite, case.name) for case in found] == [("a", "1"), ("b", "1"), ("b", "2")]
    assert found[0].document.name == "letter.txt"
    assert [field.name for field in found[0].fields] == ["Invoice Number", "Total", "Line Items"]
    assert found[0].truth == {"Invoice Number": "A-17"}
    assert [case.suite for case in find_cases(tmp_path / "cases", ["a"])] == ["a"]


def test_no_cases_is_an_error(make_case: MakeCase, tmp_path: Path) -> None:
    make_case("1")
    with pytest.raises(InputError, match="is not a folder"):
        find_cases(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"holds no <suite>/<case>/truth\.json of these suites"):
        find_cases(tmp_path / "cases", ["other"])


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (write("second.txt", ""), "one document"),
        (lambda folder: (folder / "letter.txt").unlink(), "one document"),
        (lambda folder: (folder / "schema.json").unlink(), "schema.json: No such file"),
        (write("schema.json", "{"), "Expecting"),
        (write("schema.json", '{"fields": [{"name": "A", "type": "colour"}]}'), "fields.0.type"),
        (write("truth.json", "[]"), "truth.json must be an object"),
        (write("truth.json", '{"Line Items": {"Amount": 1}}'), "'Line Items' is a table"),
        (write("truth.json", '{"Line Items": [1]}'), "rows of 'Line Items'"),
        (lambda folder: (folder / "truth.json").write_bytes(b"\xff"), "decode"),
    ],
)
def test_error_names_the_invalid_case(
    make_case: MakeCase, tmp_path: Path, damage: Callable[[Path], object], word: str
) -> None:
    make_case("1")
    folder = make_case("broken")
    damage(folder)
    with pytest.raises(InputError) as caught:
        find_cases(tmp_path / "cases")
    assert str(folder) in caught.value.message
    assert word in caught.value.message

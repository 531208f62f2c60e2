from __future__ import annotations

import json
from pathlib import Path

from docduck.evaluation.cases import find_cases
from docduck.evaluation.run import run
from docduck.settings import Settings
from tests.evaluation.conftest import MakeCase


def test_cases_are_read_scored_and_written(make_case: MakeCase, tmp_path: Path) -> None:
    make_case("right", {"Invoice Number": "A-17", "Total": 12.5, "Line Items": []})
    make_case("other", {"Invoice Number": "A-18", "Total": 12.5})
    empty = make_case("empty", {"Invoice Number": "A-19"}, suite="faults")
    (empty / "letter.txt").write_text("")
    told: list[tuple[int, int]] = []
    predictions = tmp_path / "new" / "predictions"
    evaluation = run(
        find_cases(tmp_path / "cases"),
        Settings(workers=1),
        predictions=predictions,
        on_progress=lambda done, of: told.append((done, of)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
    plain, faults = evaluation.suites["plain"], evaluation.suites["faults"]
    assert (plain.documents, plain.failed, plain.fields["Total"].right) == (2, 0, 2)
    assert (plain.fields["Invoice Number"].right, plain.fields["Invoice Number"].wrong) == (1, 1)
    assert plain.seconds > 0
    assert (faults.documents, faults.failed, faults.total.missing) == (1, 1, 1)
    assert json.loads((predictions / "plain" / "right.json").read_text()) == {
        "Invoice Number": "A-17",
        "Total": 12.5,
        "Line Items": [],
    }
    assert json.loads((predictions / "faults" / "empty.json").read_text()) == {}

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from lxml import html
from PIL import Image

from docduck.errors import InputError
from docduck.evaluation.cases import find_cases
from docduck.evaluation.report import confusions, write_report
from docduck.evaluation.run import Evaluation, run
from docduck.evaluation.run_history import compare_runs, load_run
from docduck.settings import Settings
from tests.evaluation.conftest import MakeCase

TEXT = "Invoice Number: A-17\nOrder: B-4\nTotal: 12.50 EUR\nPaid in cash: 13.00\n"


def evaluate(root: Path, *, pictures: bool = False) -> Evaluation:
    return run(find_cases(root), Settings(workers=1), pictures=pictures)


def test_report_shows_missed_values_on_pages(make_case: MakeCase, tmp_path: Path) -> None:
    make_case("right", {"Invoice Number": "A-17", "Total": 12.5})
    make_case("<b>wrong", {"Invoice Number": "A-17", "Total": 13}, text=TEXT)
    empty = make_case("empty", {"Invoice Number": "A-19"}, suite="faults")
    (empty / "letter.txt").write_text("")
    evaluation = evaluate(tmp_path / "cases", pictures=True)
    page = write_report(tmp_path / "report", evaluation)
    shown = html.parse(str(page))
    summaries = [one.text_content().strip() for one in shown.findall(".//summary")]
    assert summaries[0].startswith("empty: ")
    assert summaries[1].startswith("<b>wrong: 1 missed")
    assert len(summaries) == 2
    (picture,) = [image.get("src") for image in shown.findall(".//img")]
    image = Image.open(tmp_path / "report" / picture).convert("RGB")
    red, green, blue = (np.asarray(image)[..., channel].astype(int) for channel in range(3))
    assert ((red > 190) & (green < 120) & (blue < 120)).any(), "the box of what was given"
    assert ((green > 120) & (red < 90) & (blue < 90)).any(), "the box of the truth"
    assert (tmp_path / "report" / "calibration.svg").read_text().startswith("<svg")
    assert len(shown.findall(".//svg")) == 3


def test_pages_are_drawn_as_jpeg_if_they_are_asked_for(make_case: MakeCase, tmp_path: Path) -> None:
    make_case("wrong", {"Invoice Number": "A-17", "Total": 13}, text=TEXT)
    (case,) = evaluate(tmp_path / "cases").cases
    assert case.pictures == []
    (case,) = evaluate(tmp_path / "cases", pictures=True).cases
    (picture,) = case.pictures
    assert (picture.page, Image.open(BytesIO(picture.jpeg)).format) == (1, "JPEG")


def test_value_of_another_field_is_a_confusion(make_case: MakeCase, tmp_path: Path) -> None:
    folder = make_case("mixed", {"Invoice Number": "B-4", "Order": "A-17"}, text=TEXT)
    fields = [{"name": "Invoice Number", "type": "text"}, {"name": "Order", "type": "text"}]
    (folder / "schema.json").write_text(json.dumps({"fields": fields}))
    told = {(one.field, one.instead, one.count) for one in confusions(evaluate(tmp_path / "cases").cases)}
    assert ("Invoice Number", "Order", 1) in told


def test_values_won_and_lost_against_earlier_run(make_case: MakeCase, tmp_path: Path) -> None:
    one = make_case("one", {"Invoice Number": "A-17", "Total": 99})
    make_case("same", {"Invoice Number": "A-17", "Total": 12.5})
    write_report(tmp_path / "before", evaluate(tmp_path / "cases"))
    before = load_run(tmp_path / "before")
    (one / "letter.txt").write_text("Invoice Number: A-18\nTotal: 99.00 EUR\n")
    evaluation = evaluate(tmp_path / "cases")
    write_report(tmp_path / "now", evaluation)
    comparison = compare_runs(before, load_run(tmp_path / "now" / "run.json"))
    assert [(v.field, v.truth, v.found, v.better) for v in comparison.values] == [
        ("Invoice Number", '"A-17"', '"A-18"', False),
        ("Total", "99", "99", True),
    ]
    assert [(f.field, f.before, f.now) for f in comparison.fields] == [
        ("Invoice Number", 1.0, 0.5),
        ("Total", 0.5, 1.0),
    ]
    page = write_report(tmp_path / "now", evaluation, comparison).read_text()
    assert "lost" in page
    assert "won" in page
    again = compare_runs(before, before)
    assert (again.fields, again.values) == ([], [])


def test_other_file_is_not_an_earlier_run(tmp_path: Path) -> None:
    for text in ("[]", "{}", "no json"):
        (tmp_path / "run.json").write_text(text)
        with pytest.raises(InputError, match="not an earlier run"):
            load_run(tmp_path)
    with pytest.raises(InputError, match="not an earlier run"):
        load_run(tmp_path / "nowhere")

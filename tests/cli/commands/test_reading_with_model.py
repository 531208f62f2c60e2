"""What commands that read files without an installation say of a language model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Docduck
from tests.endpoint import Endpoint, model, says

FIELDS = [
    {"name": "Invoice Number", "type": "text"},
    {"name": "Undertaking", "description": "What the goods are for"},
]
LETTER = "Invoice Number: A-17\n\nThe goods are for the Lighthouse project and nothing else.\n"
ANSWER = {"invoice_number": "A-17", "undertaking": "Lighthouse project"}


@pytest.fixture
def endpoint(environment: Callable[..., None]) -> Iterator[Endpoint]:
    """The model of the settings, which finds what offline reading does not."""
    with model([says(ANSWER, usage=(1200, 80))]) as running:
        environment(model_base_url=running.url, model_name="small", model_input_price=2.0)
        yield running


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        case = tmp_path / "cases" / "mail" / name
        case.mkdir(parents=True)
        (case / "letter.txt").write_text(LETTER)
        (case / "schema.json").write_text(json.dumps({"fields": FIELDS}))
        (case / "truth.json").write_text(
            json.dumps({"Invoice Number": "A-17", "Undertaking": "Lighthouse project"})
        )
    return tmp_path / "cases"


def test_extract_tells_the_source_the_tokens_and_the_cost(
    docduck: Docduck, endpoint: Endpoint, tmp_path: Path
) -> None:
    (tmp_path / "fields.json").write_text(json.dumps({"fields": FIELDS}))
    (tmp_path / "letter.txt").write_text(LETTER)
    asked = ("extract", tmp_path / "letter.txt", "--fields", tmp_path / "fields.json")
    said = docduck(*asked, "--mode", "accurate")
    rows = {line.split("  ")[0]: line.split() for line in said.out.splitlines()}
    assert rows["Field"][-1] == "Source"
    assert rows["Undertaking"][-1] == "ai"
    assert "small: 1 request, 1,200 tokens read and 80 written, cost 0.0024; read in " in said.out
    offline = docduck(*asked).out
    assert "Source" not in offline
    assert "tokens" not in offline
    assert len(endpoint.questions) == 1


def test_evaluate_compares_two_modes(docduck: Docduck, endpoint: Endpoint, cases: Path) -> None:
    said = docduck("evaluate", cases, "--mode", "accurate", "--compare", "balanced", "--jobs", 1)
    assert said.code == 0
    lines = said.out.splitlines()
    at = lines.index("The modes compared")
    head = lines[at + 1].replace(" F1", "").replace("Seconds each", "Seconds")
    assert head.split()[:4] == ["Suite", "Mode", "Fields", "Cells"]
    offline, accurate = (line.split() for line in lines[at + 2 : at + 4])
    assert offline[:2] == ["mail", "balanced"]
    assert accurate[:3] == ["mail", "accurate", "1.000"]
    assert float(offline[2]) < 1
    assert offline[-4:] == ["0", "0", "0", "0.0000"]
    assert accurate[-4:] == ["2", "2400", "160", "0.0048"]
    assert "Compared to mode balanced: 2 values better, 0 worse" in said.out
    assert len(endpoint.questions) == 2


def test_a_comparison_is_json_for_programs(docduck: Docduck, endpoint: Endpoint, cases: Path) -> None:
    options = ("--mode", "accurate", "--model", "default", "--compare", "fast", "--jobs", 1, "--json")
    suite = docduck("evaluate", cases, *options).json["mail"]
    assert (suite["values"]["f1"], suite["usage"]["requests"]) == (1, 2)
    assert (suite["compared"]["mode"], suite["compared"]["usage"]) == ("fast", None)
    assert suite["compared"]["values"]["right"] == 2
    assert suite["compared"]["seconds"] > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--compare", "balanced"], "is the mode that is evaluated"),
        (["--model", "small"], "add --mode accurate"),
        (["--mode", "accurate", "--model", "large"], "there is no language model 'large'"),
        (["--mode", "accurate", "--compare", "fast"], "set DOCDUCK_MODEL_BASE_URL"),
        (["--compare", "fast", "--against", "run.json"], "exclude each other"),
    ],
)
def test_modes_that_can_t_be_compared_are_refused(
    docduck: Docduck, cases: Path, options: list[str], message: str
) -> None:
    said = docduck("evaluate", cases, *options)
    assert said.code == 2
    assert message in " ".join(said.err.split())

"""Commands that look at documents without keeping anything: classify, split, suggest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.cli.conftest import Docduck
from tests.endpoint import model, says

pytestmark = pytest.mark.slow


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return write(
        tmp_path / "labels.json", json.dumps(["Invoice", {"name": "Quote", "instructions": "offers"}])
    )


def test_documents_are_sorted(docduck: Docduck, tmp_path: Path, labels: Path) -> None:
    bill = write(tmp_path / "a.txt", "INVOICE", "Invoice number: 17", "Due date: 4 May 2024")
    offer = write(tmp_path / "b.txt", "QUOTATION", "Valid until: 4 May 2024")
    junk = tmp_path / "junk.bin"
    junk.write_bytes(bytes(range(256)) * 20)
    said = docduck("classify", bill, offer, "--labels", labels)
    assert said.code == 0
    table = {line.split()[0]: line for line in said.out.splitlines()[1:]}
    assert "Invoice" in table[str(bill)] and "titled 'QUOTATION'" in table[str(offer)]
    said = docduck("classify", bill, junk, "--labels", labels, "--json")
    assert said.code == 1
    found = {Path(one["file"]).name: one for one in map(json.loads, said.out.splitlines())}
    assert (found["a.txt"]["label"], found["a.txt"]["error"]) == ("Invoice", None)
    assert found["a.txt"]["confidence"] == pytest.approx(found["a.txt"]["scores"]["Invoice"], abs=1e-3)
    assert (found["junk.bin"]["label"], found["junk.bin"]["error"]) == (None, "Unsupported file type")


def test_the_model_sorts_only_where_it_is_asked_for(
    docduck: Docduck, environment: Callable[..., None], tmp_path: Path
) -> None:
    labels = write(tmp_path / "labels.json", json.dumps(["Harbour dues", "Crew lists"]))
    vague = write(tmp_path / "a.txt", "About our berths", "and the ships in them")
    said = docduck("classify", vague, "--labels", labels, "--mode", "accurate")
    assert "No language model is configured; the document was sorted without it" in " ".join(said.out.split())
    with model([says({"reason": "Berths cost money", "label": "Harbour dues"})]) as endpoint:
        environment(model_base_url=endpoint.url)
        asked = ("classify", vague, "--labels", labels, "--json")
        assert (docduck(*asked).json["label"], endpoint.questions) == (None, [])
        found = docduck(*asked, "--mode", "accurate").json
    assert (found["label"], found["usage"]["requests"]) == ("Harbour dues", 1)
    assert found["usage"]["seconds"] > 0
    environment(model_base_url="http://127.0.0.1:9/v1")
    found = docduck(*asked, "--mode", "accurate").json
    assert found["label"] is None
    assert "The language model could not be used (the connection failed" in found["warnings"][0]


@pytest.mark.parametrize(
    ("content", "complaint"), [("{", "Malformed JSON"), ("[]", "JSON array of labels"), ("[1]", "labels.0")]
)
def test_wrong_labels_are_told(docduck: Docduck, tmp_path: Path, content: str, complaint: str) -> None:
    path = write(tmp_path / "labels.json", content)
    said = docduck("classify", write(tmp_path / "a.txt", "x"), "--labels", path)
    assert said.code == 2
    assert str(path) in said.err and complaint in said.err


def test_a_missing_file_is_told(docduck: Docduck, tmp_path: Path, labels: Path) -> None:
    said = docduck("classify", tmp_path / "none.pdf", "--labels", labels)
    assert (said.code, said.err) == (2, f"Error: There is no file {tmp_path / 'none.pdf'}\n")


def statements(path: Path, *numbers: int) -> Path:
    canvas = Canvas(str(path))
    for number in numbers:
        canvas.drawString(72, 760, "ACCOUNT STATEMENT")
        canvas.drawString(72, 740, f"Statement number: S-{number}")
        canvas.showPage()
    canvas.save()
    return path


def test_a_file_of_several_documents_is_divided(docduck: Docduck, tmp_path: Path) -> None:
    path = statements(tmp_path / "all.pdf", 100, 100, 200)
    found = docduck("split", path, "--json").json
    assert [part["pages"] for part in found["parts"]] == ["1-2", "3"]
    said = docduck("split", path)
    assert said.code == 0 and "changes from S-100 to S-200" in said.out
    assert [p["pages"] for p in docduck("split", path, "--every", 2, "--json").json["parts"]] == ["1-2", "3"]
    found = docduck("split", path, "--pages", "3", "--json").json
    assert (found["parts"][0]["pages"], found["unassignedPages"]) == ("3", [1, 2])
    found = docduck("split", path, "--key", "Statement number", "--json").json
    assert [(part["pages"], part["key"]) for part in found["parts"]] == [("1-2", "S-100"), ("3", "S-200")]
    assert docduck("split", path, "--pages", "3", "--every", 2).code == 2
    for useless, words in (
        (("--fields", tmp_path / "fields.json"), "--fields needs --key"),
        (("--instructions", "By month", "--every", 2), "--instructions goes with none of"),
        (("--instructions", "By month"), "--instructions needs --mode accurate"),
    ):
        refused = docduck("split", path, *useless)
        assert refused.code == 2 and words in refused.err
    assert docduck("split", path, "--pages", "x").code == 2
    broken = write(tmp_path / "broken.pdf", "%PDF-1.7")
    assert docduck("split", broken).code == 1


def test_the_model_divides_only_where_it_is_asked_for(
    docduck: Docduck, environment: Callable[..., None], tmp_path: Path
) -> None:
    path = statements(tmp_path / "all.pdf", 100, 100, 200)
    by_month = (path, "--json", "--instructions", "By month", "--mode", "accurate")
    found = docduck("split", *by_month).json
    assert found["warnings"] == ["No language model is configured; the file was split by what its pages show"]
    with model([says({"starts": [{"reason": "another month", "page": 2}]})]) as endpoint:
        environment(model_base_url=endpoint.url)
        assert docduck("split", path, "--json").json["usage"] is None
        assert endpoint.questions == []
        assert docduck("split", *by_month).json["usage"]["requests"] == 1
    assert "By month" in endpoint.questions[0].text


def test_fields_are_suggested_that_extract_takes(docduck: Docduck, tmp_path: Path) -> None:
    bill = write(
        tmp_path / "a.txt", "INVOICE", "Invoice number: A-17", "Favourite colour: blue", "Total: 12.50 EUR"
    )
    said = docduck("suggest", bill, "--json")
    assert said.code == 0
    types = {field["name"]: field["type"] for field in said.json}
    assert (
        types.items() >= {"Invoice number": "text", "Favourite colour": "text", "Total": "currency"}.items()
    )
    fields = write(tmp_path / "fields.json", said.out)
    (found,) = map(json.loads, docduck("extract", bill, "--fields", fields, "--json").out.splitlines())
    assert (
        found["data"].items() >= {"Invoice number": "A-17", "Favourite colour": "blue", "Total": 12.5}.items()
    )
    assert "Favourite colour" in docduck("suggest", bill).out

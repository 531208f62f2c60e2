"""Commands that look at documents without keeping anything: classify, split, suggest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Docduck


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


@pytest.mark.parametrize(
    ("content", "complaint"), [("{", "is not JSON"), ("[]", "JSON array of labels"), ("[1]", "labels.0")]
)
def test_wrong_labels_are_told(docduck: Docduck, tmp_path: Path, content: str, complaint: str) -> None:
    path = write(tmp_path / "labels.json", content)
    said = docduck("classify", write(tmp_path / "a.txt", "x"), "--labels", path)
    assert said.code == 2
    assert str(path) in said.err and complaint in said.err


def test_a_missing_file_is_told(docduck: Docduck, tmp_path: Path, labels: Path) -> None:
    said = docduck("classify", tmp_path / "none.pdf", "--labels", labels)
    assert (said.code, said.err) == (2, f"Error: There is no file {tmp_path / 'none.pdf'}\n")

"""Every sample document is read fully right: each value of its truth, no more and no less."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from docduck.extraction import extract
from docduck.extraction.result import Extraction
from docduck.templates import load
from tools.samples import Draft, drafts

READ_BY_OCR = ("scan", "photo")


@functools.cache
def all_drafts() -> dict[str, Draft]:
    return {draft.id: draft for draft in drafts()}


@functools.cache
def extracted(sample: str) -> Extraction:
    draft = all_drafts()[sample]
    return extract(draft.render(), load(draft.template).fields, name=draft.file)


def cases() -> list[Any]:
    return [
        pytest.param(draft.id, id=draft.id, marks=[pytest.mark.slow] if draft.kind in READ_BY_OCR else [])
        for draft in all_drafts().values()
    ]


@pytest.mark.parametrize("sample", cases())
def test_a_sample_is_read_fully_right(sample: str) -> None:
    draft = all_drafts()[sample]
    fields = load(draft.template).fields
    found = extracted(sample)
    expected = {field.name: draft.truth.get(field.name) for field in fields}
    for field in fields:
        if field.type.value in ("table", "list"):
            expected[field.name] = expected[field.name] or []
    assert found.data == expected
    if draft.kind not in READ_BY_OCR and draft.template in ("invoice", "receipt"):
        entries = [entry for entry in found.field_metadata.values() if isinstance(entry, dict)]
        rules = [finding["rule"] for entry in entries for finding in entry.get("validation", ())]
        assert "sum_of_rows" not in rules, "its sums agree"


@pytest.mark.parametrize("sample", ["inv-de-stationery", "bank-gb-bath"])
def test_every_value_and_cell_has_its_place(sample: str) -> None:
    found = extracted(sample)
    for field in load(all_drafts()[sample].template).fields:
        entries = found.field_metadata.get(field.name)
        if field.type.value == "table":
            assert isinstance(entries, list) and len(entries) == len(found.data[field.name])
            rows = zip(found.data[field.name], entries, strict=True)
            places = [row[name] for cells, row in rows for name in row if cells[name] is not None]
        else:
            places = [entries] if found.data[field.name] is not None else []
        for entry in places:
            assert 0 < entry["confidence"] <= 1
            assert entry["page"] >= 1 and entry["locations"]
            for place in entry["locations"]:
                box = place["bbox"]
                assert 0 <= box["left"] < box["left"] + box["width"] <= 1.0001
                assert 0 <= box["top"] < box["top"] + box["height"] <= 1.0001
                assert place["text"]

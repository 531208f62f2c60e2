"""Loads documents of many kinds, draws them as PDFs, and scores what extraction finds in them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from reportlab.pdfgen.canvas import Canvas

from docduck import extract
from docduck.extraction.normal_text import key

_COLUMN = re.compile(r"\S+(?: \S+)*")
"""A run of words without a column gap."""


@dataclass(frozen=True)
class Sample:
    """A document: its text as typed, its fields (API form), and the true values by field."""

    kind: str
    text: str
    fields: list[dict[str, Any]]
    truth: dict[str, Any]


@dataclass
class Score:
    """Counts over fields: right values, found values, true values."""

    right: int = 0
    given: int = 0
    true: int = 0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0–1."""
        return 2 * self.right / (self.given + self.true) if self.given + self.true else 1.0

    @property
    def precision(self) -> float:
        """The share of given values that are right, 0–1."""
        return self.right / self.given if self.given else 1.0


@cache
def samples(name: str) -> list[Sample]:
    """Return the documents of one half, ``seen`` or ``held``."""
    found = []
    for one in yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8")):
        fields, truth = [], {}
        for line in one["fields"]:
            label, type_, description, value = (part.strip() for part in line.split("|"))
            field: dict[str, Any] = {"name": label, "type": type_.partition("=")[0]}
            if "=" in type_:
                field["options"] = [option.strip() for option in type_.partition("=")[2].split(";")]
            if description:
                field["description"] = description
            fields.append(field)
            truth[label] = json.loads(value)
        found.append(Sample(one["kind"], one["text"], fields, truth))
    return found


def drawn(sample: Sample) -> bytes:
    """Return the sample as a one-page PDF in a proportional font, columns as typed."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    canvas.setFont("Helvetica", 10)
    for row, line in enumerate(sample.text.splitlines()):
        for column in _COLUMN.finditer(line):
            canvas.drawString(45 + 5.0 * column.start(), 790 - 15 * row, column[0])
    canvas.save()
    return out.getvalue()


def found(sample: Sample, pdf: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the data and field metadata that extraction finds in a sample, as text or PDF."""
    content = drawn(sample) if pdf else sample.text.encode()
    result = extract(content, sample.fields, name="document.pdf" if pdf else "document.txt")
    return result.data, result.field_metadata


def same(value: object, truth: object) -> bool:
    """Return whether a value is the true one: text by letters and digits, lists by entries."""
    if isinstance(value, str) and isinstance(truth, str):
        return key(value) == key(truth)
    if isinstance(value, list) and isinstance(truth, list):
        return sorted(key(str(v)) for v in value) == sorted(key(str(v)) for v in truth)
    return value == truth


def score(found_in: Iterable[tuple[Sample, dict[str, Any]]]) -> Score:
    """Return the counts over all fields of some samples."""
    total = Score()
    for sample, data in found_in:
        for name, truth in sample.truth.items():
            value = data[name]
            given = value is not None and value != []
            total.given += given
            total.true += truth is not None
            total.right += given and same(value, truth)
    return total

"""Evaluation cases for tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MakeCase = Callable[..., Path]

FIELDS = [
    {"name": "Invoice Number", "type": "text"},
    {"name": "Total", "type": "currency"},
    {"name": "Line Items", "type": "table", "columns": [{"name": "Amount", "type": "currency"}]},
]


@pytest.fixture
def make_case(tmp_path: Path) -> MakeCase:
    """Return a function that writes a case (text, fields, truth) to ``cases/<suite>/<name>``."""

    def make(name: str, truth: Any = None, *, text: str = "", suite: str = "plain") -> Path:
        folder = tmp_path / "cases" / suite / name
        folder.mkdir(parents=True)
        (folder / "letter.txt").write_text(text or "Invoice Number: A-17\nTotal: 12.50 EUR\n")
        (folder / "schema.json").write_text(json.dumps({"fields": FIELDS}))
        (folder / "truth.json").write_text(json.dumps({"Invoice Number": "A-17"} if truth is None else truth))
        return folder

    return make

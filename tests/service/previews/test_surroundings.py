"""The text around values."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Box
from docduck.errors import Transient
from docduck.service.core.installation import Installation
from docduck.service.previews import surroundings as module
from docduck.service.previews.surroundings import MOST_CHARACTERS, Surroundings, text_around
from tests.service.core.documents import make_parser, upload

LINES = [
    ("Order", Box(0.1, 0.10, 0.1, 0.02)),
    ("Invoice date", Box(0.6, 0.10, 0.2, 0.02)),
    ("Net", Box(0.1, 0.13, 0.1, 0.02)),
    ("2026-01-05", Box(0.6, 0.13, 0.2, 0.02)),
    ("Total", Box(0.1, 0.30, 0.1, 0.02)),
    ("119.00", Box(0.6, 0.30, 0.1, 0.02)),
]


def test_the_line_and_the_label_above_are_shown() -> None:
    shown = {value: text_around(LINES, LINES[value][1]) for value in (0, 3, 5)}
    assert shown == {0: "Order  Invoice date", 3: "Invoice date\nNet  2026-01-05", 5: "Total  119.00"}


def test_long_lines_are_cut_before_the_value() -> None:
    box = Box(0.1, 0.1, 0.5, 0.02)
    text = text_around([("x" * 300 + " Total 7", box), ("y" * 300, Box(0.7, 0.1, 0.2, 0.02))], box)
    assert len(text) == MOST_CHARACTERS
    assert text.endswith("x Total 7")
    below = Box(0.1, 0.13, 0.5, 0.02)
    assert text_around([("x" * 300, box)], below) == "x" * MOST_CHARACTERS


def test_pages_are_read_while_there_is_time(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    document = upload(inst, inst.team_id, make_parser(inst).id, b"Total: 119.00\n", "a.txt")
    where = [{"page": 1, "bbox": {"left": 0.1, "top": 0.0, "width": 0.5, "height": 1.0}}]
    assert Surroundings(inst, inst.team_id, 60).text(document, where) == "Total: 119.00"
    assert Surroundings(inst, inst.team_id, -1).text(document, where) is None
    assert Surroundings(inst, inst.team_id, 60).text(document, []) is None

    def busy(*_: Any) -> bytes:
        raise Transient("Others are served")

    monkeypatch.setattr(module, "page_words", busy)
    assert Surroundings(inst, inst.team_id, 60).text(document, where) is None

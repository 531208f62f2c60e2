"""Columns that an author set with spaces in Markdown stay apart."""

from __future__ import annotations

from docduck.documents.reader import read


def test_a_gap_of_spaces_parts_columns() -> None:
    text = "# A v. B\n\nALPHA LTD.,                    Case No. 12-345\n\n    Plaintiff,\n"
    lines = read(text.encode(), "caption.md").pages[0].lines
    texts = [line.text for line in lines]
    assert texts == ["A v. B", "ALPHA LTD.,", "Case No. 12-345", "Plaintiff,"]
    assert lines[2].box.left > lines[1].box.right


def test_two_spaces_part_nothing() -> None:
    text = "# Title\n\nOne sentence.  Another sentence follows it here.\n"
    lines = read(text.encode(), "two.md").pages[0].lines
    assert lines[1].text == "One sentence. Another sentence follows it here."

from __future__ import annotations

from docduck.documents.document import Box, Rule, Word
from docduck.documents.geometry.lines import build_lines


def word(text: str, left: float, top: float, height: float = 0.012, width: float | None = None) -> Word:
    return Word(text, Box(left, top, width if width is not None else 0.009 * len(text), height))


def texts(words: list[Word], rules: tuple[Rule, ...] = ()) -> list[str]:
    return [line.text for line in build_lines(words, 595, 842, rules)]


def test_no_words_no_lines() -> None:
    assert build_lines([], 595, 842) == []


def test_order_does_not_depend_on_the_file() -> None:
    words = [word("world", 0.16, 0.1), word("below", 0.1, 0.2), word("hello", 0.11, 0.101)]
    assert texts(words) == ["hello world", "below"]


def test_a_wide_gap_parts_columns() -> None:
    assert texts([word("Total", 0.1, 0.1), word("12.00", 0.5, 0.1)]) == ["Total", "12.00"]


def test_a_vertical_rule_parts_what_stands_close() -> None:
    words = [word("Qty", 0.1, 0.1), word("Unit", 0.131, 0.1)]
    assert texts(words) == ["Qty Unit"]
    assert texts(words, (Rule(0.129, 0.05, 0.129, 0.3),)) == ["Qty", "Unit"]
    assert texts(words, (Rule(0.129, 0.5, 0.129, 0.7),)) == ["Qty Unit"]


def test_a_large_figure_joins_its_small_label() -> None:
    assert texts([word("Total", 0.1, 0.108), word("99.00", 0.15, 0.1, 0.022)]) == ["Total 99.00"]


def test_tightly_set_lines_stay_apart() -> None:
    words = [word(f"line{row}", 0.1, 0.1 + 0.0085 * row) for row in range(5)]
    assert texts(words) == ["line0", "line1", "line2", "line3", "line4"]


def test_a_tall_cell_does_not_swallow_two_lines_beside_it() -> None:
    words = [word("one", 0.1, 0.1), word("two", 0.1, 0.114), word("BIG", 0.4, 0.1, 0.026)]
    assert sorted(texts(words)) == ["BIG", "one", "two"]


def test_the_line_box_holds_its_words() -> None:
    (line,) = build_lines([word("a", 0.1, 0.1), word("b", 0.115, 0.102)], 595, 842)
    assert line.box.left == 0.1
    assert line.box.top == 0.1
    assert abs(line.box.right - 0.124) < 1e-9
    assert abs(line.box.bottom - 0.114) < 1e-9

"""Pages to draw on: points, origin top-left, and a table that continues over page breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import reportlab
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

Align = Literal["left", "right", "centre"]

A4 = (595.28, 841.89)
LETTER = (612.0, 792.0)


@dataclass(frozen=True)
class Theme:
    """A house style: three faces of one family, and an accent colour."""

    regular: str = "Helvetica"
    bold: str = "Helvetica-Bold"
    italic: str = "Helvetica-Oblique"
    accent: str = "#1f3a5f"


SERIF = ("Times-Roman", "Times-Bold", "Times-Italic")
VERA = ("Vera", "VeraBd", "VeraIt")
MONO = ("Courier", "Courier-Bold", "Courier-Oblique")


@cache
def _register_vera() -> None:
    folder = Path(reportlab.__file__).parent / "fonts"
    for name in VERA:
        pdfmetrics.registerFont(TTFont(name, folder / f"{name}.ttf"))


def text_width(text: str, font: str, size: float) -> float:
    """Return the width of a text in points."""
    if font in VERA:
        _register_vera()
    return float(pdfmetrics.stringWidth(text, font, size))


def wrap(text: str, font: str, size: float, width: float) -> list[str]:
    """Return lines of at most ``width`` points, broken at spaces and at the text's line breaks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, font, size) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


class Sheet:
    """Pages being drawn; ``furniture`` is drawn on each page as it begins."""

    def __init__(self, canvas: Any, size: tuple[float, float], pages: int) -> None:
        self._canvas = canvas
        self.width, self.height = size
        self.pages = pages
        self.page = 1
        self.furniture: Callable[[], None] = lambda: None

    def begin(self, furniture: Callable[[], None]) -> None:
        self.furniture = furniture
        furniture()

    def next_page(self) -> None:
        self._canvas.showPage()
        self.page += 1
        self.furniture()

    def text(
        self,
        x: float,
        y: float,
        text: str,
        font: str = "Helvetica",
        size: float = 9.5,
        align: Align = "left",
        color: str = "#000000",
    ) -> None:
        """One line whose baseline is at ``y``; ``x`` is its left, right or middle."""
        offset = {"left": 0.0, "right": 1.0, "centre": 0.5}[align]
        x -= offset * text_width(text, font, size)
        self._canvas.setFont(font, size)
        self._canvas.setFillColor(HexColor(color))
        self._canvas.drawString(x, self.height - y, text)

    def lines(
        self,
        x: float,
        y: float,
        lines: Sequence[str],
        font: str = "Helvetica",
        size: float = 9.5,
        leading: float = 0,
        align: Align = "left",
        color: str = "#000000",
    ) -> float:
        """Lines below each other; gives the baseline that would come next."""
        for line in lines:
            self.text(x, y, line, font, size, align, color)
            y += leading or size * 1.3
        return y

    def rule(
        self, x0: float, y0: float, x1: float, y1: float, width: float = 0.5, color: str = "#000000"
    ) -> None:
        self._canvas.setStrokeColor(HexColor(color))
        self._canvas.setLineWidth(width)
        self._canvas.line(x0, self.height - y0, x1, self.height - y1)

    def frame(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        line: str | None = "#000000",
        fill: str | None = None,
    ) -> None:
        """A rectangle with its top-left corner at (x, y)."""
        if line:
            self._canvas.setStrokeColor(HexColor(line))
            self._canvas.setLineWidth(0.6)
        if fill:
            self._canvas.setFillColor(HexColor(fill))
        self._canvas.rect(x, self.height - y - height, width, height, stroke=bool(line), fill=bool(fill))

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        self._canvas.setFillColor(HexColor(fill))
        self._canvas.circle(x, self.height - y, radius, stroke=0, fill=1)

    def polygon(self, points: Sequence[tuple[float, float]], fill: str) -> None:
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], self.height - points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, self.height - y)
        path.close()
        self._canvas.setFillColor(HexColor(fill))
        self._canvas.drawPath(path, stroke=0, fill=1)


def compose(draw: Callable[[Sheet], None], size: tuple[float, float], title: str, author: str) -> bytes:
    """A PDF of what ``draw`` draws; drawn twice, so that ``sheet.pages`` is known the second time.

    The bytes are the same on every run: no date, no compression.
    """
    pages = 1
    for _ in range(2):
        target = BytesIO()
        canvas = Canvas(target, pagesize=size, invariant=1, pageCompression=0)
        canvas.setTitle(title)
        canvas.setAuthor(author)
        sheet = Sheet(canvas, size, pages)
        draw(sheet)
        pages = sheet.page
        canvas.showPage()
        canvas.save()
    return target.getvalue()


@dataclass(frozen=True)
class Column:
    """A column of a table, ``width`` points wide."""

    key: str
    title: str
    width: float
    align: Align = "left"


@dataclass(frozen=True)
class TableStyle:
    """``grid`` rules every cell; ``row_rule`` is a line under each row; ``zebra`` fills every second row."""

    font: str = "Helvetica"
    bold: str = "Helvetica-Bold"
    size: float = 9
    padding: float = 4
    gap: float = 3
    head_fill: str | None = None
    head_color: str = "#000000"
    head_rule: str | None = "#000000"
    row_rule: str | None = None
    zebra: str | None = None
    grid: str | None = None


def table(
    sheet: Sheet,
    x: float,
    y: float,
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, str]],
    style: TableStyle,
    bottom: float,
    top: float,
    carry: Callable[[int], tuple[str, str]] | None = None,
) -> float:
    """Draw rows under their header from ``y``; past ``bottom`` a new page goes on at ``top`` with the header.

    ``carry`` gives the label and amount of a line carried forward over a break after that many rows.
    Gives the y below the last row.
    """
    leading = style.size * 1.25
    total = sum(column.width for column in columns)

    def place(column: Column, left: float) -> float:
        if column.align == "right":
            return left + column.width - style.padding
        return left + column.width / 2 if column.align == "centre" else left + style.padding

    def cells(y: float, texts: Sequence[list[str]], font: str, color: str) -> float:
        height = max(len(lines) for lines in texts) * leading + 2 * style.gap
        left = x
        for column, lines in zip(columns, texts, strict=True):
            baseline = y + style.gap + style.size * 0.95
            sheet.lines(place(column, left), baseline, lines, font, style.size, leading, column.align, color)
            if style.grid:
                sheet.frame(left, y, column.width, height, style.grid, None)
            left += column.width
        return y + height

    def header(y: float) -> float:
        texts = [
            wrap(column.title, style.bold, style.size, column.width - 2 * style.padding) for column in columns
        ]
        height = max(len(lines) for lines in texts) * leading + 2 * style.gap
        if style.head_fill:
            sheet.frame(x, y, total, height, None, style.head_fill)
        y = cells(y, texts, style.bold, style.head_color)
        if style.head_rule and not style.grid:
            sheet.rule(x, y, x + total, y, 0.8, style.head_rule)
        return y

    def carried(y: float, count: int) -> float:
        assert carry is not None
        label, amount = carry(count)
        baseline = y + style.gap + style.size * 0.95
        sheet.text(
            x + total - columns[-1].width - style.padding, baseline, label, style.bold, style.size, "right"
        )
        sheet.text(x + total - style.padding, baseline, amount, style.bold, style.size, "right")
        return y + leading + 2 * style.gap

    y = header(y)
    for index, row in enumerate(rows):
        texts = [
            wrap(row.get(column.key, ""), style.font, style.size, column.width - 2 * style.padding)
            for column in columns
        ]
        height = max(len(lines) for lines in texts) * leading + 2 * style.gap
        reserve = leading + 2 * style.gap if carry else 0
        if y + height + reserve > bottom:
            if carry:
                carried(y, index)
            sheet.next_page()
            y = header(top)
            if carry:
                y = carried(y, index)
        if style.zebra and index % 2:
            sheet.frame(x, y, total, height, None, style.zebra)
        y = cells(y, texts, style.font, "#000000")
        if style.row_rule:
            sheet.rule(x, y, x + total, y, 0.4, style.row_rule)
    return y

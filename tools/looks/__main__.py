"""Draw made-up looks as PDFs to look at: ``python -m tools.looks FOLDER SEED …``."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from tools.looks.compose import draw_page
from tools.looks.look import make_look

_COLOURS = {
    "label": (0.8, 0, 0), "value": (0, 0, 0), "heading": (0, 0, 0.8), "prose": (0.3, 0.3, 0.3),
    "head": (0.7, 0, 0.7),
    "cell": (0, 0.45, 0), "option": (0.6, 0.4, 0), "furniture": (0.6, 0.6, 0.6),
}  # fmt: skip


def draw(path: Path, seed: int, number: int, truth: bool = True) -> None:
    """Write page ``number`` of the look ``seed`` as a PDF, with ``truth`` in colours by what each word is."""
    look = make_look(seed)
    sheet = draw_page(look, number)
    canvas = Canvas(str(path), (look.width, look.height), invariant=1)
    canvas.setLineWidth(0.5)
    for x0, y0, x1, y1 in sheet.rules:
        canvas.line(x0, look.height - y0, x1, look.height - y1)
    for piece in sheet.pieces:
        text = canvas.beginText(piece.left, look.height - piece.bottom + look.type.fall * piece.size)
        text.setFont(piece.font, piece.size)
        text.setHorizScale(look.type.stretch * 100)
        text.setFillColorRGB(*(_COLOURS[piece.kind] if truth else (0, 0, 0)))
        text.textOut(piece.text)
        canvas.drawText(text)
    canvas.save()


def main() -> None:
    """Draw the looks that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("seeds", type=int, nargs="+")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for seed in arguments.seeds:
        draw(arguments.folder / f"look-{seed}.pdf", seed, 0)


if __name__ == "__main__":
    main()

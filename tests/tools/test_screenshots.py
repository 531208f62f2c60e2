"""The pictures of pages in the README: they are there, and can be made anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tools.screenshots import FOLDER, PAGES, SIZE, take

MOST_BYTES = 150_000


def check(folder: Path) -> None:
    for path in (folder / f"{name}.png" for name in PAGES):
        assert path.stat().st_size < MOST_BYTES
        with Image.open(path) as picture:
            assert picture.size == (SIZE["width"], SIZE["height"])
            assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 10


def test_the_readme_shows_them() -> None:
    check(FOLDER)
    text = (FOLDER.parent / "README.md").read_text()
    assert [name for name in PAGES if f"(docs/{name}.png)" not in text] == []


def test_every_picture_is_shown_by_a_readme() -> None:
    shown = [*FOLDER.parent.glob("README.md"), *FOLDER.parent.glob("docduck/**/README.md")]
    text = "".join(path.read_text() for path in shown)
    assert [path.name for path in FOLDER.iterdir() if f"docs/{path.name})" not in text] == []


@pytest.mark.extended
@pytest.mark.browser
def test_they_can_be_taken(tmp_path: Path) -> None:
    take(tmp_path)
    check(tmp_path)

"""The pictures of pages in the README: they are there, and can be made anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.browser import CHROMIUM
from tests.screenshots import FOLDER, PAGES, SIZE, take

MOST_BYTES = 150_000


def check(folder: Path) -> None:
    assert {one.stem for one in folder.iterdir()} == set(PAGES)
    for path in folder.iterdir():
        assert path.suffix == ".png" and path.stat().st_size < MOST_BYTES
        with Image.open(path) as picture:
            assert picture.size == (SIZE["width"], SIZE["height"])
            assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 10


def test_the_readme_shows_them() -> None:
    check(FOLDER)
    text = (FOLDER.parent / "README.md").read_text()
    assert [name for name in PAGES if f"(docs/{name}.png)" not in text] == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (make system-deps)")
def test_they_can_be_taken(tmp_path: Path) -> None:
    take(tmp_path)
    check(tmp_path)

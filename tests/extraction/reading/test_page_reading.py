"""The reading of pages: measured on looks that the network was not trained on, and by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from docduck.documents.document import Box, Document, Page, Word
from docduck.documents.geometry.lines import build_lines
from docduck.extraction.page.page_view import PageView, views_of
from docduck.extraction.reading import network, reading_of
from docduck.extraction.reading.features import Segments, page_features
from docduck.extraction.reading.page_reading import KINDS, read_page
from tools.looks.compose import draw_page
from tools.looks.dataset import TEST_EVERY
from tools.looks.look import make_look
from tools.looks.segments import truth_of


def page(*words: tuple[float, float, str], size: float = 10) -> PageView:
    """A page of A4 with words at (left, top) in points."""
    some = [
        Word(text, Box(x / 595, y / 842, len(text) * size * 0.5 / 595, size * 1.1 / 842))
        for x, y, text in words
    ]
    return PageView(Page(1, 595, 842, build_lines(some, 595, 842)))


@pytest.mark.slow
def test_looks_that_were_not_trained_on_are_read() -> None:
    hits = {"kinds": [0, 0], "captions": [0, 0], "heads": [0, 0]}
    for seed in range(0, 30 * TEST_EVERY, TEST_EVERY):
        look = make_look(seed)
        drawn, owners = draw_page(look, 0).page(look.scan, random.Random(seed))
        view = PageView(drawn)
        reading, truth = read_page(view), truth_of(view, owners)
        for index in range(len(view.segments)):
            hits["kinds"][0] += int(reading.kinds[index].argmax()) == truth.kinds[index]
            hits["kinds"][1] += 1
            for name, pointers, right in (
                ("captions", reading.captions[index], truth.captions[index]),
                ("heads", reading.heads[index], truth.heads[index]),
            ):
                if right >= 0:
                    hits[name][0] += bool(pointers) and pointers[0].segment == right
                    hits[name][1] += 1
    shares = {name: right / count for name, (right, count) in hits.items()}
    assert shares["kinds"] > 0.85
    assert shares["captions"] > 0.8
    assert shares["heads"] > 0.75


def test_a_caption_below_its_value_and_one_above() -> None:
    below = page(
        (60, 100, "Maria"), (90, 100, "Kowalska"), (60, 114, "Name"),
        (300, 100, "12.03.2024"), (300, 114, "Datum"),
        (60, 150, "AB-1203"), (60, 164, "Vertrag"), (300, 150, "Leipzig"), (300, 164, "Ort"),
    )  # fmt: skip
    reading = reading_of(below)
    texts = [s.text for s in below.segments]
    assert reading.caption(texts.index("Leipzig"), texts.index("Ort")) > 0.4
    assert reading.kind(texts.index("Name"), "label") > 0.5


def test_pages_of_any_length_are_read_in_windows() -> None:
    words = [
        (60.0 + 200 * (i % 2), 20.0 + 12 * (i // 2), f"{'Label:' if i % 2 == 0 else 'A-12'}")
        for i in range(120)
    ]
    tall = [Word(t, Box(x / 595, y / 8420, 30 / 595, 10 / 8420)) for x, y, t in words]
    tall += [
        Word(w.text, Box(w.box.left, w.box.top + 0.1 * n, w.box.width, w.box.height))
        for n in range(1, 6)
        for w in tall
    ]
    view = PageView(Page(1, 595, 8420, build_lines(tall, 595, 8420)))
    assert len(view.segments) == 720
    reading = read_page(view)
    assert len(reading.captions) == len(reading.heads) == 720
    assert np.allclose(reading.kinds.sum(axis=1), 1, atol=1e-4)
    assert all(abs(one.segment - i) < 256 for i, some in enumerate(reading.captions) for one in some)
    assert max(i for i, some in enumerate(reading.captions) if some) > 700


def test_an_empty_page_has_an_empty_reading() -> None:
    reading = read_page(PageView(Page(1, 595, 842)))
    assert reading.kinds.shape == (0, len(KINDS))
    assert reading.labelled == {}


def test_padding_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    view = page((60, 100, "Date:"), (140, 100, "12.03.2024"), (60, 120, "No."), (140, 120, "A-17"))
    features = page_features(view)
    from docduck.extraction.reading.page_reading import _weights

    def scores(segments: Segments, mask: list[float]) -> Sequence[NDArray[np.float32]]:
        asked = (segments.hashes, segments.numbers, segments.places, np.array(mask, np.float32))
        return network.run(np, _weights(), *asked)

    alone = scores(features, [1, 1, 1, 1])
    padded = (np.concatenate([f, rng.integers(0, 3, (3, f.shape[1])).astype(f.dtype)]) for f in features)
    more = scores(Segments(*padded), [1, 1, 1, 1, 0, 0, 0])
    for before, after in zip(alone[:2], more[:2], strict=True):
        assert np.allclose(before, after[:4], atol=1e-3)


def test_views_and_readings_live_as_long_as_their_document() -> None:
    document = Document("text/plain", [Page(1, 595, 842)], 1)
    view = views_of(document)
    assert views_of(document) is view
    assert reading_of(view.pages[0]) is reading_of(view.pages[0])
    from docduck.extraction.page import page_view

    key = id(document)
    assert key in page_view._views
    del document
    assert key not in page_view._views


@pytest.mark.parametrize("size", [4.0, 10.0, 30.0])
def test_the_size_of_the_type_does_not_matter(size: float) -> None:
    scale = size / 10
    view = page(
        *((60 * scale + 20, y * scale, label) for y, label in ((20, "Datum:"), (34, "Nummer:"))),
        *((140 * scale + 20, y * scale, value) for y, value in ((20, "12.03.2024"), (34, "A-17"))),
        size=size,
    )
    texts = [s.text for s in view.segments]
    reading = reading_of(view)
    assert reading.caption(texts.index("A-17"), texts.index("Nummer:")) > 0.5

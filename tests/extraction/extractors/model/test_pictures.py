from __future__ import annotations

import base64
import io
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

import docduck
from docduck.documents.document import Document, Page
from docduck.documents.reader import read as read_file
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.pictures import picture_tokens
from docduck.extraction.result import Extraction
from docduck.settings import settings
from tests.endpoint import Question, Reply, model, says
from tests.extraction.extractors.model.asking.test_failures import lacking
from tests.extraction.extractors.model.reading import Reader

TOTAL = [{"name": "Undertaking"}]
NAMED = says({"undertaking": "Lighthouse project"})


def pdf(pages: int = 1) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(300, 400))
    for number in range(pages):
        canvas.drawString(40, 300, f"Prepared for the Lighthouse project {number}")
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def with_words(document: Document, pages: Collection[int] = (1,), **changes: Any) -> Document:
    """The document with words on some pages that were read in another way, or say something else."""
    for page in document.pages:
        if page.number in pages:
            page.lines = [
                replace(line, words=tuple(replace(word, **changes) for word in line.words))
                for line in page.lines
            ]
    return document


def scan(data: bytes) -> Document:
    """A document all of whose words are from OCR."""
    document = read_file(data, "a.pdf")
    return with_words(document, [page.number for page in document.pages], source="ocr")


def ask(read: Reader, url: str, data: bytes, **options: Any) -> Extraction:
    return read(url, scan(data), TOTAL, ModelContext.for_file(data, "a.pdf"), **options)


def test_a_vision_model_is_shown_scans(read: Reader) -> None:
    with model([NAMED]) as endpoint:
        ask(read, endpoint.url, pdf(2), vision=True, picture_width=900)
        ask(read, endpoint.url, pdf(2), vision=False)
    shown, told = endpoint.questions
    assert told.pictures == []
    assert len(shown.pictures) == 2
    head, _, data = shown.pictures[0].partition(",")
    assert head == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert picture.size == (900, 1200)
        assert picture.convert("L").histogram()[:80] != [0] * 80, "the words are drawn"


@pytest.mark.parametrize(
    ("changes", "shown"),
    [({}, []), ({"source": "ocr"}, [2]), ({"text": "☒"}, [2]), ({"text": "☐Yes"}, [2]), ({"text": "口"}, [])],
)
def test_only_pages_whose_text_does_not_tell_all_are_shown(
    changes: dict[str, str], shown: list[int], read: Reader
) -> None:
    data = pdf(2)
    document = with_words(read_file(data, "a.pdf"), [2], **changes)
    with model([NAMED]) as endpoint:
        read(endpoint.url, document, TOTAL, ModelContext.for_file(data, "a.pdf"), vision=True)
    (question,) = endpoint.questions
    assert question.pages == [1, 2]
    assert len(question.pictures) == len(shown)
    assert [*picture_tokens(document.pages, 1200)] == shown


def test_a_page_without_text_is_shown() -> None:
    assert [*picture_tokens([Page(1, 300, 400)], 600)] == [1]


def test_a_picture_takes_tokens_by_its_size() -> None:
    small, large = (picture_tokens([Page(1, 300, 400)], width)[1] for width in (600, 1200))
    assert (small, large) == (640, 2560)


def test_pictures_are_laid_out_as_the_page_was_read() -> None:
    table = "Name;Amount\n" + "\n".join(f"Rope {row};{row},50" for row in range(120))
    (page,) = read_file(table.encode(), "ropes.csv").pages
    draw = ModelContext.for_file(table.encode(), "ropes.csv").draw
    assert draw is not None
    assert draw(page, 600).height == pytest.approx(600 * page.height / page.width, abs=1)


def test_pictures_count_against_the_context(read: Reader) -> None:
    with model([NAMED]) as endpoint:
        ask(read, endpoint.url, pdf(9), vision=True, context_tokens=8192, max_concurrent=1)
    assert max(len(question.pictures) for question in endpoint.questions) <= 3
    assert {number for question in endpoint.questions for number in question.pages} == set(range(1, 10))


def test_a_model_that_turns_out_not_to_see_is_told_in_words(read: Reader) -> None:
    with model(lacking("pictures")) as endpoint:
        for _ in range(2):
            assert ask(read, endpoint.url, pdf(), vision=True).data["Undertaking"] == "Lighthouse project"
    assert [len(question.pictures) for question in endpoint.questions] == [1, 0, 0]


def test_a_document_without_a_file_is_read_in_words(read: Reader) -> None:
    with model([NAMED]) as endpoint:
        found = read(endpoint.url, scan(pdf()), TOTAL, vision=True)
    assert found.data["Undertaking"] == "Lighthouse project"
    assert endpoint.questions[0].pictures == []


def test_the_settings_name_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf())

    def script(question: Question) -> Reply:
        assert question.body["model"] == "large"
        return NAMED

    with model(script) as endpoint:
        values = {"BASE_URL": endpoint.url, "NAME": "large", "API_KEY": "k", "VISION": "true"}
        for name, value in values.items():
            monkeypatch.setenv(f"DOCDUCK_MODEL_{name}", value)
        monkeypatch.setenv("DOCDUCK_HOME", str(tmp_path))
        settings.cache_clear()
        try:
            found = docduck.extract(path, TOTAL, mode="accurate")
            docduck.extract(path, TOTAL, mode="balanced")
        finally:
            settings.cache_clear()
    assert found.warnings == []
    assert found.field_metadata["Undertaking"]["source"] == "ai"
    (question,) = endpoint.questions
    assert question.pictures == [], "its text tells all"
    assert question.headers["Authorization"] == "Bearer k"

"""PDFs that are damaged, absurd or hostile: each ends in a document or one of docduck's errors, in time."""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import page_count, read
from docduck.documents.render import render_page
from docduck.errors import DamagedFile, DocumentError, TooManyPages
from tests.documents.formats.files import LETTER, encoded, lines_page, pdf, picture
from tests.documents.formats.rawpdf import CATALOG, FONT, HELLO, RESOURCES, one_page, raw, stream

NO_OCR = ReadOptions(ocr="none")


def words(document: Document) -> list[str]:
    return [word.text for page in document.pages for word in page.words]


def test_the_builder_makes_readable_files() -> None:
    assert words(read(one_page(stream(HELLO)), options=NO_OCR)) == ["Hello", "world"]


@pytest.mark.parametrize(
    "kids",
    [b"[2 0 R]", b"[2 0 R 2 0 R 3 0 R]", b"[]", b"null", b"[99 0 R]", b"[4 0 R 5 0 R]"],
    ids=["itself", "itself twice", "none", "null", "missing", "no pages"],
)
def test_page_trees_that_are_none(kids: bytes) -> None:
    data = raw(
        CATALOG,
        b"<< /Type /Pages /Kids %s /Count 3 >>" % kids,
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % RESOURCES,
        stream(HELLO),
        FONT,
    )
    try:
        assert len(read(data, options=NO_OCR).pages) <= 3
    except DamagedFile as error:
        assert error.message == "File is damaged or not readable"


def test_a_count_of_pages_that_lies() -> None:
    data = raw(
        CATALOG,
        b"<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % RESOURCES,
        stream(HELLO),
        FONT,
    )
    with contextlib.suppress(DocumentError):
        assert words(read(data, options=NO_OCR)) == ["Hello", "world"]


def test_a_deep_page_tree() -> None:
    deep = [b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (number + 1) for number in range(2, 5000)]
    page = b"<< /Type /Page /MediaBox [0 0 595 842] >>"
    with contextlib.suppress(DamagedFile):
        assert len(read(raw(CATALOG, *deep, page), options=NO_OCR).pages) == 1


@pytest.mark.parametrize(
    "box",
    [
        b"0 0 0 0",
        b"0 0 1e30 1e30",
        b"0 0 14400000 14400000",
        b"0 0 0.001 800",
        b"5 5 -5 -5",
        b"0 0 nan 1",
        b"",
    ],
)
def test_absurd_page_sizes(box: bytes) -> None:
    data = one_page(stream(HELLO), box)
    for options in (NO_OCR, ReadOptions(ocr="fast", max_pixels=4_000_000)):
        try:
            for page in read(data, options=options).pages:
                assert page.width > 0 and page.height > 0
        except DocumentError:
            pass
    with contextlib.suppress(DocumentError):
        assert render_page(data, 1, width=200).width == 200


@pytest.mark.slow
def test_a_hundred_thousand_objects_on_a_page() -> None:
    content = HELLO + b"\n" + b"10 10 m 20 20 l S\n" * 100_000
    document = read(one_page(stream(zlib.compress(content), b"/Filter /FlateDecode")), options=NO_OCR)
    assert words(document) == ["Hello", "world"]
    assert len(document.pages[0].rules) < 10


def test_a_million_characters_on_a_page() -> None:
    content = b"BT /F1 1 Tf " + b"0 -0.001 Td (lorem ipsum dolor sit amet) Tj\n" * 60_000 + b"ET"
    document = read(one_page(stream(zlib.compress(content), b"/Filter /FlateDecode")), options=NO_OCR)
    assert document.page_count == 1


def test_a_stream_that_unpacks_to_gigabytes() -> None:
    bomb = zlib.compress(zlib.compress(bytes(60_000_000), 1), 9)
    data = one_page(stream(bomb, b"/Filter [/FlateDecode /FlateDecode]"))
    with contextlib.suppress(DocumentError):
        assert words(read(data, options=NO_OCR)) == []


def test_a_picture_that_unpacks_to_gigabytes() -> None:
    bomb = zlib.compress(bytes(10_000_000), 9)
    image = stream(
        bomb,
        b"/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8"
        b" /ColorSpace /DeviceRGB /Filter /FlateDecode",
    )
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /XObject << /I 5 0 R >> >> >>"
    )
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    data = raw(CATALOG, pages, page, stream(b"595 0 0 842 0 0 cm /I Do"), image)
    document = read(data, options=ReadOptions(ocr="fast"))
    assert words(document) == []


def test_more_pages_than_are_read() -> None:
    kids = b" ".join([b"3 0 R"] * 2001)
    data = raw(
        CATALOG,
        b"<< /Type /Pages /Kids [%s] /Count 2001 >>" % kids,
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % RESOURCES,
        stream(HELLO),
        FONT,
    )
    assert page_count(data) == 2001
    with pytest.raises(TooManyPages) as refused:
        read(data, options=NO_OCR)
    assert refused.value.message == (
        "Document has 2001 pages; at most 2000 can be read (choose some with parsePages)"
    )
    assert len(read(data, options=ReadOptions(ocr="none", pages="1-2000")).pages) == 2000
    assert [page.number for page in read(data, options=ReadOptions(ocr="none", pages="last")).pages] == [2001]


@pytest.mark.parametrize("name", ["letter.docx", "letter.png", "letter.eml", "letter.txt", "letter"])
def test_a_wrong_name_does_not_matter(name: str) -> None:
    assert [line.text for line in read(pdf(lines_page()), name, NO_OCR).pages[0].lines] == list(LETTER)


def test_bytes_before_the_header() -> None:
    data = b"\r\n\r\nHTTP junk " + pdf(lines_page())
    assert [line.text for line in read(data, "a.pdf", NO_OCR).pages[0].lines] == list(LETTER)


SAMPLES: Sequence[bytes] = (
    pdf(lines_page(), lines_page(LETTER[:3]), pageCompression=0),
    pdf(lambda canvas: canvas.acroForm.textfield(name="who", value="Erika", x=120, y=690), pageCompression=0),
    one_page(stream(zlib.compress(HELLO), b"/Filter /FlateDecode"), more=b"/Rotate 90"),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_changed_bytes_end_in_a_document_or_an_error(data: st.DataObject) -> None:
    sample = bytearray(data.draw(st.sampled_from(SAMPLES)))
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(sample) - 1))
        match data.draw(st.integers(0, 3)):
            case 0:
                sample[at] = data.draw(st.integers(0, 255))
            case 1:
                del sample[at : at + data.draw(st.integers(1, 60))]
            case 2:
                sample[at:at] = data.draw(st.binary(min_size=1, max_size=30))
            case _:
                numbers = [match.span() for match in re.finditer(rb"\d+", bytes(sample))]
                if numbers:
                    start, end = numbers[at % len(numbers)]
                    sample[start:end] = str(data.draw(st.integers(-(2**33), 2**33))).encode()
        if not sample:
            return
    try:
        document = read(bytes(sample), "a.pdf", NO_OCR)
    except DocumentError:
        return
    for page in document.pages:
        for word in page.words:
            assert 0 <= word.box.left <= word.box.right <= 1.0001
            assert 0 <= word.box.top <= word.box.bottom <= 1.0001


PICTURES = tuple(
    encoded(picture(size=(120, 80)), kind) for kind in ("PNG", "JPEG", "TIFF", "GIF", "WEBP", "BMP")
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_changed_pictures_end_in_a_document_or_an_error(data: st.DataObject) -> None:
    sample = bytearray(data.draw(st.sampled_from(PICTURES)))
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, min(len(sample) - 1, 400)))
        sample[at] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del sample[data.draw(st.integers(1, len(sample))) :]
    try:
        document = read(bytes(sample), "a", ReadOptions(ocr="none", max_pixels=4_000_000))
    except DocumentError:
        return
    assert document.page_count >= 1

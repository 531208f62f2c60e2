"""PDF portfolios are containers; other PDFs with embedded files are documents."""

from __future__ import annotations

from docduck.documents.formats.unpacking import Member, is_archive, unpack
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import page_count, read
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import zipped
from tests.documents.formats.rawpdf import HELLO, raw, stream

ONE, TWO = (pdf(lines_page((f"Number: A-{number}",))) for number in (1, 2))


def embedding(files: dict[str, bytes], catalog: bytes = b"/Collection << /View /D >>") -> bytes:
    """A PDF of one page with embedded files."""
    first = 6
    names = b" ".join(b"(%s) %d 0 R" % (name.encode(), first + 2 * at) for at, name in enumerate(files))
    specifications = []
    for at, (name, data) in enumerate(files.items()):
        entry = b"<< /F %d 0 R >>" % (first + 2 * at + 1)
        specifications += [
            b"<< /Type /Filespec /F (%s) /UF (%s) /EF %s >>" % (name.encode(), name.encode(), entry),
            stream(data, b"/Type /EmbeddedFile"),
        ]
    return raw(
        b"<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [%s] >> >> %s >>"
        % (names, catalog),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        stream(HELLO),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *specifications,
    )


def members(data: bytes, **options: int) -> list[Member]:
    return list(unpack(data, ReadOptions(**options)))  # type: ignore[arg-type]


def test_the_files_of_a_portfolio_are_its_members() -> None:
    data = embedding({"<3>two.pdf": TWO, "one.pdf": ONE, "more.zip": zipped({"a.txt": "Number: A-3"})})
    assert is_archive(data)
    assert [(member.path, member.data) for member in members(data)] == [
        ("two.pdf", TWO),
        ("one.pdf", ONE),
        ("more.zip/a.txt", b"Number: A-3"),
    ]
    assert read(data, "x.pdf").text.split("\n\f\n") == ["Number: A-2", "Number: A-1", "Number: A-3"]
    assert page_count(data, "x.pdf") == 3
    inside = zipped({"folder/x.pdf": data})
    assert members(inside)[0].path == "folder/x.pdf/two.pdf"


def test_other_pdfs_with_embedded_files_are_no_portfolios() -> None:
    for data in (
        embedding({"one.pdf": ONE}, b""),
        embedding({}),
        embedding({"factur-x.xml": b"<?xml version='1.0'?><Invoice/>"}),
        embedding({"one.pdf": ONE}).replace(b"/EmbeddedFiles", b"/EmbeddedFaces"),
    ):
        assert not is_archive(data)
        assert read(data, "x.pdf").text == "Hello world"


def test_a_portfolio_has_the_limits_of_archives() -> None:
    deep = ONE
    for _ in range(5):
        deep = embedding({"inner.pdf": deep, "b.txt": b"Number: A-1"})
    found = members(deep)
    assert found[0].path == "inner.pdf/inner.pdf/inner.pdf"
    assert found[0].error is not None
    several = embedding({f"{number}.pdf": ONE for number in range(5)})
    assert len(members(several, max_archive_files=3)) == 3

"""PDFs put together by hand, so that they may break every rule."""

from __future__ import annotations

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
RESOURCES = b"/Resources << /Font << /F1 5 0 R >> >>"


def raw(*objects: bytes) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is the catalog."""
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))
    )


def stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), more, data)


def one_page(content: bytes, box: bytes = b"0 0 595 842", more: bytes = b"") -> bytes:
    """Return a PDF of one page; ``more`` are further entries of its page object."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents 4 0 R %s %s >>" % (box, RESOURCES, more)
    return raw(CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, content, FONT)


HELLO = b"BT /F1 12 Tf 72 700 Td (Hello world) Tj ET"

from __future__ import annotations

import pytest

from docduck.documents.mail_expansion import Expansion, expand
from docduck.documents.reader import read
from tests.documents.formats.files import encoded, lines_page, pdf, picture
from tests.documents.formats.mail.test_mime import mail, read_mail


def test_a_mail_becomes_documents() -> None:
    message = mail()
    assert expand(read_mail(message), parse_body=None) == Expansion(True, ())
    assert expand(read_mail(message), parse_body=False) == Expansion(False, ())
    paper = pdf(lines_page(("page",)))
    message.add_attachment(paper, maintype="application", subtype="octet-stream", filename="a.bin")
    message.add_attachment(b"\x00\x01", maintype="application", subtype="x-odd", filename="b.odd")
    message.add_attachment("text", filename="c.txt")
    document = read_mail(message)
    kept = expand(document)
    assert kept.own
    assert [(f.name, f.content_type) for f in kept.files] == [
        ("a.bin", "application/pdf"),
        ("c.txt", "text/plain"),
    ]
    assert expand(document, parse_body=False).own is False
    assert expand(document, parse_body=None).own is None, "it depends on what is in its body"
    for types in (["application/pdf"], [".bin"], ["application/*"]):
        assert [f.name for f in expand(document, types=types).files] == ["a.bin"]
    assert expand(read(paper)).files == ()


@pytest.mark.parametrize(
    ("size", "is_one"),
    [((900, 600), True), ((300, 900), True), ((1200, 300), True), ((700, 200), False), ((200, 200), False)],
)
def test_pictures_in_a_body_are_documents_unless_they_are_logos(size: tuple[int, int], is_one: bool) -> None:
    message = mail()
    message.add_alternative('<p>Hello</p><img src="cid:1@x">', subtype="html")
    html = message.get_payload()[1]  # type: ignore[index]
    html.add_related(encoded(picture(size=size), "PNG"), "image", "png", cid="<1@x>")  # type: ignore[union-attr]
    document = read_mail(message)
    found = expand(document, None)
    assert (len(found.pictures), found.own) == ((1, None) if is_one else (0, True))
    assert expand(document, None, accepted=["application/pdf"]).pictures == ()
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="a.pdf")
    assert expand(read_mail(message), None).pictures == ()

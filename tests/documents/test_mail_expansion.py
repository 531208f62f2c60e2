from __future__ import annotations

from docduck.documents.mail_expansion import Expansion, expand
from docduck.documents.reader import read
from tests.documents.formats.files import lines_page, pdf
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

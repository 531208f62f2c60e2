"""What visitors of upload pages send, and how much."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import Document
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.uploads.file_uploads import UploadedFile
from docduck.service.uploads.public_upload_pages import (
    EMPTY,
    NOT_ACCEPTED,
    PublicPage,
    Sender,
    SentFile,
    VisitorLimit,
    check_files,
    count_file,
    find_public_page,
    register_files,
)
from docduck.service.uploads.upload_pages import PageOwner, put_upload_page
from tests.service.classifiers.classifiers_world import make_classifier
from tests.service.core.documents import make_parser

ADDRESS = "203.0.113.7"


def page_of(inst: Installation, owner: PageOwner, most: int = 3) -> PublicPage:
    made = put_upload_page(inst, inst.team_id, owner, {"files_per_hour": most})
    return find_public_page(inst, made.path.removeprefix("/upload/"))


def parser_page(inst: Installation, most: int = 3) -> PublicPage:
    return page_of(inst, PageOwner("parser", make_parser(inst).id), most)


def file(inst: Installation, name: str, content: bytes = b"x", kind: str = "text/plain") -> UploadedFile:
    return UploadedFile(name, inst.files.put_bytes(content), kind)


def counted(inst: Installation, page: PublicPage, *addresses: str) -> list[bool]:
    """Whether a file from each address is let through, in turn."""
    found = []
    for address in addresses:
        try:
            count_file(inst, page, address)
            found.append(True)
        except VisitorLimit:
            found.append(False)
    return found


def test_each_visitor_of_each_page_has_a_limit(any_inst: Installation) -> None:
    page = parser_page(any_inst, 2)
    other = page_of(any_inst, PageOwner("classifier", make_classifier(any_inst, "Bill")[0].id), 1)
    assert counted(any_inst, page, *[ADDRESS] * 3, "203.0.113.8") == [True, True, False, True]
    assert counted(any_inst, other, ADDRESS, ADDRESS) == [True, False]


def test_a_network_of_ipv6_is_one_visitor(inst: Installation) -> None:
    page = parser_page(inst, 1)
    assert counted(inst, page, "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1") == [
        True,
        False,
        True,
    ]
    assert counted(inst, page, "::ffff:203.0.113.7", ADDRESS, "::ffff:203.0.113.8") == [True, False, True]
    assert counted(inst, page, "no address", "no address", "é\udcff") == [True, False, True]


def test_the_limit_is_told_and_ends_with_the_hour(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = parser_page(inst, 1)
    moment = dt.datetime(2026, 3, 1, 23, 48, 30, tzinfo=dt.UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    count_file(inst, page, ADDRESS)
    with pytest.raises(VisitorLimit, match=r"send 1 file an hour\. Try again in 12 minutes") as caught:
        count_file(inst, page, ADDRESS)
    assert caught.value.retry_after == 690
    moment += dt.timedelta(seconds=690)
    count_file(inst, page, ADDRESS)
    kept = [inst.settings.home / name for name in ("rates.sqlite", "rates.sqlite-wal")]
    assert all(ADDRESS.encode() not in path.read_bytes() for path in kept), "no address is kept"


def test_each_file_is_told_apart(inst: Installation) -> None:
    page = replace(parser_page(inst, 2), accepted_file_types=["text/plain"])
    sender = Sender(ADDRESS)
    count_file(inst, page, ADDRESS)
    files = [
        file(inst, "../a.txt"),
        file(inst, "b.txt", b""),
        file(inst, "c.pdf", kind="application/pdf"),
        file(inst, "d.txt"),
        file(inst, "e.txt"),
    ]
    first, empty, wrong, second, late = check_files(inst, page, files, sender)
    assert (first, second) == (SentFile("a.txt"), SentFile("d.txt"))
    assert (empty.refusal, wrong.refusal) == (EMPTY, NOT_ACCEPTED)
    assert (late.refusal or "").startswith("You can send 2 files an hour")


def test_what_documents_tell_of_their_page(inst: Installation) -> None:
    classifier = PageOwner("classifier", make_classifier(inst, "Bill")[0].id)
    senders: list[tuple[Sender, str, dict[str, str]]] = [
        (Sender(ADDRESS), "upload_page", {}),
        (Sender(ADDRESS, True), "embed", {}),
        (Sender(ADDRESS, True, "https://a.org"), "embed", {"origin": "https://a.org"}),
    ]
    for page in (parser_page(inst), page_of(inst, classifier)):
        for number, (sender, source, more) in enumerate(senders):
            name = f"{page.id} {number}.txt"
            register_files(inst, page, [file(inst, name)], sender)
            with inst.catalog.read_session() as session:
                row = session.scalars(select(Document).where(Document.name == name)).one()
                assert (row.source, row.source_detail) == (source, {"uploadPageId": page.id, **more})
                assert (row.parser_id, row.classifier_id) == (page.parser_id, page.classifier_id)
                assert (row.status, row.team_id) == ("queued", page.team_id)


def test_a_parser_that_became_inactive_takes_nothing(inst: Installation) -> None:
    page = parser_page(inst)
    update_parser(inst, inst.team_id, str(page.parser_id), ParserChanges(is_active=False))
    for take in (check_files, register_files):
        with pytest.raises(InputError, match="inactive"):
            take(inst, page, [file(inst, "a.txt")], Sender(ADDRESS))

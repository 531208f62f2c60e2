"""Upload pages: their settings and links, what a link doesn't tell, and what visitors send, and how much."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import Document
from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.classifiers.classifiers import delete_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserChanges, delete_parser, update_parser
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.uploads.file_uploads import UploadedFile
from docduck.service.uploads.public_upload_pages import (
    EMPTY,
    NOT_ACCEPTED,
    PageClosed,
    PublicPage,
    Sender,
    SentFile,
    VisitorLimit,
    check_files,
    count_file,
    find_public_page,
    page_path,
    register_files,
)
from docduck.service.uploads.upload_pages import (
    PageOwner,
    delete_upload_page,
    get_upload_page,
    put_upload_page,
    renew_upload_page,
)
from tests.conftest import MakeInstallation
from tests.service.classifiers.classifiers_world import make_classifier
from tests.service.core.documents import make_parser

SETTINGS = {
    "title": " Send us <your> bills ",
    "message": "Two lines:\r\nPDF only ",
    "embed_origins": ["https://WWW.example.org", "http://localhost:3000", "https://www.example.org"],
    "files_per_hour": 5,
}


def owner_of(inst: Installation, kind: str) -> PageOwner:
    if kind == "parser":
        return PageOwner("parser", make_parser(inst).id)
    return PageOwner("classifier", make_classifier(inst, "Invoice")[0].id)


def token_of(path: str) -> str:
    return path.removeprefix("/upload/")


@pytest.mark.parametrize("kind", ["parser", "classifier"])
def test_a_page_from_its_creation_to_its_deletion(inst: Installation, kind: str) -> None:
    team, owner = inst.team_id, owner_of(inst, kind)
    with pytest.raises(NotFound, match=f"The {kind} has no upload page"):
        get_upload_page(inst, team, owner)
    made = put_upload_page(inst, team, owner, SETTINGS, "ann")
    assert UploadPageSettings.of(made) == UploadPageSettings.of_values(
        {
            "is_active": True,
            "title": "Send us <your> bills",
            "message": "Two lines:\nPDF only",
            "embed_origins": ["https://www.example.org", "http://localhost:3000"],
            "files_per_hour": 5,
        }
    )
    assert get_upload_page(inst, team, owner) == made
    page = find_public_page(inst, token_of(made.path))
    assert (page.id, page.team_id) == (made.id, team)
    assert (page.parser_id or page.classifier_id) == owner.ref

    changed = put_upload_page(inst, team, owner, {**SETTINGS, "title": "Bills"}, "ann")
    assert (changed.path, changed.id, changed.title) == (made.path, made.id, "Bills")
    put_upload_page(inst, team, owner, {**SETTINGS, "title": "Bills"}, "ann")
    renewed = renew_upload_page(inst, team, owner, "ann")
    assert renewed.id == made.id
    assert UploadPageSettings.of(renewed) == UploadPageSettings.of(changed)
    assert renewed.path != made.path
    with pytest.raises(NotFound):
        find_public_page(inst, token_of(made.path))
    assert find_public_page(inst, token_of(renewed.path)).title == "Bills"

    assert delete_upload_page(inst, team, owner, "ann") == made.id
    with pytest.raises(NotFound):
        find_public_page(inst, token_of(renewed.path))
    again = put_upload_page(inst, team, owner, SETTINGS, "ann")
    assert again.path not in (made.path, renewed.path)
    entries = find_audit_entries(inst, team, resource_id=owner.ref, actor="ann").rows
    done = ["created", "deleted", "renewed", "updated", "created"]
    assert [(one.action, one.resource_type) for one in entries] == [(f"upload_page.{x}", kind) for x in done]
    assert entries[3].details == {
        "changed": ["title"],
        "before": {"title": "Send us <your> bills"},
        "after": {"title": "Bills"},
    }
    told = str([one.details for one in entries])
    assert not any(token_of(one.path) in told for one in (made, renewed, again))


def test_wrong_settings(inst: Installation) -> None:
    origins = ["https://a.org"] * 3 + [f"https://{i}.org" for i in range(20)]
    tried: list[tuple[dict[str, Any], str, str]] = [
        ({"title": " "}, "title", "must have 1 to 200 characters"),
        ({"title": "x" * 201}, "title", "must have 1 to 200 characters"),
        ({"title": "a\nb"}, "title", "control characters"),
        ({"message": "x" * 2001}, "message", "at most 2000"),
        ({"message": "a\0"}, "message", "control characters"),
        ({"files_per_hour": 0}, "filesPerHour", "from 1 to 10000"),
        ({"embed_origins": origins}, "embedOrigins", "20"),
        *(
            ({"embed_origins": ["https://a.org", wrong]}, "embedOrigins.1", "must be an origin")
            for wrong in (
                *("*", "https://*", "https://*.a.org", "a.org", "https://a.org/", "https://a.org/x", "data:"),
                *("https://a.org; script-src *", "https://a.org 'self'", "https://a.org\nX: y", "null", ""),
                *("javascript://a.org", "https://u@a.org", "https://a.org:999999", "https://ä.org"),
                *(
                    "https://" + "a" * 250 + ".org",
                    "https://a.org,https://b.org",
                    "https://[::1]",
                    "https://-",
                ),
            )
        ),
    ]
    owner = owner_of(inst, "parser")
    for changes, path, words in tried:
        with pytest.raises(InputError, match=words) as caught:
            put_upload_page(inst, inst.team_id, owner, {**SETTINGS, **changes})
        assert caught.value.path == path, changes


def test_links_that_lead_nowhere_are_all_alike(make_installation: MakeInstallation) -> None:
    inst = make_installation(secret_key="a" * 32)
    owner = owner_of(inst, "parser")
    made = put_upload_page(inst, inst.team_id, owner, SETTINGS)
    right = token_of(made.path)
    off = put_upload_page(inst, inst.team_id, owner_of(inst, "classifier"), {**SETTINGS, "is_active": False})
    flipped = right[:-1] + ("A" if right[-1] != "A" else "B")
    messages = set()
    for token in (
        *("", "x", "..", "é" * 48, "A" * 48, "=" * 48, right[:-1], right + "A", right[:-4] + "===="),
        *(flipped, right.swapcase(), token_of(page_path(inst.settings, new_id(), 1)), token_of(off.path)),
        token_of(page_path(inst.settings, made.id, 2)),
    ):
        with pytest.raises(NotFound) as caught:
            find_public_page(inst, token)
        messages.add((caught.value.message, caught.value.missing))
    assert len(messages) == 1
    assert find_public_page(inst, right).id == made.id
    other = make_installation(secret_key="b" * 32)
    with pytest.raises(NotFound):
        find_public_page(other, right)
    assert get_upload_page(other, inst.team_id, owner).path != made.path, "it is of the installation's secret"


def test_what_becomes_of_a_page_with_its_parser_or_classifier(inst: Installation) -> None:
    team, owner = inst.team_id, owner_of(inst, "parser")
    token = token_of(put_upload_page(inst, team, owner, SETTINGS).path)
    update_parser(inst, team, owner.ref, ParserChanges(is_active=False))
    with pytest.raises(PageClosed):
        find_public_page(inst, token)
    copy = duplicate_parser(inst, team, owner.ref)
    with pytest.raises(NotFound, match="has no upload page"):
        get_upload_page(inst, team, PageOwner("parser", copy.id))
    delete_parser(inst, team, owner.ref)
    with pytest.raises(NotFound):
        find_public_page(inst, token)
    owner = owner_of(inst, "classifier")
    token = token_of(put_upload_page(inst, team, owner, SETTINGS).path)
    delete_classifier(inst, team, owner.ref)
    with pytest.raises(NotFound):
        find_public_page(inst, token)
    with pytest.raises(NotFound, match="Classifier not found"):
        put_upload_page(inst, team, owner, SETTINGS)


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
    # A network of IPv6 is one visitor.
    for *addresses, last in (
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"),
        ("::ffff:203.0.113.9", "203.0.113.9", "::ffff:203.0.113.10"),
        ("no address", "no address", "é\udcff"),
    ):
        assert counted(any_inst, other, *addresses, last) == [True, False, True]


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
    update_parser(inst, inst.team_id, str(page.parser_id), ParserChanges(is_active=False))
    for take in (check_files, register_files):
        with pytest.raises(InputError, match="inactive"):
            take(inst, page, files[:1], sender)


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

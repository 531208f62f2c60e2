"""Upload pages: their settings, their links, and what a link doesn't tell."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.classifiers.classifiers import delete_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserChanges, delete_parser, update_parser
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.uploads.public_upload_pages import PageClosed, find_public_page, page_path
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


def test_links_that_lead_nowhere_are_all_alike(inst: Installation) -> None:
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


def test_a_link_is_of_the_installation_s_secret(make_installation: MakeInstallation) -> None:
    inst = make_installation(secret_key="a" * 32)
    made = put_upload_page(inst, inst.team_id, owner_of(inst, "parser"), SETTINGS)
    other = make_installation(secret_key="b" * 32)
    with pytest.raises(NotFound):
        find_public_page(other, token_of(made.path))
    assert get_upload_page(other, inst.team_id, PageOwner("parser", "invoices")).path != made.path


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

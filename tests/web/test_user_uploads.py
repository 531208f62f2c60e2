"""Files that users send on the pages of parsers, and samples of new parsers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parser_listing import find_parsers
from tests.server.served import Api
from tests.web.browser import Browser, form_token
from tests.web.pages import entered

PROGRAM = ("file", ("x.bin", b"\x7fELF\x02\x01\x01"))
TEXT = ("file", ("a.txt", b"Number: 1\n"))


@pytest.fixture
def ann(lite: Api) -> Iterator[Browser]:
    with entered(lite) as browser:
        yield browser


def names(api: Api) -> list[str]:
    return [one.name for one in list_documents(api.inst, api.inst.team_id).rows]


def test_what_is_wrong_with_files_is_told_at_the_form(lite: Api, ann: Browser) -> None:
    path = f"/parsers/{lite.parser()}/upload"
    token = {"form_token": form_token(ann.get("/documents?parser=invoices"))}
    refused = ann.post(path, data=token, files=[TEXT, PROGRAM])
    assert refused.status_code == 415
    assert 'role="alert">Unsupported file type' in refused.text
    assert "Add documents to Invoices" in refused.text
    missing = ann.post(path, data=token, files=[("other", ("", b""))])
    assert missing.status_code == 400 and "Add documents to Invoices" in missing.text
    assert names(lite) == []
    taken = ann.post(path, data=token, files=[TEXT])
    assert (taken.status_code, taken.headers["location"]) == (303, "/documents?parser=invoices")
    assert names(lite) == ["a.txt"]
    unknown = ann.post("/parsers/nothing/upload", data=token, files=[TEXT])
    assert unknown.status_code == 404


@pytest.mark.parametrize("template", ["", "invoice"])
def test_a_wrong_sample_leaves_no_parser_behind(lite: Api, ann: Browser, template: str) -> None:
    given = {"form_token": form_token(ann.get("/parsers/new")), "name": "Bills", "template": template}
    refused = ann.post("/parsers/new", data=given, files=[TEXT, PROGRAM])
    assert refused.status_code == 415
    assert find_parsers(lite.inst, lite.inst.team_id, sort="name.asc").total == 0
    assert ann.post("/parsers/new", data=given, files=[TEXT]).status_code == 303
    assert names(lite) == ["a.txt"]

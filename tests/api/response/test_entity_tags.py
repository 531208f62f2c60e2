"""Entity tags: what has not changed is not sent again, and what has changed is not overwritten."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from docduck.errors import PreconditionFailed
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import show_document
from docduck.service.parsers.parsers import ParserChanges, get_parser, update_parser
from tests.api.request.hostile import refused
from tests.server.served import Api
from tests.service.core.documents import add_read, make_parser, read_document

_NOW = time.time()
CHANGED = "The document has changed since; get it again and repeat the change"


class World:
    """A parser with a read document."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.parser = make_parser(api.inst)
        self.document_id = add_read(api.inst, self.parser)
        self.of_parser = f"/parsers/{self.parser.id}"
        self.document = f"{self.of_parser}/documents/{self.document_id}"

    def etag(self, path: str) -> str:
        answer = self.api.get(path)
        tag = answer.headers["etag"]
        assert tag.startswith(f'"{answer.json()["version"]}-') and tag.endswith('"')
        return tag

    @property
    def version(self) -> str:
        return str(self.api.get(self.document).json()["version"])

    def change(self, path: str, body: Any, tag: str | None, method: str = "PATCH") -> httpx.Response:
        headers = {} if tag is None else {"If-Match": tag}
        return self.api.request(method, path, json=body, headers=headers)


@pytest.fixture
def world(lite: Api) -> World:
    return World(lite)


def test_what_has_not_changed_is_not_sent_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    api = world.api
    monkeypatch.setattr(time, "time", lambda: _NOW)
    for path in (world.of_parser, world.document, f"/documents/{world.document_id}"):
        tag = world.etag(path)
        for known in (tag, f"W/{tag}", f'"x", {tag}', f'W/"x",{tag} , "y"', "*"):
            for method in ("GET", "HEAD"):
                answer = api.request(method, path, headers={"If-None-Match": known})
                assert (answer.status_code, answer.content) == (304, b""), (path, known)
                assert answer.headers["etag"] == tag and "x-request-id" in answer.headers
        for other in ('"x"', tag.strip('"'), "", "W/", '"', f'{tag[:-2]}"'):
            assert api.get(path, headers={"If-None-Match": other}).status_code == 200, other
    tag = world.etag(world.document)
    monkeypatch.setattr(time, "time", lambda: _NOW + 1800)
    assert api.get(world.document, headers={"If-None-Match": tag}).status_code == 200, "its links are old"
    parser_tag = world.etag(world.of_parser)
    add_read(api.inst, world.parser, "more")
    counted = api.get(world.of_parser, headers={"If-None-Match": parser_tag})
    assert counted.status_code == 200 and counted.json()["counts"]["totalDocuments"] == 2
    assert world.change(world.of_parser, {"description": "b"}, parser_tag).status_code == 200, (
        "the same setup"
    )


def test_files_are_not_sent_again(world: World) -> None:
    url = world.api.get(world.document).json()["url"]
    whole = httpx.get(url)
    again = httpx.get(url, headers={"If-None-Match": whole.headers["etag"]})
    assert (whole.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["cache-control"] == whole.headers["cache-control"]
    assert httpx.get(url, headers={"If-None-Match": '"x"'}).status_code == 200


def test_what_has_changed_is_not_overwritten(world: World) -> None:
    values = f"{world.document}/data"
    steps: list[tuple[str, str, Any]] = [
        ("PATCH", world.document, {"custom": {"order": 1}}),
        ("PATCH", values, {"data": {"Total": 13}}),
        ("PUT", values, {"data": {"Number": "X"}}),
        ("PATCH", world.document, {"name": "first.txt"}),
    ]
    for method, path, body in steps:
        old = world.etag(world.document)
        done = world.change(path, body, old, method)
        assert done.status_code == 200, done.text
        # What is found out of a correction in the background changes the digest, but not the version.
        version = done.json()["version"]
        assert done.headers["etag"].startswith(f'"{version}-')
        assert world.version != old.partition("-")[0].strip('"') and world.version == version
        for outdated in (old, f'{old}, "x"', f"W/{done.headers['etag']}"):
            assert refused(world.change(path, body, outdated, method), 412)["message"] == CHANGED, path
        assert world.version == version, "nothing was changed"
        for accepted in ("*", '"{}"', '"x", "{}-1"', None):
            tag = accepted and accepted.format(world.version)
            assert world.change(path, body, tag, method).status_code == 200, accepted
        for malformed in ("x", '"', "", f'{old} "x"', "W/x"):
            assert "in quotes" in refused(world.change(path, body, malformed, method), 400)["message"]
    old = world.etag(world.of_parser)
    assert world.change(world.of_parser, {"description": "a"}, old).status_code == 200
    message = "The parser has changed since; get it again and repeat the change"
    assert refused(world.change(world.of_parser, {"description": "b"}, old), 412)["message"] == message
    assert world.api.get(world.of_parser).json()["description"] == "a"


def test_of_changes_at_once_to_one_version_one_succeeds(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    parser, document_id = read_document(inst)
    versions = {show_document(inst, team, parser.id, document_id).version}
    of_parser = {get_parser(inst, team, parser.id).version}

    def of_document(number: int) -> None:
        update_document(inst, team, parser.id, document_id, {"custom": {"n": number}}, versions=versions)

    def of_its_parser(number: int) -> None:
        changes = ParserChanges(description=f"by {number}")
        update_parser(inst, team, parser.id, changes, versions=of_parser)

    for change in (of_document, of_its_parser):
        with ThreadPoolExecutor(4) as threads:
            errors = [done.exception() for done in [threads.submit(change, number) for number in range(4)]]
        assert [type(error) for error in errors if error is not None] == [PreconditionFailed] * 3, errors

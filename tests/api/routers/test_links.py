from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docduck.ids import new_id
from docduck.service.core.installation import open_installation
from docduck.service.parsers.parsers import ParserView
from docduck.service.previews.signed_links import link
from docduck.settings import Settings
from tests.server.served import Api, serving
from tests.service.core.documents import make_parser, upload

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001"
    "e221bc330000000049454e44ae426082"
)
SCRIPT = b"<!DOCTYPE html><html><script>alert(document.cookie)</script></html>"


@pytest.fixture
def parser(shared: Api) -> ParserView:
    return make_parser(shared.inst)


def stored(api: Api, parser: ParserView, content: bytes, name: str) -> str:
    return upload(api.inst, api.inst.team_id, parser.id, content, name)


def url_of(api: Api, parser: ParserView, document_id: str, key: str = "url") -> str:
    answer = api.get(f"/parsers/{parser.id}/documents/{document_id}")
    return str(answer.json()["metadata"][key])


def opened(api: Api, url: str, method: str = "GET", **headers: str) -> Any:
    return api.request(method, url, headers={"Authorization": "", **headers})


def test_a_link_opens_its_file_without_a_key(shared: Api, parser: ParserView) -> None:
    document_id = stored(shared, parser, b"hello world", "Rechnung Nr. 5 – „Größe“.txt")
    url = url_of(shared, parser, document_id)
    answer = opened(shared, url)
    assert (answer.status_code, answer.content) == (200, b"hello world")
    headers = answer.headers
    assert headers["content-type"] == "text/plain"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert headers["cache-control"].startswith("private")
    assert headers["accept-ranges"] == "bytes"
    assert headers["content-disposition"] == (
        "attachment; filename=\"Rechnung Nr. 5 _ _Gr__e_.txt\"; filename*=UTF-8''Rechnung%20Nr.%205%20"
        "%E2%80%93%20%E2%80%9EGr%C3%B6%C3%9Fe%E2%80%9C.txt"
    )
    head = opened(shared, url, "HEAD")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", "11")


@pytest.mark.parametrize(
    ("asked", "status", "given"),
    [
        ("bytes=0-4", 206, b"hello"),
        ("bytes=-5", 206, b"world"),
        ("bytes=6-", 206, b"world"),
        ("bytes=90-99", 416, None),
        ("bytes=x", 400, None),
    ],
)
def test_parts_of_a_file_can_be_asked_for(
    shared: Api, parser: ParserView, asked: str, status: int, given: bytes | None
) -> None:
    url = url_of(shared, parser, stored(shared, parser, b"hello world", "a.txt"))
    answer = opened(shared, url, Range=asked)
    assert answer.status_code == status
    if given is not None:
        assert answer.content == given
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("content", "name", "how", "kind"),
    [
        (b"%PDF-1.7\n", "a.pdf", "attachment", "application/pdf"),
        (PNG, "a.png", "inline", "image/png"),
        (SCRIPT, "a.html", "attachment", "text/html"),
        (SCRIPT, "a.pdf", "attachment", "text/html"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" onload="a()"/>', "a.svg", "attachment", "application/xml"),
        (b"\x00\x01\x02" * 9, "a.png", "attachment", "application/octet-stream"),
    ],
)
def test_only_what_cannot_harm_is_shown_inline(
    shared: Api, parser: ParserView, content: bytes, name: str, how: str, kind: str
) -> None:
    answer = opened(shared, url_of(shared, parser, stored(shared, parser, content, name)))
    assert answer.content == content
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"].split(";")[0] == how
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_link_that_is_not_right_opens_nothing(shared: Api, parser: ParserView) -> None:
    document_id, other = (stored(shared, parser, text, "a.txt") for text in (b"one", b"two"))
    url = url_of(shared, parser, document_id)
    path, query = url.split("?")
    forged = [
        path,
        f"{path}?{query}x",
        f"{path}?{query.replace('expires=', 'expires=9')}",
        f"{path}?{query.replace('signature=', 'signature=A')}",
        url.replace(document_id, other),
        url.replace(document_id, new_id()),
        url.replace("/files/file/", "/files/markdown/"),
        url.replace("/files/file/", "/files/nothing/"),
        f"{path}?expires=%00&signature=%F0%9F%98%80",
    ]
    for one in forged:
        answer = opened(shared, one)
        assert (answer.status_code, answer.json()["message"]) == (403, "Access denied"), one
    assert opened(shared, f"{path}?expires={'9' * 300}&signature=x").status_code == 400
    assert opened(shared, url, "POST").status_code == 405


def test_a_link_ends_with_its_time_and_its_document(shared: Api, parser: ParserView) -> None:
    document_id = stored(shared, parser, b"one", "a.txt")
    url = url_of(shared, parser, document_id)
    assert opened(shared, url).status_code == 200
    assert shared.delete(f"/parsers/{parser.id}/documents/{document_id}").status_code == 200
    assert opened(shared, url).status_code == 404


def test_a_thumbnail_is_drawn(shared: Api, parser: ParserView) -> None:
    document_id = stored(shared, parser, b"hello", "a.txt")
    answer = opened(shared, url_of(shared, parser, document_id, "thumbnail"))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.content.startswith(b"\xff\xd8\xff")
    assert answer.headers["x-content-type-options"] == "nosniff"
    broken = stored(shared, parser, b"%PDF-1.7\nbroken", "a.pdf")
    assert opened(shared, url_of(shared, parser, broken, "thumbnail")).status_code == 404
    unknown = stored(shared, parser, b"\x00\x01\x02" * 9, "a.bin")
    answer = shared.get(f"/parsers/{parser.id}/documents/{unknown}")
    assert answer.json()["metadata"]["thumbnail"] is None
    assert opened(shared, link(shared.inst, shared.address, "thumbnail", unknown)).status_code == 404
    assert opened(shared, link(shared.inst, shared.address, "markdown", document_id)).status_code == 404


TRUSTED = ("docs.example.org", "10.0.0.5:8000", "[2001:db8::1]")


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    home = tmp_path_factory.mktemp("trusting")
    inst = open_installation(Settings(home=home, rate_limit_minute=0, trusted_hosts=TRUSTED))
    with serving(inst) as api:
        yield api
    inst.close()


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("127.0.0.1", True),
        ("127.9.9.9:1", True),
        ("[::1]:8000", True),
        ("docs.example.org", True),
        ("Docs.Example.org:8443", True),
        ("10.0.0.5:8000", True),
        ("[2001:db8::1]:8000", True),
        ("10.0.0.5:9000", False),
        ("10.0.0.5", False),
        ("evil.example", False),
        ("docs.example.org.evil.example", False),
        ("docs.example.org@evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost:80@evil.example", False),
        ("evil.example/docs.example.org", False),
        ("0.0.0.0", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_links_name_only_hosts_that_are_known(trusting: Api, host: str, known: bool) -> None:
    parser = make_parser(trusting.inst)
    document_id = stored(trusting, parser, b"one", "a.txt")
    path = f"/parsers/{parser.id}/documents/{document_id}"
    headers = {"Host": host, "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    url = str(trusting.get(path, headers=headers).json()["url"])
    assert url.startswith(f"http://{host.lower()}/files/file/" if known else "/files/file/")
    assert opened(trusting, f"{trusting.address}{url[url.index('/files/') :]}").content == b"one"


def test_trusted_hosts_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_TRUSTED_HOSTS", ",".join(TRUSTED))
    assert Settings().trusted_hosts == TRUSTED
    monkeypatch.setenv("DOCDUCK_TRUSTED_HOSTS", "https://docs.example.org")
    with pytest.raises(ValueError, match="trusted_hosts"):
        Settings()

"""Upload pages as visitors, embedding pages and attackers meet them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from sqlalchemy import event, select

from docduck.catalog.models import Document
from docduck.ids import new_id
from docduck.service.parsers.parsers import ParserChanges, delete_parser, update_parser
from docduck.service.uploads.public_upload_pages import page_path
from docduck.service.uploads.upload_pages import PageOwner, put_upload_page
from tests.api.request.hostile import nothing_changes
from tests.api.routers.test_docs import Page
from tests.api.routers.test_uploads import multipart
from tests.conftest import MakeInstallation
from tests.server.middleware.test_slow_clients import connect, dribble, head
from tests.server.served import Api, serving
from tests.waiting import wait_for

ORIGIN = "https://www.example.org"
TEXT = b"Number: A-1\nTotal: 12.50\n"
MULTIPART = {"Content-Type": "multipart/form-data; boundary=BB"}
JSON = {"Accept": "application/json"}
LEAKS = re.compile(r"Traceback|sqlalchemy|\.py\b|SELECT |Invoices|parserId|boundary|multipart")


def page_of(api: Api, **settings: Any) -> str:
    """The address of a new parser's upload page."""
    owner = PageOwner("parser", settings.pop("parser_id", None) or api.parser())
    made = put_upload_page(api.inst, api.inst.team_id, owner, settings)
    return f"{api.address}{made.path}"


@pytest.fixture
def visitor() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=60) as client:
        yield client


def documents(api: Api) -> list[tuple[str, str, Any]]:
    with api.inst.catalog.read_session() as session:
        rows = session.scalars(select(Document).order_by(Document.name))
        return [(row.name, row.source, row.source_detail) for row in rows]


def files(*names: str) -> list[tuple[str, tuple[str, bytes]]]:
    return [("file", (name, TEXT + name.encode())) for name in names]


def policy(answer: httpx.Response) -> dict[str, str]:
    rules = answer.headers["content-security-policy"].split(";")
    return dict(rule.strip().split(" ", 1) for rule in rules)


def action(answer: httpx.Response) -> str:
    found = re.search(r'action="([^"]+)"', answer.text)
    assert found is not None, answer.text
    return urljoin(str(answer.url), unescape(found[1]))


def test_a_visitor_sends_files_without_scripts(api: Api, visitor: httpx.Client) -> None:
    address = page_of(api, title="Send us bills", message="PDF\nonly")
    page = visitor.get(address)
    assert page.status_code == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Send us bills" in page.text and "PDF\nonly" in page.text
    # As a browser sends it: the camera's input has no file.
    body = multipart([("file", "a.txt", TEXT), ("file", "b.txt", TEXT), ("file", "", b"")])
    answer = visitor.post(action(page), content=body, headers={**MULTIPART, "Origin": "null"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    assert re.findall(r'class="(?:name|state)">([^<]*)<', answer.text) == [
        "a.txt",
        "Received",
        "b.txt",
        "Received",
    ]
    back = re.search(r'<a [^>]*href="([^"]+)"', answer.text)
    assert back is not None and urljoin(str(answer.url), back[1]) == address
    made = documents(api)
    assert [(name, source) for name, source, _ in made] == [
        ("a.txt", "upload_page"),
        ("b.txt", "upload_page"),
    ]
    assert made[0][2].keys() == {"uploadPageId"}
    metrics = visitor.get(f"{api.address}/metrics").text
    assert f"docduck_upload_bytes_total {float(len(body))}" in metrics


def test_the_program_of_the_page_gets_json(lite: Api, visitor: httpx.Client) -> None:
    address = page_of(lite, parser_id=lite.parser(acceptedFileTypes=["text/plain"]))
    page = visitor.get(address).text
    assert "Plain text; up to 100 MB each" in page and 'accept="text/plain,.txt"' in page
    assert "capture" not in page and "capture" in visitor.get(page_of(lite)).text
    sent = [*files("a.txt"), ("file", ("b.pdf", b"%PDF-1.4\n%%EOF")), ("file", ("c.txt", b""))]
    answer = visitor.post(f"{address}/files", files=sent, headers=JSON)
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "files": [
                {"name": "a.txt", "accepted": True, "message": "Received"},
                {"name": "b.pdf", "accepted": False, "message": "This type of file is not accepted"},
                {"name": "c.txt", "accepted": False, "message": "The file is empty"},
            ]
        },
    )
    assert [name for name, _, _ in documents(lite)] == ["a.txt"]
    with nothing_changes(lite):
        refused = visitor.post(f"{address}/files", files=sent[1:], headers=JSON)
        assert refused.status_code == 400 and not any(one["accepted"] for one in refused.json()["files"])
        assert "Not accepted" in visitor.post(f"{address}/files", files=sent[1:]).text


def test_what_the_page_loads_is_here_and_nothing_else_may_be_loaded(lite: Api, visitor: httpx.Client) -> None:
    address = page_of(lite, embed_origins=[ORIGIN])
    answers = [
        visitor.get(address),
        visitor.get(f"{address}?embed"),
        visitor.post(f"{address}/files", files=files("a.txt")),
        visitor.post(f"{address}x/files", files=files("a.txt")),
        visitor.get(f"{lite.address}/upload/nothing"),
    ]
    for answer in answers:
        parsed = Page(answer.text)
        assert parsed.inline == []
        rules = policy(answer)
        assert rules["default-src"] == rules["base-uri"] == "'none'"
        assert {rules[name] for name in ("script-src", "style-src", "connect-src", "form-action")} == {
            "'self'"
        }
        assert rules["img-src"] == "'self' blob:"
        assert "unsafe" not in str(rules) and "http" not in rules["script-src"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        for link in parsed.links:
            target = urljoin(str(answer.url), link)
            assert urlsplit(target).netloc == urlsplit(lite.address).netloc
            if "/static/" in target:
                found = visitor.get(target)
                assert found.status_code == 200, target
                assert re.findall(r"@import|url\((?!./static/)|https?://(?!www\.w3\.org)", found.text) == []
    for name in ("form.html.j2", "__init__.py", "..%2fapp.py", "upload_page.py", ""):
        assert visitor.get(f"{lite.address}/static/{name}").status_code == 404


def test_it_may_be_embedded_where_its_owner_says(api: Api, visitor: httpx.Client) -> None:
    address = page_of(api, embed_origins=[ORIGIN, "http://localhost:3000"])
    framed = {"Sec-Fetch-Dest": "iframe", "Referer": f"{ORIGIN}/portal?x=1"}
    for headers in (framed, {"Referer": "https://evil.example/"}, {"Referer": "https://[/"}, {}):
        page = visitor.get(
            f"{address}?embed" if "Sec-Fetch-Dest" not in headers else address, headers=headers
        )
        assert policy(page)["frame-ancestors"] == f"{ORIGIN} http://localhost:3000"
        assert "x-frame-options" not in page.headers
        sent = visitor.post(action(page), files=files(f"{len(headers)}.txt"))
        assert policy(sent)["frame-ancestors"] == f"{ORIGIN} http://localhost:3000"
    top = visitor.get(address, headers={**framed, "Sec-Fetch-Dest": "document"})
    assert policy(top)["frame-ancestors"] == f"{ORIGIN} http://localhost:3000"
    visitor.post(action(top), files=files("9.txt"))
    visitor.post(f"{address}/files?embed=https://evil.example", files=files("x.txt"))
    assert [(name, source, detail.get("origin")) for name, source, detail in documents(api)] == [
        ("0.txt", "embed", None),
        ("1.txt", "embed", None),
        ("1.txt", "embed", None),
        ("2.txt", "embed", ORIGIN),
        ("9.txt", "upload_page", None),
        ("x.txt", "embed", None),
    ]


def test_without_origins_it_is_embedded_nowhere(lite: Api, visitor: httpx.Client) -> None:
    address = page_of(lite)
    page = visitor.get(f"{address}?embed", headers={"Referer": f"{ORIGIN}/"})
    assert policy(page)["frame-ancestors"] == "'none'" and page.headers["x-frame-options"] == "DENY"
    visitor.post(f"{address}/files?embed", files=files("a.txt"))
    assert [source for _, source, _ in documents(lite)] == ["upload_page"]


def test_pages_of_others_can_t_send_files(make_installation: MakeInstallation, visitor: httpx.Client) -> None:
    with serving(make_installation(base_url="https://docs.example.org/duck")) as api:
        address = page_of(api, embed_origins=[ORIGIN])
        with nothing_changes(api):
            for headers in (
                {"Sec-Fetch-Site": "cross-site"},
                {"Sec-Fetch-Site": "same-site", "Origin": api.address},
                {"Origin": ORIGIN},
                {"Origin": "https://["},
                {"Origin": "file://"},
                {"Origin": "x"},
            ):
                answer = visitor.post(f"{address}/files", files=files("a.txt"), headers={**JSON, **headers})
                assert answer.status_code == 403, headers
                assert answer.json() == {
                    "code": "forbidden",
                    "message": "Open the link of the upload page itself.",
                }
        own: tuple[dict[str, str], ...] = (
            {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
            {"Origin": api.address},
            {"Origin": "https://docs.example.org"},
            {"Origin": "null"},
            {},
        )
        for headers in own:
            assert visitor.post(f"{address}/files", files=files("a.txt"), headers=headers).status_code == 200


def test_wrong_links_are_all_alike(lite: Api, visitor: httpx.Client) -> None:
    parser_id = lite.parser()
    address = page_of(lite, parser_id=parser_id)
    off = page_of(lite, is_active=False)
    gone = page_of(lite, parser_id=(gone_id := lite.parser("Gone")))
    delete_parser(lite.inst, lite.inst.team_id, gone_id)
    settings = lite.inst.settings
    wrong = [
        *(off, gone, f"{address}x", address[:-1] + ("A" if address[-1] != "A" else "B")),
        *(f"{lite.address}/upload/{one}" for one in ("x", "A" * 48, "%00", "%ff", "a" * 3000, "<b>", "'")),
        f"{lite.address}{page_path(settings, new_id(), 1)}",
    ]
    answers = set()
    with nothing_changes(lite):
        for one in wrong:
            page = visitor.get(one)
            sent = visitor.post(f"{one}/files", files=files("a.txt"))
            told = visitor.post(f"{one}/files", files=files("a.txt"), headers=JSON)
            assert (page.status_code, sent.status_code, told.status_code) == (404, 404, 404), one
            answers.add((page.text, sent.text.replace("../../static", "../static"), told.text))
    assert len(answers) == 1
    assert not LEAKS.search(answers.pop()[0])
    assert visitor.get(address).status_code == 200


def test_wrong_links_cost_the_same(lite: Api, visitor: httpx.Client) -> None:
    address = page_of(lite)
    # Of a page that exists, of none, and of no page's shape.
    wrong = [
        address[:-1] + ("A" if address[-1] != "A" else "B"),
        f"{lite.address}{page_path(lite.inst.settings, new_id(), 1)}",
        f"{lite.address}/upload/x",
    ]
    statements: list[str] = []
    event.listen(
        lite.inst.catalog.engine, "before_cursor_execute", lambda *given: statements.append(given[2])
    )
    spent = []
    for one in wrong:
        visitor.get(one)
        spent.append([statement for statement in statements if "FROM upload_pages" in statement])
        statements.clear()
    assert spent[0] == spent[1] == spent[2] and len(spent[0]) == 1


def test_an_inactive_parser_closes_its_page(lite: Api, visitor: httpx.Client) -> None:
    parser_id = lite.parser()
    address = page_of(lite, parser_id=parser_id)
    update_parser(lite.inst, lite.inst.team_id, parser_id, ParserChanges(is_active=False))
    with nothing_changes(lite):
        for answer in (visitor.get(address), visitor.post(f"{address}/files", files=files("a.txt"))):
            assert answer.status_code == 503 and "This page is closed for the moment" in answer.text
            assert not LEAKS.search(answer.text)


def test_texts_and_names_are_escaped(lite: Api, visitor: httpx.Client) -> None:
    evil = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}"
    address = page_of(lite, title=evil, message=evil, embed_origins=[ORIGIN])
    name = "\"'><svg onload=alert(3)>.txt"
    body = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="'
        + name.replace('"', '\\"').encode()
        + b'"\r\n\r\nx\r\n--b--\r\n'
    )
    answers = [
        visitor.get(address),
        visitor.get(f"{address}?embed=%22%3E%3Cscript%3E", headers={"Referer": 'https://"><script>/'}),
        visitor.post(
            f"{address}/files?embed=%22%3E%3Cscript%3E",
            content=body,
            headers={"Content-Type": "multipart/form-data; boundary=b"},
        ),
    ]
    for answer in answers:
        assert answer.status_code == 200
        parsed = Page(answer.text)
        assert parsed.inline == [] and "alert" not in str(parsed.links)
        assert not re.search(r"<(script(?! src)|svg|img (?!alt))", answer.text)
    assert "{{ 7*7 }}" in answers[0].text and "&lt;svg onload=alert(3)&gt;.txt" in answers[2].text


def test_the_limit_of_each_visitor(make_installation: MakeInstallation, visitor: httpx.Client) -> None:
    with serving(make_installation(api_trusted_proxies=["127.0.0.0/8"])) as api:
        address = page_of(api, files_per_hour=2)

        def send(client: str, *names: str, **headers: str) -> httpx.Response:
            sent = {"X-Forwarded-For": client, **headers}
            return visitor.post(f"{address}/files", files=files(*names), headers=sent)

        assert send("203.0.113.1", "a.txt").status_code == 200
        both = send("203.0.113.1", "b.txt", "c.txt", **JSON).json()["files"]
        assert [one["accepted"] for one in both] == [True, False]
        assert both[1]["message"].startswith("You can send 2 files an hour. Try again in ")
        with nothing_changes(api):
            late = send("203.0.113.1", "d.txt", **JSON)
            assert late.status_code == 429 and 1 <= int(late.headers["retry-after"]) <= 3600
            assert late.json()["message"].startswith("You can send 2 files an hour. Try again in ")
            assert "You can send 2 files an hour" in send("203.0.113.1", "e.txt").text
        assert send("203.0.113.2", "f.txt").status_code == 200
    with serving(make_installation()) as api:
        # Without trusted proxies nobody's word is taken for an address.
        address = f"{api.address}{urlsplit(address).path}"
        assert [send(f"203.0.113.{number}", "g.txt").status_code for number in (4, 5, 6)] == [200, 200, 429]


FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
WITH_PARSER = b'--b\r\nContent-Disposition: form-data; name="parserId"\r\n\r\nx\r\n--b--\r\n'


def test_bodies_that_are_no_upload(make_installation: MakeInstallation, visitor: httpx.Client) -> None:
    with serving(make_installation(max_file_bytes=2048, max_upload_files=2)) as api:
        address = page_of(api)
        with nothing_changes(api):
            for body, kind, status in (
                (b"", "multipart/form-data; boundary=b", 400),
                (b"", "", 400),
                (b"{}", "application/json", 400),
                (b"x", "multipart/form-data", 400),
                (b"--b\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b", 400),
                (FILE + b"x", "", 400),
                (WITH_PARSER, "multipart/form-data; boundary=b", 400),
                (FILE + b"x" * 3000 + b"\r\n--b--\r\n", "multipart/form-data; boundary=b", 413),
            ):
                for accept in ("*/*", "application/json"):
                    headers = {"Content-Type": kind, "Accept": accept}
                    answer = visitor.post(f"{address}/files", content=body, headers=headers)
                    assert answer.status_code == status, answer.text
                    assert not LEAKS.search(answer.text), answer.text
            answer = visitor.post(f"{address}/files", files=files("a.txt", "b.txt", "c.txt"))
            assert answer.status_code == 400 and "Choose 1 to 2 files" in answer.text


def test_bodies_without_an_end(make_installation: MakeInstallation, visitor: httpx.Client) -> None:
    settings = {"api_body_seconds": 1, "api_header_seconds": 1, "api_keep_alive_seconds": 1}
    with serving(make_installation(max_upload_bytes=1_000_000, **settings)) as api:
        address = page_of(api)
        path = urlsplit(address).path
        with nothing_changes(api):
            kind = "Content-Type: multipart/form-data; boundary=b"
            with connect(api) as connection:
                connection.sendall(head(api, f"{path}/files", kind, f"Content-Length: {10**12}", key=False))
                assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")
            with connect(api) as connection:
                connection.sendall(head(api, f"{path}/files", kind, "Content-Length: 100000", key=False))
                assert dribble(connection, 10) < 6


def test_no_link_is_logged(lite: Api, visitor: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    address = page_of(lite)
    with caplog.at_level(logging.DEBUG):
        visitor.get(address)
        visitor.post(f"{address}/files", files=files("a.txt"))
        visitor.get(f"{address}?embed")
        lite.get("/parsers")
        # A line is written after its response was sent.
        wait_for(lambda: sum(one.name == "docduck.access" for one in caplog.records) >= 4, 10)
    token = urlsplit(address).path.rpartition("/")[2]
    # httpx logs what this test sends; uvicorn's own access log is switched off.
    assert not logging.getLogger("uvicorn.access").propagate
    others = [one for one in caplog.records if not one.name.startswith(("http", "uvicorn.access"))]
    told = "\n".join(one.getMessage() for one in others)
    assert token not in told and '"path":"/upload/…"' in told and '"route":"/upload/{token}"' in told


def test_head_and_other_methods(lite: Api, visitor: httpx.Client) -> None:
    address = page_of(lite)
    assert visitor.head(address).status_code == 200
    assert visitor.post(address).status_code == 405
    assert visitor.get(f"{address}/files").status_code == 405
    assert visitor.get(f"{lite.address}/upload").status_code == 404

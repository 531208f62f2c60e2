"""Addresses that take one file."""

from __future__ import annotations

import base64
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.conftest import MakeInstallation
from tests.mcp.served import Agent, serving_mcp

TEXT = b"Number: A-1\nTotal: 12.50\n"


def _made(agent: Agent) -> tuple[str, dict[str, str]]:
    parser = agent.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    return parser, agent.call("create_upload_url", parserId=parser, fileName="a.txt")


def test_a_file_is_sent_once(shared: Agent) -> None:
    parser, link = _made(shared)
    assert "not found" in shared.error("process_file", parserId=parser, uploadId=link["uploadId"])
    sent = shared.http.put(link["url"], content=TEXT)
    assert sent.status_code == 200, sent.text
    assert sent.json()["result"][0]["documentId"] == link["uploadId"]
    again = shared.http.put(link["url"], content=TEXT)
    assert (again.status_code, again.json()["message"]) == (409, "A file was sent to this link already")
    shared.api.process()
    item = shared.call("process_file", parserId=parser, uploadId=link["uploadId"], waitSeconds=20)["result"][
        0
    ]
    assert item["data"] == {"Number": "A-1"}
    document = shared.call("get_document", parserId=parser, documentId=link["uploadId"], detail="full")
    assert (document["source"], document["metadata"]["fileName"]) == ("mcp", "a.txt")


def test_a_file_brings_what_was_given_with_its_address(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    folder = shared.call("create_folder", parserId=parser, name="2026")["id"]
    given = {"externalId": "E-1", "folderId": folder, "custom": {"order": "größer"}}
    link = shared.call("create_upload_url", parserId=parser, fileName="a.txt", **given)
    assert shared.http.put(link["url"], content=TEXT).status_code == 200
    for name, value in (*given.items(), ("fileName", "b.txt")):
        refused = shared.error("process_file", parserId=parser, uploadId=link["uploadId"], **{name: value})
        assert refused == f"{name} is not allowed with uploadId: create_upload_url takes it"
    item = shared.call("process_file", parserId=parser, uploadId=link["uploadId"])["result"][0]
    assert item["externalId"] == "E-1"
    document = shared.call("get_document", parserId=parser, documentId=link["uploadId"], detail="full")
    assert (document["folderId"], document["custom"]) == (folder, {"order": "größer"})


def test_classifiers_take_files(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    routing = {"rules": [{"label": "Bill", "targetParserId": parser}]}
    classifier = shared.call("create_classifier", name="Inbox", routing=routing)["id"]
    other = shared.call("create_classifier", name="Post", routing=routing)["id"]
    content = {"fileName": "a.txt", "contentBase64": base64.b64encode(TEXT).decode(), "custom": {"a": "b"}}
    item = shared.call("process_file", classifierId=classifier, externalId="E-1", **content)["result"][0]
    assert item["externalId"] == "E-1"
    shown = shared.call("list_classifier_documents", classifierId=classifier)["data"]
    assert [one["id"] for one in shown] == [item["documentId"]]
    link = shared.call("create_upload_url", classifierId=classifier, fileName="b.txt", externalId="E-2")
    sent = shared.http.put(link["url"], content=b"Second " + TEXT)
    assert sent.json()["result"][0]["classifierId"] == classifier
    item = shared.call("process_file", classifierId=classifier, uploadId=link["uploadId"])["result"][0]
    assert (item["documentId"], item["externalId"]) == (link["uploadId"], "E-2")
    assert item["routing"]["status"] == sent.json()["result"][0]["routing"]["status"]
    wrong = shared.error("process_file", classifierId=other, uploadId=link["uploadId"])
    assert wrong == "Classifier ID mismatch"


@pytest.mark.parametrize("name", ["process_file", "create_upload_url"])
def test_wrong_targets_are_refused_at_once(shared: Agent, name: str) -> None:
    parser, _ = _made(shared)
    rules = [{"label": "Bill", "targetParserId": parser}]
    classifier = shared.call("create_classifier", name="Inbox", routing={"rules": rules})["id"]
    nothing = "00000000-0000-7000-8000-000000000000"
    file = {"fileName": "a.txt"} | ({"contentBase64": "YQ=="} if name == "process_file" else {})
    one = "Provide exactly one of parserId or classifierId"
    assert shared.error(name, **file) == one
    assert shared.error(name, **file, parserId=parser, classifierId=classifier) == one
    assert "Classifier not found" in shared.error(name, **file, classifierId=nothing)
    assert "Folder not found" in shared.error(name, **file, parserId=parser, folderId=nothing)
    refused = shared.error(name, **file, classifierId=classifier, folderId=nothing)
    assert refused == "folderId is not allowed with classifierId"
    large = {"a": "b" * 20_000}
    assert "custom must have at most" in shared.error(name, **file, parserId=parser, custom=large)


def test_addresses_stay_short(shared: Agent) -> None:
    parser, _ = _made(shared)
    given = {"parserId": parser, "fileName": "a" * 255, "externalId": "e" * 255}
    link = shared.call("create_upload_url", **given, custom={"a": "b" * 2000})
    assert len(link["url"]) < 8000
    assert "too long" in shared.error("create_upload_url", **given, custom={"a": "b" * 8000})


def test_a_folder_that_is_deleted_meanwhile(shared: Agent) -> None:
    parser, _ = _made(shared)
    folder = shared.call("create_folder", parserId=parser, name="2026")["id"]
    link = shared.call("create_upload_url", parserId=parser, fileName="a.txt", folderId=folder)
    shared.call("delete_folder", parserId=parser, folderId=folder)
    answer = shared.http.put(link["url"], content=TEXT)
    assert (answer.status_code, answer.json()["message"]) == (404, "Folder not found")


@pytest.mark.parametrize("more", [{}, {"externalId": "E-1"}])
def test_of_files_sent_at_once_one_is_kept(shared: Agent, more: dict[str, str]) -> None:
    parser, _ = _made(shared)
    link = shared.call("create_upload_url", parserId=parser, fileName="a.txt", **more)

    def put(number: int) -> int:
        content = TEXT + bytes([65 + number])
        return httpx.put(link["url"], content=content, trust_env=False, timeout=60).status_code

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(put, range(4))) == [200, 409, 409, 409]
    assert shared.call("list_documents", parserId=parser)["pagination"]["total"] == 1


def test_forged_and_changed_links_are_refused(shared: Agent) -> None:
    _, link = _made(shared)
    text, _, signature = link["url"].rpartition(".")
    for url in (f"{text}.", f"{text}.{signature[:-2]}AA", f"{text}AA.{signature}", f"{text}.é"):
        assert shared.http.put(url, content=TEXT).status_code == 403, url
    assert shared.http.get(link["url"]).status_code == 405


def test_links_expire(make_installation: MakeInstallation) -> None:
    with serving_mcp(make_installation(upload_link_seconds=1)) as agent:
        _, link = _made(agent)
        time.sleep(2.1)
        assert agent.http.put(link["url"], content=TEXT).status_code == 403


@pytest.mark.parametrize("announced", [True, False])
def test_files_are_bounded(make_installation: MakeInstallation, announced: bool) -> None:
    with serving_mcp(make_installation(max_file_bytes=1000)) as agent:
        _, link = _made(agent)
        content = b"a" * 1001
        given = content if announced else iter([content])
        assert agent.http.put(link["url"], content=given).status_code == 413
        assert agent.http.put(link["url"], content=TEXT).status_code == 200, "the link is not used up"


@pytest.mark.parametrize("given", [b"", iter([])])
def test_an_empty_body_does_not_use_up_the_link(shared: Agent, given: bytes) -> None:
    _, link = _made(shared)
    refused = shared.http.put(link["url"], content=given)
    assert (refused.status_code, refused.json()["message"]) == (
        400,
        "The body is empty: send the file itself as the body",
    )
    assert shared.http.put(link["url"], content=TEXT).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [f"Content-Length: {len(TEXT)}\r\n\r\n", f"Transfer-Encoding: chunked\r\n\r\n{len(TEXT):x}\r\n"],
)
def test_a_body_that_breaks_off_does_not_use_up_the_link(shared: Agent, headers: str) -> None:
    parser, link = _made(shared)
    url = httpx.URL(link["url"])
    with socket.create_connection((url.host, url.port or 80)) as connection:
        connection.sendall(f"PUT {url.raw_path.decode()} HTTP/1.1\r\nHost: {url.host}\r\n{headers}".encode())
        connection.sendall(TEXT[:10])
    assert shared.http.put(link["url"], content=TEXT).status_code == 200
    assert shared.call("list_documents", parserId=parser)["pagination"]["total"] == 1
    assert shared.http.put(link["url"], content=TEXT).status_code == 409


def test_files_in_messages_are_bounded(make_installation: MakeInstallation) -> None:
    with serving_mcp(make_installation(mcp_max_file_bytes=10)) as agent:
        parser = agent.call("create_parser", name="Bills")["id"]
        named = {"parserId": parser, "fileName": "a.txt"}
        assert agent.error("process_file", **named, contentBase64="YWFhYWFhYWFhYWE=") == "File too large"
        assert agent.error("process_file", **named, contentBase64="A" * 100) == "File too large"
        assert "base64" in agent.error("process_file", **named, contentBase64="%%%")
        assert "exactly one" in agent.error("process_file", **named)

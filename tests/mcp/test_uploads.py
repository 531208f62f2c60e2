"""Addresses that take one file."""

from __future__ import annotations

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


def test_a_file_is_sent_once(agent: Agent) -> None:
    parser, link = _made(agent)
    assert "not found" in agent.error("process_file", parserId=parser, uploadId=link["uploadId"])
    sent = agent.http.put(link["url"], content=TEXT)
    assert sent.status_code == 200, sent.text
    assert sent.json()["result"][0]["documentId"] == link["uploadId"]
    again = agent.http.put(link["url"], content=TEXT)
    assert (again.status_code, again.json()["message"]) == (409, "A file was sent to this link already")
    agent.api.process()
    item = agent.call("process_file", parserId=parser, uploadId=link["uploadId"], waitSeconds=20)["result"][0]
    assert item["data"] == {"Number": "A-1"}
    document = agent.call("get_document", parserId=parser, documentId=link["uploadId"])
    assert (document["source"], document["metadata"]["fileName"]) == ("mcp", "a.txt")


def test_of_files_sent_at_once_one_is_kept(agent: Agent) -> None:
    parser, link = _made(agent)

    def put(number: int) -> int:
        content = TEXT + bytes([65 + number])
        return httpx.put(link["url"], content=content, trust_env=False, timeout=60).status_code

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(put, range(4))) == [200, 409, 409, 409]
    assert agent.call("list_documents", parserId=parser)["pagination"]["total"] == 1


def test_forged_and_changed_links_are_refused(lite: Agent) -> None:
    _, link = _made(lite)
    text, _, signature = link["url"].rpartition(".")
    for url in (f"{text}.", f"{text}.{signature[:-2]}AA", f"{text}AA.{signature}", f"{text}.é"):
        assert lite.http.put(url, content=TEXT).status_code == 403, url
    assert lite.http.get(link["url"]).status_code == 405


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


def test_files_in_messages_are_bounded(make_installation: MakeInstallation) -> None:
    with serving_mcp(make_installation(mcp_max_file_bytes=10)) as agent:
        parser = agent.call("create_parser", name="Bills")["id"]
        named = {"parserId": parser, "fileName": "a.txt"}
        assert agent.error("process_file", **named, contentBase64="YWFhYWFhYWFhYWE=") == "File too large"
        assert agent.error("process_file", **named, contentBase64="A" * 100) == "File too large"
        assert "base64" in agent.error("process_file", **named, contentBase64="%%%")
        assert "exactly one" in agent.error("process_file", **named)

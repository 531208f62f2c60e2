"""An agent that goes by the tools alone: from three samples of a new kind to a table that was proved right.

It reads what a client shows it: the list of tools, the instructions, and the texts of results.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from docduck.mcp.server import INSTRUCTIONS
from tests.mcp.served import Agent, answered

MOST_CALLS, MOST_TOKENS = 60, 60_000

_CHARACTERS_PER_TOKEN = 3
"""Fewer than there are in English text, as ids and base64 take more tokens."""
_TOKENS_OF_A_PICTURE = 1600

_TOOLS = ("Torque wrench", "Caliper", "Pressure gauge", "Balance", "Thermometer", "Micrometer")
_PEOPLE = ("Ines Marlow", "Tobias Renn", "Carla Voss", "Piet Haan", "Runa Eide")


def certificate(number: int) -> tuple[bytes, dict[str, Any]]:
    """A certificate of calibration, and what it says."""
    checks = [
        {
            "Nominal": step * 10.0 * (number % 3 + 1),
            "Reading": round(step * 10.0 * (number % 3 + 1) + 0.1 * step, 2),
        }
        for step in range(1, 3 + number % 3)
    ]
    truth = {
        "Certificate No": f"CAL-{4100 + 7 * number}",
        "Instrument": _TOOLS[number % len(_TOOLS)],
        "Serial": f"SN{83000 + 131 * number}",
        "Calibrated on": f"2026-{number % 9 + 1:02}-{number % 27 + 1:02}",
        "Technician": _PEOPLE[number % len(_PEOPLE)],
        "Fee": 45.0 + 2.5 * number,
        "Checks": checks,
    }
    printed = {**truth, "Fee": f"{truth['Fee']:.2f}"}
    lines = [f"<p>{name}: {printed[name]}</p>" for name in truth if name != "Checks"]
    rows = ["<tr>" + "".join(f"<td>{value:.2f}" for value in row.values()) + "</tr>" for row in checks]
    table = f"<table><tr><th>Nominal<th>Reading</tr>{''.join(rows)}</table>"
    return f"<h1>Certificate of Calibration</h1>{''.join(lines)}{table}".encode(), truth


class Conversation:
    """Calls of an agent, and what they cost it."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.calls: list[str] = []
        tools = answered(agent.ask("tools/list"))["result"]["tools"]
        self.characters = len(json.dumps(tools)) + len(INSTRUCTIONS)
        self.pictures = 0

    @property
    def tokens(self) -> int:
        """All that the agent read and wrote."""
        return self.characters // _CHARACTERS_PER_TOKEN + self.pictures * _TOKENS_OF_A_PICTURE

    def call(self, name: str, /, **arguments: Any) -> Any:
        """Call a tool and read the text of its result."""
        self.calls.append(name)
        self.characters += len(json.dumps({"name": name, "arguments": arguments}))
        result = self._agent.result(name, **arguments)
        texts = [part["text"] for part in result["content"] if part["type"] == "text"]
        self.pictures += len(result["content"]) - len(texts)
        self.characters += sum(map(len, texts))
        assert not result.get("isError"), texts
        return json.loads(texts[0])


@contextmanager
def _reading(agent: Agent) -> Iterator[None]:
    """Have documents read while the block runs."""
    stopped = threading.Event()

    def read() -> None:
        while not stopped.wait(0.1):
            agent.api.process()

    reading = threading.Thread(target=read)
    reading.start()
    try:
        yield
    finally:
        stopped.set()
        reading.join()


def _file(number: int) -> dict[str, str]:
    content, _ = certificate(number)
    return {"fileName": f"certificate-{number}.html", "contentBase64": base64.b64encode(content).decode()}


def test_an_agent_sets_up_a_parser_and_proves_it(agent: Agent) -> None:
    with _reading(agent):
        talk = Conversation(agent)
        _work(agent, talk)
    print(f"{len(talk.calls)} calls, {talk.tokens} tokens")
    assert len(talk.calls) <= MOST_CALLS
    assert talk.tokens <= MOST_TOKENS


def _work(agent: Agent, talk: Conversation) -> None:
    assert talk.call("get_team")["parsers"] == []
    made = talk.call(
        "setup_parser",
        name="Certificates",
        samples=[_file(number) for number in range(3)],
        truth=[certificate(number)[1] for number in range(3)],
    )
    parser = made["parserId"]
    assert {field["name"] for field in made["fields"]} == set(certificate(0)[1])
    talk.call("create_review_stage", parserId=parser, name="Check", reviewerId=agent.user.user_id)

    # More documents are measured against what they say.
    truth = {}
    for number in range(3, 9):
        (item,) = talk.call("process_file", parserId=parser, **_file(number), waitSeconds=50)["result"]
        assert item["status"] == "in_review", item
        truth[item["documentId"]] = certificate(number)[1]
    given = [{"documentId": document, "data": data} for document, data in truth.items()]
    proof = talk.call("evaluate_parser", parserId=parser, truth=given)
    assert (proof["basis"], proof["documents"]) == ("given", len(truth))
    assert proof["total"]["now"]["accuracy"] > 0.8, proof

    # What is unsure is looked at; what is wrong is corrected, and everything is approved.
    queue = talk.call("review_queue", parserId=parser)
    if queue["data"]:
        first = queue["data"][0]["documentId"]
        talk.call("get_page_image", parserId=parser, documentId=first)
    wrong: dict[str, dict[str, Any]] = {}
    for cell in proof.get("wrongCells", ()):
        name = cell["field"].partition(".")[0]
        wrong.setdefault(cell["documentId"], {})[name] = truth[cell["documentId"]][name]
    for document, data in wrong.items():
        talk.call("update_document_data", parserId=parser, documentId=document, data=data)
    for document in truth:
        approved = talk.call("approve_document", parserId=parser, documentId=document)
        assert approved["status"] == "approved"
    proof = talk.call("evaluate_parser", parserId=parser)
    assert proof["documents"] == len(truth)
    assert talk.call("review_queue", parserId=parser)["data"] == []

    exported = talk.call("export_documents", parserId=parser, documentIds=[*truth], format="csv")
    file = httpx.get(exported["url"], trust_env=False)
    rows = list(csv.DictReader(io.StringIO(file.text.removeprefix("\ufeff"))))
    fees = {row["Certificate No"]: float(row["Fee"]) for row in rows}
    assert fees == {data["Certificate No"]: data["Fee"] for data in truth.values()}

"""An agent that goes by the tools: from three samples to a parser, ten documents, and an export."""

from __future__ import annotations

import base64
import csv
import io
from typing import Any

import httpx

from docduck.service.reviews.decisions import NOT_IN_REVIEW
from tests.mcp.served import Agent


def _bill(number: int) -> bytes:
    total = 100 + number
    return (
        f"ACME Ltd\n\nInvoice Number: INV-{number:03}\nInvoice Date: 2026-01-{number + 1:02}\n"
        f"Handled by: Clerk {number}\nMoved by: Porter {number}\n\nTotal: {total}.50 EUR\n"
    ).encode()


def _send(agent: Agent, parser: str, number: int) -> str:
    encoded = base64.b64encode(_bill(number)).decode()
    name = f"bill-{number}.txt"
    sent = agent.call("process_file", parserId=parser, fileName=name, contentBase64=encoded)
    return str(sent["result"][0]["documentId"])


def test_an_agent_sets_up_a_parser_and_proves_it(agent: Agent) -> None:
    transcript: list[str] = []

    def call(name: str, /, **arguments: Any) -> Any:
        shown = agent.call(name, **arguments)
        transcript.append(name)
        return shown

    parser = call("create_parser", name="ACME bills")["id"]
    samples = [
        {"fileName": "sample.txt", "contentBase64": base64.b64encode(_bill(number)).decode()}
        for number in range(3)
    ]
    found = call("suggest_fields", parserId=parser, samples=samples)
    wanted = {field["name"]: field for field in found["fields"]}
    assert {"Invoice Number", "Invoice Date", "Total"} <= set(wanted), set(wanted)
    assert [one["Invoice Number"]["value"] for one in found["found"]] == ["INV-000", "INV-001", "INV-002"]
    assert found["foundOn"]["Total"] == 3
    for name in ("Invoice Number", "Invoice Date", "Total"):
        call("add_field", parserId=parser, **{k: v for k, v in wanted[name].items() if k != "position"})
    call("add_field", parserId=parser, name="Kestrel")

    documents = [_send(agent, parser, number) for number in range(10)]
    agent.api.process()
    values = [
        agent.call("wait_for_document", parserId=parser, documentId=one, waitSeconds=30)["data"]
        for one in documents
    ]
    assert [one["Invoice Number"] for one in values] == [f"INV-{number:03}" for number in range(10)]

    # Nothing says what a kestrel is: the agent corrects one document, and the field.
    call("update_document_data", parserId=parser, documentId=documents[0], data={"Kestrel": "Clerk 0"})
    first = call("evaluate_parser", parserId=parser)
    assert (first["documents"], first["documentsByBasis"]["corrected"]) == (1, 1)
    call("update_field", parserId=parser, fieldId="Kestrel", labels=["Handled by"])
    proof = call("evaluate_parser", parserId=parser)
    clerk = next(one for one in proof["fields"] if one["name"] == "Kestrel")
    assert (clerk["before"]["right"], clerk["now"]["right"]) == (0, 1)
    assert proof["total"]["now"]["accuracy"] == 1.0
    assert not proof["remainingDocuments"]

    for one in documents[1:]:
        agent.call("reprocess_document", parserId=parser, documentId=one)
    agent.api.process()
    assert agent.error("approve_document", parserId=parser, documentId=documents[1]) == NOT_IN_REVIEW
    exported = call("export_documents", parserId=parser, format="csv")
    (sheet,) = exported["sheets"]
    clerks = [row[sheet["columns"].index("Kestrel")] for row in sheet["rows"]]
    assert clerks == [f"Clerk {number}" for number in range(10)]
    file = httpx.get(agent.api.address + exported["url"].removeprefix(agent.api.address), trust_env=False)
    rows = list(csv.DictReader(io.StringIO(file.text.removeprefix("\ufeff"))))
    assert [row["Invoice Number"] for row in rows] == [f"INV-{number:03}" for number in range(10)]
    assert transcript == [
        "create_parser",
        "suggest_fields",
        *["add_field"] * 4,
        "update_document_data",
        "evaluate_parser",
        "update_field",
        "evaluate_parser",
        "export_documents",
    ]

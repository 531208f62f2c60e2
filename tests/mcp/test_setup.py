"""An agent sets up a parser from samples in one call."""

from __future__ import annotations

import base64
from typing import Any

from tests.mcp.served import Agent


def sample(number: int) -> dict[str, str]:
    text = f"Invoice Number: INV-{number:03}\nInvoice Date: 2024-03-0{number}\nTotal: {number}01.50 EUR\n"
    return {"fileName": f"{number}.txt", "contentBase64": base64.b64encode(text.encode()).decode()}


def truth(number: int) -> dict[str, Any]:
    return {"Number": f"INV-{number:03}", "Gross": number * 100 + 1.5}


def test_a_parser_is_made_and_its_samples_are_its_documents(agent: Agent) -> None:
    made = agent.call("setup_parser", name="Bills", samples=[sample(1), sample(2)])
    by_name = {field["name"]: field for field in made["fields"]}
    assert [seen["value"] for seen in by_name["Invoice Number"]["seen"]] == ["INV-001", "INV-002"]
    assert by_name["Total"]["seen"][1] == {"value": 201.5, "page": 1}
    assert "accuracy" not in made
    agent.api.process()
    for number, document in enumerate(made["documents"], start=1):
        shown = agent.call("get_document", parserId=made["parserId"], documentId=document["documentId"])
        assert shown["data"]["Invoice Number"] == f"INV-{number:03}"


def test_truth_gives_names_and_accuracy(agent: Agent) -> None:
    wrong = truth(2) | {"Gross": 9.0}
    made = agent.call("setup_parser", name="Bills", samples=[sample(1), sample(2)], truth=[truth(1), wrong])
    assert [(field["name"], field["accuracy"]) for field in made["fields"]] == [("Number", 1), ("Gross", 0.5)]
    assert made["accuracy"] == 0.75
    assert made["wrong"] == [
        {"documentId": made["documents"][1]["documentId"], "field": "Gross", "expected": 9, "got": 201.5}
    ]


def test_what_cannot_be_read_is_named(agent: Agent) -> None:
    broken = {"fileName": "b.pdf", "contentBase64": base64.b64encode(b"%PDF-1.7 no").decode()}
    said = agent.error("setup_parser", name="Bills", samples=[sample(1), broken])
    assert said == "b.pdf: File is damaged or not readable"
    unknown = sample(1) | {"contentBase64": "?"}
    said = agent.error("setup_parser", name="Bills", samples=[unknown])
    assert said == "1.txt: contentBase64 is not valid base64"
    assert agent.call("list_parsers")["data"] == []

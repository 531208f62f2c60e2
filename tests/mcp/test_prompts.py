"""Prompts: listed, and filled with arguments."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docduck.mcp.prompts import PROMPTS
from docduck.mcp.tools import DEFAULT_TOOLSETS, TOOLSETS
from tests.mcp.served import REVISIONS, Agent, answered

ARGUMENTS = {
    "set_up_a_parser": {"kind": "delivery notes {from} ACME"},
    "review_the_unsure": {"parser": "Bills"},
    "explain_a_number": {"document": "a.pdf", "field": "Total"},
}


@pytest.mark.parametrize("revision", REVISIONS)
def test_prompts_are_listed_and_filled(shared: Agent, revision: str) -> None:
    shared.revision = revision
    listed = answered(shared.ask("prompts/list"))["result"]["prompts"]
    assert [one["name"] for one in listed] == [*ARGUMENTS]
    for one in listed:
        given = ARGUMENTS[one["name"]]
        assert [argument["name"] for argument in one["arguments"]] == [*given]
        assert all(argument["required"] and argument["description"] for argument in one["arguments"])
        result = answered(shared.ask("prompts/get", name=one["name"], arguments=given))["result"]
        (message,) = result["messages"]
        assert message["role"] == "user"
        assert all(value in message["content"]["text"] for value in given.values())


def test_prompts_name_tools_that_clients_have() -> None:
    names = frozenset[str]().union(*(TOOLSETS[name] for name in DEFAULT_TOOLSETS))
    for prompt in PROMPTS.values():
        named = re.findall(r"`(\w+)`", prompt.text)
        assert len(named) >= 3 and {*named} <= names
        assert len(prompt.text) < 1500


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"name": "nothing"}, "Unknown prompt: nothing"),
        ({"name": "set_up_a_parser"}, "kind is missing"),
        ({"name": "set_up_a_parser", "arguments": {"kind": " "}}, "kind is missing"),
        ({"name": "set_up_a_parser", "arguments": {"kind": "a", "b": "c"}}, "Unknown argument: b"),
        ({"name": "set_up_a_parser", "arguments": {"kind": "a" * 501}}, "kind has more than 500 characters"),
    ],
)
def test_wrong_arguments_are_named(shared: Agent, params: dict[str, Any], words: str) -> None:
    error = answered(shared.ask("prompts/get", **params))["error"]
    assert (error["code"], error["message"]) == (-32602, words)

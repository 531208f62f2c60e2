from __future__ import annotations

import json
from typing import Any

import pytest

from docduck.extraction.extractors.model.asking.refusal import Refusal
from docduck.outbound.http import HttpResponse


def refusal(body: Any, status: int = 400, retry_after: float | None = None) -> Refusal:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Refusal.of(HttpResponse(status, content, retry_after))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "You exceeded your current quota"}}, "You exceeded your current quota"),
        ({"error": "model is loading"}, "model is loading"),
        ([{"error": {"code": 400, "message": "Bad"}}], "Bad"),
        ({"detail": "Unauthorized"}, "Unauthorized"),
        ({"object": "error", "message": "Too long"}, "Too long"),
        (
            {"message": {"detail": [{"msg": "Extra inputs are not permitted", "loc": ["body", "seed"]}]}},
            "Extra inputs are not permitted: body.seed",
        ),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "Overloaded"),
        (b"upstream connect error", "upstream connect error"),
        (b"<html><title>502 Bad Gateway</title></html>", ""),
        (b"", ""),
        ({}, ""),
        ({"error": {"error": {"error": {"error": {"error": {"error": {"error": {}}}}}}}}, ""),
        (b"[" * 100_000, "[" * 199 + "…"),
        ({"error": "two\n  lines\x1b[31m \u202eand"}, "two lines [31m and"),
        ({"error": "word " * 100}, ("word " * 100)[:199].rstrip() + "…"),
        ({"error": "Incorrect API key provided: sk-proj-abcdefgh1234"}, "Incorrect API key provided: …"),
        ({"error": f"token {'a1' * 20} expired"}, "token … expired"),
    ],
)
def test_the_server_s_own_words_are_kept_short_and_without_keys(body: Any, message: str) -> None:
    assert refusal(body).message == message


@pytest.mark.parametrize(
    ("body", "header", "wait"),
    [
        ({}, 7.0, 7.0),
        ({"error": {"details": [{"retryDelay": "27s"}]}}, None, 27.0),
        ({"error": {"message": "Please try again in 1.5s."}}, None, 1.5),
        ({"error": {"message": "Please retry in 20.04s."}}, 3.0, 3.0),
        ({"error": {"message": "Please try again in 6ms."}}, None, None),
        ({}, None, None),
    ],
)
def test_when_it_may_be_asked_again(body: Any, header: float | None, wait: float | None) -> None:
    assert refusal(body, 429, header).wait == wait


@pytest.mark.parametrize(
    ("status", "message", "is_lasting"),
    [
        (400, "anything", True),
        (429, "not supported", False),
        (500, "boom", False),
        (500, "image input is not supported - hint: you may need to provide the mmproj", True),
        (500, 'Unsupported content part type: "image_url"', True),
        (501, "Not Implemented", True),
        (502, "", False),
        (500, "the request exceeds the available context size", True),
    ],
)
def test_which_refusals_last(status: int, message: str, is_lasting: bool) -> None:
    assert refusal({"error": {"message": message}}, status).is_lasting is is_lasting

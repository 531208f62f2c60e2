"""What is made of answers that are no success, or not the API's."""

from __future__ import annotations

import pickle

import pytest

from docduck import client
from docduck.client.errors import ApiError
from docduck.errors import DocduckError
from tests.client.conftest import Caller, Reply, Server

ONE = "0190b3c2-7c3e-7000-8000-000000000002"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, client.BadRequest),
        (401, client.AuthenticationError),
        (403, client.PermissionDenied),
        (404, client.NotFound),
        (409, client.Conflict),
        (412, client.PreconditionFailed),
        (413, client.BadRequest),
        (415, client.BadRequest),
        (429, client.RateLimited),
        (500, client.ServerError),
        (502, client.ServerError),
    ],
)
def test_every_status_is_an_error_of_its_own(
    call: Caller, server: Server, status: int, kind: type[ApiError]
) -> None:
    body = {
        "error": True,
        "code": "parser_inactive",
        "message": "What is wrong",
        "details": [{"path": "settings.parsePages", "message": "bad syntax"}],
        "notFound": [{"type": "documentId", "value": ONE}],
        "requestId": "r-1",
        "new": {"unknown": 1},
    }
    server.answer(Reply(status, body))
    with pytest.raises(kind) as caught:
        call(lambda api: api.parsers.get("p"), retries=0)
    error = caught.value
    assert type(error) is kind and isinstance(error, DocduckError)
    assert (error.status, error.message, error.request_id) == (status, "What is wrong", "r-1")
    assert error.code == "parser_inactive"
    assert error.details == ({"path": "settings.parsePages", "message": "bad syntax"},)
    assert error.not_found == ({"type": "documentId", "value": ONE},)
    assert error.retryable == (status in (429, 502, 503))
    for fact in ("What is wrong", "settings.parsePages: bad syntax", f"documentId {ONE}", "r-1", str(status)):
        assert fact in str(error)
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


@pytest.mark.parametrize(
    "body", [b"<html>", b"[1]", b"", b'{"message": 5, "code": 6, "details": 7}', b"[" * 100_000]
)
def test_an_error_of_something_else_is_told_as_well(call: Caller, server: Server, body: bytes) -> None:
    server.answer(Reply(500, body, {"X-Request-Id": "r-2"}))
    with pytest.raises(client.ServerError, match="answered with status 500") as caught:
        call(lambda api: api.parsers.get("p"))
    assert caught.value.request_id == "r-2"


@pytest.mark.parametrize("body", [b"<html>Welcome", b"[]", b"[" * 100_000])
def test_an_answer_that_is_not_the_api_s_is_told(call: Caller, server: Server, body: bytes) -> None:
    server.answer(Reply(200, body))
    with pytest.raises(client.ServerError, match="is the address right"):
        call(lambda api: api.parsers.get("p"))


def test_a_redirect_is_told_and_not_followed(call: Caller, server: Server) -> None:
    server.answer(Reply(301, b"", {"Location": "https://elsewhere.example/api/v1/parsers/p"}))
    with pytest.raises(client.BadRequest, match=r"redirects to https://elsewhere\.example"):
        call(lambda api: api.parsers.get("p"))
    assert len(server.seen) == 1

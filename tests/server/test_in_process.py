"""The API in this process: whoever runs commands is the operator, and nobody over HTTP is."""

from __future__ import annotations

import socket
from collections.abc import Callable

import httpx
import pytest
from sqlalchemy import func, select

from docduck.catalog.models import ApiKey, AuditEntry
from docduck.client import BadRequest, Client, Conflict, NotFound
from docduck.errors import Defect
from docduck.server.in_process import InProcess
from docduck.service.accounts.caller import Operator
from docduck.service.core.installation import Installation
from tests.conftest import MakeInstallation
from tests.server.served import Api


def client_of(transport: httpx.BaseTransport) -> Client:
    return Client("http://127.0.0.1:8000", "none", retries=0, transport=transport)


def test_an_operator_works_without_a_socket_a_key_and_a_rate_limit(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(rate_limit_minute=1)

    def refuse(*_: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with InProcess(inst) as transport, client_of(transport) as client:
        parser = client.parsers.create("Bills", fields=[{"name": "Number"}], idempotency_key="one")
        again = client.parsers.create("Bills", fields=[{"name": "Number"}], idempotency_key="one")
        assert again["slug"] == "bills_2", "in one process no request is repeated"
        for _ in range(5):
            assert client.parsers.page()["pagination"]["total"] == 2
        (item,) = client.process.files("bills", ("a.txt", b"Number: 1" + b" " * 300_000))
        document = client.documents.find(item["documentId"])
        assert (document["parserId"], document["source"]) == (parser["id"], "upload")
        assert document["url"].startswith("http://127.0.0.1:8000/")
        assert [one["actor"] for one in client.documents.history_of(document["id"])] == ["cli"]
        with pytest.raises(Conflict):
            client.documents.reprocess_many([document["id"]])
        with pytest.raises(NotFound):
            client.parsers.get("0190b3c2-7c3e-7000-8000-000000000001")
        with pytest.raises(BadRequest):
            client.parsers.create("")
    with inst.catalog.read_session() as session:
        assert session.scalar(select(func.count()).select_from(ApiKey)) == 0
        assert set(session.scalars(select(AuditEntry.actor))) == {"cli"}


@pytest.mark.parametrize("error", [Defect("Two rows for one document"), ZeroDivisionError("x")])
def test_a_defect_is_raised_as_it_is(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    with InProcess(make_installation()) as transport, client_of(transport) as client:
        client.parsers.page()
        monkeypatch.setattr("docduck.api.routers.parsers.find_parsers", fail)
        with pytest.raises(type(error)) as caught:
            client.parsers.page()
    assert caught.value is error


def test_nobody_over_http_is_the_operator(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def note(inst: Installation, *_: object, **__: object) -> None:
        seen.append(inst)
        raise AssertionError("an operator's request")

    monkeypatch.setattr(Operator, "__init__", note)
    outside: list[Callable[[], httpx.Response]] = [
        lambda header=header: httpx.get(  # type: ignore[misc]
            f"{api.address}/api/v1/parsers", headers=header, trust_env=False
        )
        for header in (
            {},
            {"Authorization": "Bearer cli"},
            {"Authorization": "Bearer none"},
            {"Authorization": "cli", "X-Caller": "cli", "X-Forwarded-For": "127.0.0.1"},
            {"Host": "docduck", "User-Agent": "docduck-python"},
        )
    ]
    assert [ask().status_code for ask in outside] == [401] * len(outside)
    assert api.get("/parsers").status_code == 200
    assert seen == []

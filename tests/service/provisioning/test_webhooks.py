"""Webhooks in pipeline.yaml."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.schemas.webhooks import WebhookView
from docduck.service.webhooks.secrets import get_own_headers, get_secret
from docduck.service.webhooks.webhook_changes import create_webhook
from docduck.service.webhooks.webhooks import list_webhooks
from tests.service.provisioning.test_pipeline import apply

TEXT = """
parsers:
  - name: Invoices
    fields: [{name: Number}]
    webhooks:
      - name: ERP
        url: https://erp.example.org/hook
        events: [document.failed, document.exported]
        secret: ERP_SECRET
        headers: {Authorization: ERP_TOKEN}
      - {name: Chat, url: "https://chat.example.org/", events: ["*"], valueFormat: string, active: false}
"""

ONE, TWO = (f"whsec_{base64.b64encode(letter * 24).decode()}" for letter in (b"a", b"b"))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ERP_SECRET", ONE)
    monkeypatch.setenv("ERP_TOKEN", "Bearer t0ken")
    return tmp_path / "pipeline.yaml"


def found(inst: Installation) -> dict[str, WebhookView]:
    return {one.name: one for one in list_webhooks(inst, inst.team_id, "invoices")}


def test_webhooks_are_made_once_and_changed(
    any_inst: Installation, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = apply(any_inst, file, TEXT)
    assert done[1:] == ["invoices: webhook ERP added", "invoices: webhook Chat added"]
    erp, chat = found(any_inst)["ERP"], found(any_inst)["Chat"]
    assert list(erp.events) == ["document.exported", "document.failed"]
    assert get_secret(any_inst, any_inst.team_id, "invoices", erp.id) == ONE
    headers = get_own_headers(any_inst, any_inst.team_id, "invoices", erp.id)
    assert headers == {"Authorization": "Bearer t0ken"}
    assert (list(chat.events), chat.value_format, chat.status) == (["*"], "string", "paused")
    assert apply(any_inst, file, TEXT) == ["nothing to change"]
    assert found(any_inst)["ERP"] == erp

    monkeypatch.setenv("ERP_SECRET", TWO)
    monkeypatch.setenv("ERP_TOKEN", "Bearer other")
    changed = TEXT.replace("/hook", "/new").replace("active: false", "active: true")
    assert apply(any_inst, file, changed) == [
        "invoices: webhook ERP changed (url, headers)",
        "invoices: secret of webhook ERP rotated",
        "invoices: webhook Chat changed (is_active)",
    ]
    assert get_secret(any_inst, any_inst.team_id, "invoices", erp.id) == TWO
    assert apply(any_inst, file, changed) == ["nothing to change"]
    assert found(any_inst)["Chat"].status == "active"


def test_other_webhooks_are_left_alone(inst: Installation, file: Path) -> None:
    apply(inst, file, TEXT)
    create_webhook(inst, inst.team_id, "invoices", {"url": "https://zap.example.org/", "name": "Zap"})
    without = TEXT.partition("      - {name: Chat")[0]
    assert apply(inst, file, without) == ["nothing to change"]
    assert found(inst).keys() == {"ERP", "Chat", "Zap"}
    assert apply(inst, file, TEXT.partition("    webhooks:")[0]) == ["nothing to change"]
    assert len(found(inst)) == 3


def test_what_is_wrong_is_told_with_its_place(inst: Installation, file: Path) -> None:
    place, missing = "parsers[0].webhooks", "the environment variable NOWHERE is not set"
    for old, new, told in (
        ("ERP_SECRET", "NOWHERE", f"yaml:9: {place}[0].secret: {missing}"),
        ("ERP_SECRET", "ERP_TOKEN", f"yaml:9: {place}[0].secret: A webhook's secret must"),
        ("ERP_TOKEN", "NOWHERE", f"{place}[0].headers.Authorization: {missing}"),
        ("https://erp", "http://erp", f"yaml:7: {place}[0].url: Webhook URL must use HTTPS"),
        ("erp.example.org", "127.0.0.1", f"{place}[0].url: URL is not allowed"),
        ("document.failed", "document.lost", f"{place}[0].events: must be some of"),
        ("name: Chat", "name: erp", f"{place}[1].name: 'erp' is also the name of webhooks[0]"),
        ("valueFormat", "format", f"{place}[1].format: unknown key"),
        ("Authorization", "Host", f"{place}[0].headers.Host: The header Host is set by docduck"),
    ):
        with pytest.raises(InputError) as caught:
            apply(inst, file, TEXT.replace(old, new))
        assert told in caught.value.message
        assert "t0ken" not in caught.value.message and ONE not in caught.value.message

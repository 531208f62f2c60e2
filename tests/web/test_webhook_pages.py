"""The webhooks of a parser on their pages, with a real receiver."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from docduck.service.schemas.webhooks import WebhookView
from docduck.service.webhooks.delivery import deliver_due
from docduck.service.webhooks.secrets import get_secret
from docduck.service.webhooks.webhooks import list_webhooks
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.service.webhooks.receiver import INSECURE, Receiver, receiving
from tests.web.browser import Browser
from tests.web.pages import entered, form_of

FORM: dict[str, Any] = {
    "events": ["document.processed", "document.failed"],
    "valueFormat": "typed",
    "isActive": "yes",
}


class Hooks:
    """A member of the team, a parser, and a receiver."""

    def __init__(self, api: Api, browser: Browser, receiver: Receiver) -> None:
        self.api, self.browser, self.receiver = api, browser, receiver
        self.parser_id = api.parser("Bills")
        self.path = "/parsers/bills/webhooks"

    def send(self, path: str = "", **form: Any) -> httpx.Response:
        return self.browser.submit(path or self.path, **form)

    def only(self) -> WebhookView:
        (found,) = list_webhooks(self.api.inst, self.api.inst.team_id, self.parser_id)
        return found

    def create(self, **form: Any) -> str:
        """The path of a new webhook."""
        made = self.send(**{**FORM, "url": self.receiver.url(), **form})
        assert made.status_code == 303, made.text
        return made.headers["location"].partition("?")[0]


@pytest.fixture
def hooks(make_installation: MakeInstallation) -> Iterator[Hooks]:
    with (
        serving(make_installation(**INSECURE)) as api,
        receiving() as receiver,
        entered(api) as browser,
    ):
        yield Hooks(api, browser, receiver)


def secret_on(page: httpx.Response) -> str:
    (found,) = re.findall('<code id="secret">([^<]+)</code>', page.text)
    return str(found)


def test_a_new_webhook_shows_its_secret(hooks: Hooks) -> None:
    name = "<script>alert(1)</script>"
    made = hooks.send(url=hooks.receiver.url(), name=name, headers="X-Token: s3cret", **FORM)
    webhook = hooks.only()
    secret = get_secret(hooks.api.inst, hooks.api.inst.team_id, hooks.parser_id, webhook.id)
    assert secret_on(hooks.browser.get(made.headers["location"])) == secret
    path = f"{hooks.path}/{webhook.id}"
    for one in (hooks.path, path):
        page = hooks.browser.get(one).text
        assert secret not in page and "s3cret" not in page
        assert name not in page and "&lt;script&gt;" in page
    assert "X-Token: ***" in hooks.browser.get(path).text
    renewed = hooks.browser.get(hooks.send(path, action="rotate").headers["location"])
    assert secret_on(renewed) != secret
    assert secret_on(hooks.browser.get(path, params={"secret": "shown"})) == secret_on(renewed)


def test_what_is_wrong_is_told_and_kept(hooks: Hooks) -> None:
    for changed, words in (
        ({"url": "ftp://example.org"}, "url"),
        ({"headers": "no colon"}, "A header is written as in"),
        ({"events": []}, "events"),
    ):
        page = hooks.send(**{**FORM, "url": "https://example.org/hook", "name": "Mine", **changed})
        assert page.status_code == 400, changed
        assert words in page.text and 'value="Mine"' in page.text
    assert list_webhooks(hooks.api.inst, hooks.api.inst.team_id, hooks.parser_id) == []


def test_saving_changes_what_was_changed(hooks: Hooks) -> None:
    path = hooks.create(headers="X-Token: s3cret\nX-Team: a")
    form = {
        **form_of(hooks.browser.get(path), path),
        "url": hooks.receiver.url("/other"),
        "name": "Other",
        "headers": "X-Token: ***\nX-Team: b",
    }
    assert hooks.send(path, action="save", **form).status_code == 303
    assert "took the test event with 204" in hooks.send(path, action="test").text
    (sent,) = hooks.receiver.received
    assert (sent.path, sent.headers["x-token"], sent.headers["x-team"]) == ("/other", "s3cret", "b")
    hooks.receiver.answer = lambda _: (500, {})
    assert "The test event was not taken" in hooks.send(path, action="test").text
    assert "0 deliveries" in hooks.browser.get(path).text
    del form["isActive"]
    assert hooks.send(path, action="save", **form).status_code == 303
    assert hooks.only().status == "paused"
    assert hooks.send(path, action="save", **{**form, "url": "nowhere"}).status_code == 400
    assert hooks.send(path, action="delete").headers["location"] == hooks.path
    assert hooks.browser.get(path).status_code == 404


def test_what_another_person_changed_meanwhile_stays(hooks: Hooks) -> None:
    path = hooks.create(name="Mine", description="Ours")
    form = form_of(hooks.browser.get(path), path)
    hooks.send(path, action="save", **{**form, "description": "Theirs"})
    hooks.send(path, action="save", **{**form, "name": "Other"})
    assert (hooks.only().name, hooks.only().description) == ("Other", "Theirs")
    for broken in ("", "[]", "{"):
        sent = hooks.send(path, action="save", **{**form, "name": "Lost", "shown": broken})
        assert sent.status_code == 400 and "Load the page again" in sent.text, broken
    assert hooks.only().name == "Other"


def test_deliveries_are_shown_and_sent_again(hooks: Hooks) -> None:
    path = hooks.create()
    hooks.receiver.answer = lambda _: (503, {})
    document_id = hooks.api.upload(hooks.parser_id, name="<b>bill</b>.txt")
    hooks.api.process()
    deliver_due(hooks.api.inst, 1)
    page = hooks.browser.get(path).text
    assert "1 delivery" in page and "document.processed" in page and "503" in page
    assert "1 waiting, 0 given up" in hooks.browser.get(hooks.path).text
    assert "0 deliveries" in hooks.browser.get(path, params={"status": "succeeded"}).text
    assert hooks.browser.get(path, params={"status": "eaten"}).status_code == 400

    (link,) = re.findall(r'href="([^"]+/deliveries/[^"]+)"', page)
    delivery = hooks.browser.get(link).text
    assert "<b>bill" not in delivery
    (shown,) = re.findall("<code>(.*?)</code>", delivery, re.DOTALL)
    assert json.loads(html.unescape(shown)) == json.loads(hooks.receiver.received[0].body)
    assert document_id in shown
    other = hooks.create(url=hooks.receiver.url("/b"))
    assert hooks.browser.get(f"{other}/deliveries/{link[-36:]}").status_code == 404

    hooks.receiver.answer = lambda _: (204, {})
    (again,) = re.findall(r'action="([^"]+/retry)"', page)
    assert hooks.send(again).status_code == 303
    deliver_due(hooks.api.inst, 1)
    assert "succeeded" in hooks.browser.get(path).text.partition("<tbody>")[2]
    assert [one.event for one in hooks.receiver.received] == ["document.processed"] * 2

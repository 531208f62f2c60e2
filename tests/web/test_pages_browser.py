"""Forms in Chromium: without scripts, and sent twice at once."""

from __future__ import annotations

import time
from typing import Any

import pytest

from docduck.service.accounts.keys import NewKey, create_key, list_keys
from docduck.web.team import keys
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
]


def test_everything_works_without_scripts(lite: Api) -> None:
    make_user(lite.inst, role="owner")
    with signed_in(lite, "/team", java_script_enabled=False) as (page, _):
        page.get_by_label("Name").fill("Zebras")
        page.get_by_role("button", name="Rename the team").click()
        expect(page.get_by_role("status")).to_have_text("The team is renamed.")
        expect(page.get_by_role("heading", name="Team Zebras")).to_be_visible()


def test_a_form_that_is_sent_twice_at_once_is_sent_once(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    make_user(lite.inst, role="owner")

    def slow(*arguments: Any, **more: Any) -> NewKey:
        made = create_key(*arguments, **more)
        time.sleep(1)
        return made

    monkeypatch.setattr(keys, "create_key", slow)
    with signed_in(lite, "/team/keys") as (page, _):
        page.get_by_label("Name", exact=True).fill("ERP")
        button = page.get_by_role("button", name="Create the key")
        button.evaluate("(one) => { one.click(); setTimeout(() => one.click(), 200); }")
        page.get_by_text("This is the key").wait_for()
    names = [key.name for key in list_keys(lite.inst, lite.inst.team_id)]
    assert names.count("ERP") == 1

"""Reviewing many documents on one page: cards that are approved together, and a grid of unsure values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from docduck.fields import Field
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.entered_values import parse_entered
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import ParserChanges, get_parser, update_parser
from docduck.service.reviews.stage_changes import create_stage
from tests.browser import expect
from tests.server.served import Api
from tests.web.browser import Browser, form_token
from tests.web.browsing import make_user, signed_in
from tests.web.pages import HOSTILE
from tests.web.test_document_page import invoice

NUMBERS = ("A-17", "B-4711", "C-3")


class Work:
    """Documents in review, assigned to Ann; the number of none of them is found, and one has no total."""

    def __init__(self, api: Api) -> None:
        self.api, self.inst = api, api.inst
        self.team_id = api.inst.team_id
        self.ann = make_user(self.inst)
        self.parser_id = api.parser()
        create_stage(self.inst, self.team_id, self.parser_id, {"name": "Check", "reviewer_id": self.ann})
        total = next(one for one in self.fields if one.name == "Total")
        update_field(self.inst, self.team_id, self.parser_id, str(total.id), {"required": True})
        self.ids = [api.upload(self.parser_id, invoice(one), name=f"{one}.pdf") for one in NUMBERS]
        self.ids.append(api.upload(self.parser_id, b"Nothing to pay\n", name=f"{HOSTILE}.txt"))
        api.process(self.parser_id)

    def add(self, file: bytes) -> str:
        self.ids.append(self.api.upload(self.parser_id, file, name=f"{len(self.ids)}.pdf"))
        self.api.process(self.parser_id)
        return self.ids[-1]

    @property
    def fields(self) -> Sequence[Field]:
        return get_parser(self.inst, self.team_id, self.parser_id).fields

    def document(self, number: int) -> DocumentView:
        return get_document(self.inst, self.team_id, self.ids[number])


@pytest.fixture
def work(lite: Api) -> Work:
    return Work(lite)


@pytest.fixture
def ann(lite: Api, work: Work) -> Iterator[Browser]:
    with Browser(lite.address) as browser:
        browser.enter(work.inst, work.ann)
        yield browser


def post(browser: Browser, path: str, body: object) -> Any:
    token = form_token(browser.get("/profile"))
    headers = {"X-Form-Token": token, "Accept": "application/json"}
    answer = browser.post(path, json=body, headers=headers)
    reply = answer.json()
    told = reply.pop("told", "")
    assert not told or "this is learned" in told
    return reply if answer.status_code == 200 else (answer.status_code, reply["message"])


def test_cards_show_what_matters_and_are_approved_together(work: Work, ann: Browser) -> None:
    shown = ann.get("/review/batch").text
    assert shown.count("<article") == 4 and "4 of 4 that wait for you" in shown
    assert "<script>alert" not in shown and "<img src=x" not in shown
    first = shown[shown.index(work.ids[0]) :]
    assert re.search(r'data-picture="/documents/[-0-9a-f]+/pages/1/picture\?width=800"', first)
    assert "16.5" in first and "Line Items: 3 rows" in first
    assert shown.count('data-concerns="[]"') == 3 and "is required and was not found" in shown
    assert ann.get("/review/batch?parser=invoices").text.count("<article") == 4
    assert ann.get("/review/batch?parser=nothing").status_code == 404

    bad, foreign = work.ids[3], "00000000-0000-0000-0000-000000000000"
    stage = work.document(0).review.stages[0].id
    assert shown.count(f'data-stage="{stage}"') == 4
    chosen = dict.fromkeys([work.ids[0], bad, foreign], stage)
    done = post(ann, "/review/batch/approve", {"documents": chosen})
    assert done == {
        "done": [work.ids[0]],
        "refused": [
            {
                "id": bad,
                "code": "conflict",
                "message": "'Total' is required and was not found",
            },
            {"id": foreign, "code": "not_found", "message": "Document not found"},
        ],
    }
    assert (work.document(0).status, work.document(3).status) == ("approved", "in_review")
    # What was approved already counts once, as its answer may have been lost.
    chosen.pop(foreign)
    done = post(ann, "/review/batch/approve", {"documents": chosen, "despite": True})
    assert done == {"done": [work.ids[0], bad], "refused": []}
    # Of those that were approved together, only those without doubts are.
    doubtful = {work.ids[1]: stage}
    update_parser(work.inst, work.team_id, work.parser_id, ParserChanges(settings={"unsureBelow": 1}))
    done = post(ann, "/review/batch/approve", {"documents": doubtful, "sure": True})
    assert [one["message"] for one in done["refused"]] == ["It has values to look at"]
    # A duplicate asks, too, and an approval is undone.
    copy = work.add(b"Nothing to pay\n")
    assert "This is a duplicate of an earlier document" in ann.get("/review/batch").text
    done = post(ann, "/review/batch/approve", {"documents": {copy: stage}})
    assert [one["message"] for one in done["refused"]] == ["This is a duplicate of an earlier document"]
    done = post(ann, "/review/batch/undo", {"documents": {work.ids[0]: stage, work.ids[1]: stage}})
    assert (done["done"], done["refused"][0]["id"]) == ([work.ids[0]], work.ids[1])
    assert work.document(0).status == "in_review"
    assert post(ann, "/review/batch/approve", {"documents": {work.ids[0]: stage}})["done"] == [work.ids[0]]
    done = post(ann, "/review/batch/approve", {"documents": {work.ids[1]: foreign}})
    assert done["refused"] == [
        {
            "id": work.ids[1],
            "code": "changed_meanwhile",
            "message": "This review has gone on meanwhile; look at the document again",
        }
    ]
    assert post(ann, "/review/batch/approve", {"documents": {}})[0] == 400
    assert ann.get("/review/batch").text.count("<article") == 3


def test_unsure_values_are_confirmed_and_saved_one_by_one(lite: Api, work: Work, ann: Browser) -> None:
    total = next(one for one in work.fields if one.name == "Total")
    shown = ann.get("/review/values").text
    assert f'data-id="{work.ids[3]}" data-path="{total.id}"' in shown
    assert "<script>alert" not in shown and "<img src=x" not in shown
    path = f"/review/values/{work.ids[3]}"
    value = {"path": str(total.id), "text": "much", "seen": ""}
    assert post(ann, path, value) == (
        400,
        "Total: 'much' is no amount; enter it as 1234.5 or as it is printed",
    )
    assert post(ann, path, {**value, "text": "1.234,50 €"}) == {"text": "1234.5"}
    assert post(ann, path, {**value, "text": "2"}) == (409, "Somebody else has set it to '1234.5' meanwhile")
    assert work.document(3).data["Total"] == 1234.5
    assert f'data-id="{work.ids[3]}"' not in ann.get("/review/values").text

    confirmed = {"path": str(total.id), "text": "16.5", "seen": "16.5"}
    places = work.document(0).field_metadata["Total"]["locations"]
    assert post(ann, f"/review/values/{work.ids[0]}", confirmed) == {"text": "16.5"}
    entry = work.document(0).field_metadata["Total"]
    assert entry["edited"] and entry["locations"] == places
    table = next(one for one in work.fields if one.name == "Line Items")
    description, amount = table.columns
    cell = {"path": f"{table.id}.1.{amount.id}", "text": "2.5", "seen": "2.5"}
    assert post(ann, f"/review/values/{work.ids[0]}", cell) == {"text": "2.5"}
    before = work.document(0)
    cell = {"path": f"{table.id}.0.{description.id}", "text": "Washer", "seen": "Bolt"}
    assert post(ann, f"/review/values/{work.ids[0]}", cell) == {"text": "Washer"}
    undone = {**cell, "seen": "Washer", "undo": True}
    assert post(ann, f"/review/values/{work.ids[0]}", undone) == {"text": "Bolt"}
    assert work.document(0).field_metadata == before.field_metadata
    assert post(ann, f"/review/values/{work.ids[0]}", cell) == {"text": "Washer"}
    first, second, _ = work.document(0).data["Line Items"]
    assert (first, second) == ({"Description": "Washer", "Amount": 10}, {"Description": "Nut", "Amount": 2.5})
    assert post(ann, f"/review/values/{work.ids[0]}", {**cell, "path": f"{table.id}.0.x"})[0] == 400
    assert post(ann, f"/review/values/{work.ids[0]}", {**cell, "path": str(table.id)})[0] == 400
    with Browser(lite.address) as other:
        other.enter(work.inst, make_user(work.inst, "Bob"))
        assert post(other, f"/review/values/{work.ids[1]}", confirmed)[0] == 403
        assert "No value is unsure" in other.get("/review/values").text


def test_a_cell_that_another_process_writes_in_between_stays(
    work: Work, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = next(one for one in work.fields if one.name == "Line Items")
    description = table.columns[0]
    rows = work.document(0).data["Line Items"]
    writes = iter([{"Line Items": [{**rows[0], "Amount": 11}, *rows[1:]]}])

    def write(*args: Any) -> Any:
        for data in writes:
            set_values(work.inst, work.team_id, work.parser_id, work.ids[0], data)
        return parse_entered(*args)

    monkeypatch.setattr("docduck.web.batch_review.saving.parse_entered", write)
    cell = {"path": f"{table.id}.0.{description.id}", "text": "Washer", "seen": "Bolt"}
    assert post(ann, f"/review/values/{work.ids[0]}", cell) == {"text": "Washer"}
    assert work.document(0).data["Line Items"][0] == {"Description": "Washer", "Amount": 11}


@pytest.mark.slow
@pytest.mark.browser
def test_by_keys(lite: Api, work: Work) -> None:
    set_values(work.inst, work.team_id, work.parser_id, work.ids[2], {"Total": None}, reviewer_id=work.ann)
    with signed_in(lite, "/review/values") as (page, complaints):
        inputs = page.locator("form.unsure input")
        expect(inputs.first).to_be_focused()
        count = inputs.count()
        saves: list[Any] = []
        page.route("**/review/values/*", lambda route: saves.append(route))
        page.keyboard.type("12,50")
        for _ in range(3):  # it is held
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        expect(page.locator("form.unsure[inert]")).to_have_count(1)
        assert len(saves) == 1
        saves[0].continue_()
        page.unroute_all()
        expect(page.locator("form.unsure").first.get_by_text("Saved")).to_be_visible()
        expect(inputs.first).to_have_value("12.5")
        expect(page.locator("#unsure-count")).to_have_text(
            f"{count - 1} to look at" if count > 1 else "All of these are settled"
        )

        page.goto("/review/batch")
        cards = page.locator(".cards article")
        expect(cards.first).to_be_focused()
        picture = page.locator(".crop img").first
        picture.evaluate("(one) => one.complete || new Promise((done) => one.addEventListener('load', done))")
        assert picture.evaluate("(one) => one.naturalWidth") == 800
        marked = page.locator(".crop > span").first
        mark, value = marked.bounding_box(), marked.locator("..").bounding_box()
        assert value["x"] < mark["x"] and mark["x"] + mark["width"] < value["x"] + value["width"]
        one = page.locator(".cards article[data-concerns='[]']").first
        name = one.get_attribute("data-name")
        one.focus()
        page.keyboard.down("a")
        page.get_by_text(f"{name} is approved").wait_for()
        expect(cards).to_have_count(3)
        expect(page.locator(".cards article:focus")).to_have_count(1)
        page.keyboard.down("a")  # it is held
        page.keyboard.up("a")
        cards.first.focus()
        page.keyboard.press("j")
        expect(cards.nth(1)).to_be_focused()
        page.keyboard.press("k")
        expect(cards.first).to_be_focused()
        page.keyboard.press("Control+z")
        page.get_by_text("1 approval is undone").wait_for()
        expect(cards).to_have_count(4)
        assert [work.document(at).status for at in range(4)] == ["in_review"] * 4

        # Those that nobody has scrolled to don't count, nor those that look wrong.
        sure = "one => one.dataset.doubts === '0' && one.dataset.concerns === '[]'"
        clean = [one.evaluate(sure) for one in cards.all()]
        assert 0 < sum(clean) < len(clean)
        page.set_viewport_size({"width": 500, "height": 400})
        page.reload()
        count = page.locator("#clean-count")
        expect(page.locator("#unseen")).to_have_text(re.compile(r"[34] not seen yet"))
        for card in cards.all()[:-1]:
            card.locator(".end").scroll_into_view_if_needed()
        expect(page.locator("#unseen")).to_have_text("1 not seen yet")
        expect(count).to_have_text(str(sum(clean[:-1])))
        cards.last.locator(".end").scroll_into_view_if_needed()
        expect(count).to_have_text(str(sum(clean)))
        page.get_by_role("button", name="seen without doubts").click()
        page.get_by_text("approved", exact=False).first.wait_for()
        expect(cards).to_have_count(4 - sum(clean))
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("undone").wait_for()
        expect(cards).to_have_count(4)

        # What looks wrong asks, and the safe answer has the focus.
        page.locator(f"article[data-id='{work.ids[2]}']").focus()
        page.keyboard.press("a")
        expect(page.get_by_role("dialog")).to_contain_text("is required and was not found")
        expect(page.get_by_role("button", name="Cancel")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("a")
        page.get_by_role("dialog").get_by_role("button", name="Approve anyway").click()
        expect(cards).to_have_count(3)
        assert work.document(2).status == "approved"
        assert complaints == []

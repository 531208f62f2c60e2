"""What the page of a document sends in a review: confirmations, checks, conflicts, setting aside."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from docduck.catalog.models import AuditEntry, PendingCorrection
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import ParserChanges, get_parser, update_parser
from docduck.service.reviews.review_stages import list_stages
from docduck.service.reviews.stage_changes import create_stage, delete_stage
from docduck.web.documents import saving
from tests.server.served import Api
from tests.waiting import wait_for
from tests.web.browser import Browser, form_token, member

INVOICE = b"""Acme Works Ltd

Description      Amount
Bolt             10.00
Nut               2.50
Screw             4.00

Total: 16.50
"""


class Desk:
    """A reviewer at the page of a document."""

    def __init__(self, api: Api, **stage: Any) -> None:
        self.api, self.count = api, 0
        self.user = member(api.inst, "ann")
        self.parser = api.parser()
        create_stage(
            api.inst, api.inst.team_id, self.parser, {"name": "Check", "reviewer_id": self.user, **stage}
        )
        self.browser = Browser(api.address)
        self.browser.enter(api.inst, self.user)

    def read(self, *names: str) -> list[str]:
        ids = []
        for name in names:
            self.count += 1  # none is a duplicate
            ids.append(self.api.upload(self.parser, INVOICE + b"\n" * self.count, name=f"{name}.txt"))
            self.api.process(self.parser)
        return ids

    def view(self, document: str) -> DocumentView:
        return get_document(self.api.inst, self.api.inst.team_id, document)

    def seen(self, document: str) -> str:
        """When what the document's page shows was changed."""
        return self.browser.get(f"/documents/{document}").text.split('data-seen="')[1].split('"')[0]

    def set(self, document: str, data: dict[str, Any], **more: Any) -> None:
        """Change values as another process does."""
        set_values(self.api.inst, self.api.inst.team_id, self.parser, document, data, **more)

    def send(self, document: str, to: str = "changes", seen: str = "", **body: Any) -> httpx.Response:
        if to == "changes":
            body["seen"] = seen or self.seen(document)
        elif seen:
            body["seen"] = seen
        token = form_token(self.browser.get("/profile"))
        return self.browser.post(f"/documents/{document}/{to}", json=body, headers={"X-Form-Token": token})

    def ids(self) -> dict[str, str]:
        """The ids of fields and columns by name."""
        fields = get_parser(self.api.inst, self.api.inst.team_id, self.parser).fields
        return {one.name: str(one.id) for field in fields for one in (field, *field.columns)}

    def doubt_below(self, confidence: float) -> None:
        changes = ParserChanges(settings={"unsureBelow": confidence})
        update_parser(self.api.inst, self.api.inst.team_id, self.parser, changes)


@pytest.fixture
def desk(request: pytest.FixtureRequest, lite: Api) -> Iterator[Desk]:
    """A reviewer at a stage, which may have parameters."""
    desk = Desk(lite, **getattr(request, "param", {}))
    yield desk
    desk.browser.close()


def edited(entry: Any) -> Any:
    if isinstance(entry, list):
        return [[name for name, cell in row.items() if cell["edited"]] for row in entry]
    return entry["edited"]


def test_doubts_are_listed_in_the_order_of_the_page_and_confirmed_one_by_one(desk: Desk) -> None:
    desk.doubt_below(1)
    (document,) = desk.read("a")
    ids = desk.ids()
    table, amount = ids["Line Items"], ids["Amount"]
    told = desk.send(document, confirmed=[f"{table}.1.{amount}"], stay=True).json()
    rows = [path for path in told["doubts"] if path.startswith(table)]
    assert rows == [
        f"{table}.{row}.{ids[column]}"
        for row in range(3)
        for column in ("Description", "Amount")
        if (row, column) != (1, "Amount")
    ]
    # The total is printed under the rows.
    assert told["doubts"].index(ids["Total"]) > told["doubts"].index(rows[-1])
    found = desk.view(document)
    assert edited(found.field_metadata["Line Items"]) == [[], ["Amount"], []]
    assert found.field_metadata["Line Items"][1]["Amount"]["editedBy"] == desk.user
    assert found.field_metadata["Line Items"][1]["Amount"]["locations"]
    assert [entry.event for entry in found.history][-1] == "confirmed"
    page = desk.browser.get(f"/documents/{document}").text
    assert page.count(' class="doubt"') == len(rows)

    told = desk.send(document, entered={ids["Total"]: "16,50"}, stay=True).json()
    assert ids["Total"] not in told["doubts"]
    assert edited(desk.view(document).field_metadata["Total"])
    assert desk.send(document, confirmed=[f"{table}.9.{amount}"]).status_code == 400


def test_unsure_cells_stay_unsure_when_another_cell_is_corrected(desk: Desk) -> None:
    desk.doubt_below(1)
    document, other = desk.read("a", "b")
    ids = desk.ids()

    def rows(amount: str) -> list[dict[str, str]]:
        cells = (("Bolt", "10"), ("Nut", amount))
        return [{ids["Description"]: one, ids["Amount"]: two} for one, two in cells]

    desk.send(document, entered={ids["Line Items"]: rows("3")})
    found = desk.view(document)
    assert [row["Amount"] for row in found.data["Line Items"]] == [10, 3]
    assert edited(found.field_metadata["Line Items"]) == [[], ["Amount"]]
    told = desk.send(document, then="confirm").json()
    assert told["done"].startswith("All values are confirmed")
    assert edited(desk.view(document).field_metadata["Line Items"]) == 2 * [["Description", "Amount"]]

    # If a row was removed and nothing else changed, the table is as the person wants it.
    desk.send(other, entered={ids["Line Items"]: rows("2.5")})
    assert edited(desk.view(other).field_metadata["Line Items"]) == 2 * [["Description", "Amount"]]


def test_values_are_checked_while_they_are_entered(desk: Desk) -> None:
    (document,) = desk.read("a")
    ids = desk.ids()
    before = desk.view(document)
    total, table = ids["Total"], ids["Line Items"]
    wrong = desk.send(document, "checks", entered={total: "20"}).json()
    assert wrong["problems"][total] == ["The rows sum to 16.5, but the total reads 20"]
    rows = [{ids["Description"]: "Bolt", ids["Amount"]: "20"}]
    right = desk.send(document, "checks", entered={total: "20", table: rows}).json()
    assert total not in right["problems"]
    unfit = desk.send(document, "checks", entered={total: "much", table: rows}).json()
    assert unfit["problems"][total] == ["Total: 'much' is no amount; enter it as 1234.5 or as it is printed"]
    assert desk.view(document) == before, "nothing is stored"
    # What is stored is judged again, too: the alarm goes with its reason.
    desk.send(document, entered={total: "20"})
    assert "The rows sum to" in desk.browser.get(f"/documents/{document}").text
    desk.send(document, entered={table: rows})
    assert "The rows sum to" not in desk.browser.get(f"/documents/{document}").text


@pytest.mark.parametrize("desk", [{"on_failed_checks": "block"}], indirect=True)
def test_a_stage_can_block_documents_with_failed_checks(lite: Api, desk: Desk) -> None:
    (document,) = desk.read("a")
    ids = desk.ids()
    asked = desk.send(document, entered={ids["Total"]: "20"}, then="approve").json()
    assert (asked["questions"], asked["isBlocked"]) == (
        ["The rows sum to 16.5, but the total reads 20"],
        True,
    )
    approval: dict[str, Any] = {"then": "approve", "despite": True}
    answer = desk.send(document, entered={ids["Total"]: "20"}, **approval)
    message = "Checks fail, so this stage can't approve: The rows sum to 16.5, but the total reads 20"
    told = answer.json()
    assert (answer.status_code, told["message"]) == (409, message)
    # What was entered is saved, so the page shows it anew.
    assert (told["next"], told["done"]) == (f"/documents/{document}", f"Your values are saved. {message}")
    path = f"/parsers/{desk.parser}/documents/{document}/review/approve"
    answer = lite.post(path, json={"reviewerId": desk.user})
    assert (answer.status_code, answer.json()["message"]) == (409, message)
    assert desk.view(document).status == "in_review"
    stay: dict[str, Any] = {**approval, "stay": True}
    told = desk.send(document, seen=told["seen"], entered={ids["Total"]: "21"}, **stay).json()
    assert "next" not in told and desk.view(document).data["Total"] == 21
    assert desk.send(document, seen=told["seen"], entered={ids["Total"]: "20"}).status_code == 200
    update_field(lite.inst, lite.inst.team_id, desk.parser, ids["Line Items"], {"required": True})
    rowless: dict[str, Any] = {ids["Total"]: "16.5", ids["Line Items"]: []}
    answer = desk.send(document, entered=rowless, **approval)
    missing = "'Line Items' is required and was not found"
    assert (answer.status_code, missing in answer.json()["message"]) == (409, True)
    for shown in (f"/documents/{document}", "/review/batch"):
        assert missing in html.unescape(desk.browser.get(shown).text)
    told = desk.send(document, "checks", entered={}).json()
    assert told["problems"][ids["Line Items"]] == [missing]
    rows = [{ids["Description"]: "Bolt", ids["Amount"]: "16.5"}]
    assert desk.send(document, entered={ids["Line Items"]: rows}, then="approve").status_code == 200
    assert desk.view(document).status == "approved"


def test_what_looks_wrong_is_asked_and_whoever_reviews_later_sees_what_was_passed(desk: Desk) -> None:
    inst, bob = desk.api.inst, member(desk.api.inst, "bob")
    create_stage(inst, inst.team_id, desk.parser, {"name": "Release", "reviewer_id": bob})
    desk.doubt_below(1)
    (document,) = desk.read("a")
    ids = desk.ids()
    copy = desk.api.upload(desk.parser, INVOICE + b"\n", name="copy.txt")
    desk.api.process(desk.parser)
    duplicate = "This is a duplicate of an earlier document"
    assert desk.send(copy, then="approve").json()["questions"] == [duplicate]
    stage = desk.view(copy).review.stages[0].id
    answer = desk.browser.submit(f"/documents/{copy}/approve", stage=stage)
    assert (answer.status_code, duplicate in answer.text) == (409, True)
    assert desk.browser.submit(f"/documents/{copy}/approve", stage=stage, despite="yes").status_code == 303

    rows = [{ids["Description"]: "Bolt", ids["Amount"]: "10"}]
    desk.send(document, entered={ids["Line Items"]: rows}, confirmed=[ids["Total"]], stay=True)
    wrong = "The rows sum to 10, but the total reads 16.5"
    assert desk.send(document, then="approve").json()["questions"] == [wrong]
    assert desk.send(document, then="approve", despite=True).status_code == 200
    with Browser(desk.api.address) as other:
        other.enter(inst, bob)
        page = other.get(f"/documents/{document}").text
        assert "taken as right at an earlier stage" in page and wrong in page
        looked = [part.split('"')[0] for part in page.split('class="value ')[1:] if "data-look" in part[:300]]
        assert looked and "passed before" in other.get("/review/batch").text
        total = f'data-id="{document}" data-path="{ids["Total"]}"'
        assert total in other.get("/review/values").text
        seen = page.split('data-seen="')[1].split('"')[0]
        headers = {"X-Form-Token": form_token(other.get("/profile"))}
        body = {"seen": seen, "confirmed": [ids["Total"]], "stay": True}
        told = other.post(f"/documents/{document}/changes", json=body, headers=headers).json()
        assert ids["Total"] not in told["doubts"]
        assert total not in other.get("/review/values").text
        assert desk.view(document).field_metadata["Total"]["editedBy"] == bob


def test_a_confirmation_a_correction_and_an_approval_are_undone_one_after_the_other(desk: Desk) -> None:
    desk.doubt_below(1)
    (document,) = desk.read("a")
    ids = desk.ids()
    first = desk.view(document)
    seen = desk.send(document, confirmed=[ids["Total"]], stay=True).json()["seen"]
    told = desk.send(document, seen=seen, entered={ids["Number"]: "A-1"}, stay=True).json()
    assert "When this document is approved, this is learned" in told["done"]
    confirmed = desk.view(document)
    assert "data-undo" in desk.browser.get(f"/documents/{document}").text
    told = desk.send(document, then="approve", stage=first.review.stages[0].id).json()
    assert told["undo"] == {
        "path": f"/documents/{document}",
        "stage": first.review.stages[0].id,
        "text": "a.txt is approved",
    }
    assert "Undo the approval" in desk.browser.get(f"/documents/{document}").text
    answer = desk.send(document, "undo", stage=told["undo"]["stage"])
    assert answer.json() == {"next": f"/documents/{document}"}
    back = desk.view(document)
    assert (back.status, back.field_metadata) == ("in_review", confirmed.field_metadata)
    for _ in range(2):
        told = desk.send(document, "undo", seen=desk.seen(document)).json()
    assert ids["Total"] in told["doubts"]
    back = desk.view(document)
    assert (back.data, back.field_metadata, back.confidence) == (
        first.data,
        first.field_metadata,
        first.confidence,
    )
    assert [entry.event for entry in back.history][-3:] == ["approval_undone", "undone", "undone"]
    answer = desk.send(document, "undo", seen=desk.seen(document))
    assert (answer.status_code, "nothing that you can undo" in answer.json()["message"]) == (409, True)
    # What somebody else has changed since is not undone.
    desk.send(document, confirmed=[ids["Total"]], stay=True)
    desk.set(document, {"Total": 3})
    assert desk.send(document, "undo", seen=desk.seen(document)).status_code == 409


def test_a_document_that_is_set_aside_leaves_the_queue_until_it_is_taken_up(desk: Desk) -> None:
    first, second, third = desk.read("a", "b", "c")

    def place(document: str) -> str:
        text = desk.browser.get(f"/documents/{document}").text
        return text.split('id="place">')[1].split("<")[0] if 'id="place">' in text else ""

    assert [place(one) for one in (first, second, third)] == ["1 of 3", "2 of 3", "3 of 3"]
    answer = desk.browser.submit(f"/documents/{second}/hold", note="Ask <the> sender")
    assert answer.headers["location"] == f"/documents/{third}"
    assert [place(one) for one in (first, second, third)] == ["1 of 2", "", "2 of 2"]
    review = desk.browser.get("/review").text
    assert "Ask &lt;the&gt; sender" in review and "2 documents wait for you" in review
    assert desk.view(second).review.assignee is not None
    # What follows in the queue comes next, and what was skipped before it at its end.
    assert desk.send(third, then="approve").json()["next"] == f"/documents/{first}"
    assert desk.send(first, then="approve").json()["next"] == f"/documents/{first}"
    desk.browser.submit(f"/documents/{second}/take-up")
    assert place(second) == "1 of 1"
    events = [entry.event for entry in desk.view(second).history]
    assert events[-2:] == ["held", "taken_up"]
    with Browser(desk.api.address) as other:
        other.enter(desk.api.inst, member(desk.api.inst, "bob"))
        assert other.submit(f"/documents/{second}/hold").status_code == 403


def test_who_changed_what_meanwhile_is_told_and_nothing_is_overwritten(desk: Desk) -> None:
    (document,) = desk.read("a")
    ids = desk.ids()
    seen = desk.seen(document)
    desk.send(document, confirmed=[ids["Total"]])
    # Others may confirm what is corrected here.
    desk.send(document, seen=seen, entered={ids["Number"]: "A-1"})
    desk.send(document, entered={ids["Total"]: "17"})
    answer = desk.send(document, seen=seen, entered={ids["Total"]: "18"})
    told = answer.json()
    assert (answer.status_code, told["message"]) == (409, "Ann has changed this document meanwhile")
    changed = {one["name"]: (one["before"], one["after"], one["by"]) for one in told["later"]}
    assert changed == {"Number": ("", "A-1", "Ann"), "Total": ("16.5", "17", "Ann")}
    assert desk.view(document).data["Total"] == 17
    assert desk.send(document, seen=told["seen"], entered={ids["Total"]: "18"}).status_code == 200
    assert desk.view(document).data["Total"] == 18


def test_what_another_process_writes_in_between_is_not_overwritten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (document,) = desk.read("a")
    ids = desk.ids()
    places = saving._places
    writes = iter([{"Total": 17}])

    def write(*args: Any) -> Any:
        for data in writes:
            desk.set(document, data)
        return places(*args)

    monkeypatch.setattr(saving, "_places", write)
    answer = desk.send(document, entered={ids["Total"]: "18"})
    assert answer.status_code == 409
    assert [(one["name"], one["after"]) for one in answer.json()["later"]] == [("Total", "17")]
    assert desk.view(document).data["Total"] == 17


def test_what_is_sent_again_as_its_answer_was_lost_is_no_conflict(desk: Desk) -> None:
    (document,) = desk.read("a")
    ids = desk.ids()
    seen = desk.seen(document)
    rows = [{ids["Description"]: f"Bolt {number}", ids["Amount"]: "10,00"} for number in range(60)]
    entered: dict[str, Any] = {ids["Total"]: "600,00", ids["Line Items"]: rows}
    for _ in range(2):
        assert desk.send(document, seen=seen, entered=entered).status_code == 200
    assert desk.send(document, seen=seen, entered={**entered, ids["Total"]: "601"}).status_code == 409
    bob = member(desk.api.inst, "bob")
    with desk.api.inst.catalog.transaction() as session:
        session.execute(update(AuditEntry).where(AuditEntry.action == "document.corrected").values(actor=bob))
    answer = desk.send(document, seen=seen, entered=entered)
    assert (answer.status_code, answer.json()["message"]) == (409, "Bob has changed this document meanwhile")


def test_an_approval_that_is_sent_again_approves_no_other_stage(desk: Desk) -> None:
    second: Any = {"name": "Second look", "reviewer_id": desk.user}
    create_stage(desk.api.inst, desk.api.inst.team_id, desk.parser, second)
    document, other = desk.read("a", "b")
    ids = desk.ids()
    page = desk.browser.get(f"/documents/{document}").text
    seen, stage = (page.split(f'{name}="')[1].split('"')[0] for name in ("data-seen", "data-stage"))
    approval: dict[str, Any] = {"seen": seen, "stage": stage, "then": "approve", "despite": True}
    for _ in range(2):
        answer = desk.send(document, **approval, entered={ids["Total"]: "17"})
        assert (answer.status_code, answer.json()["next"]) == (200, f"/documents/{other}")
        assert desk.browser.submit(f"/documents/{document}/approve", stage=stage).status_code == 303
    stages = [one.status for one in desk.view(document).review.stages]
    assert stages == ["approved", "in_progress"]
    # What is entered at a stage that is over is kept, and approves nothing.
    assert desk.send(document, **approval, entered={ids["Total"]: "18"}).json()["later"]
    again: dict[str, Any] = {"then": "approve", "despite": True, "entered": {ids["Total"]: "18"}}
    answer = desk.send(document, stage=stage, **again)
    assert answer.status_code == 409
    assert "Your values are saved. This review has gone on" in answer.json()["done"]
    found = desk.view(document)
    assert (found.data["Total"], found.review.stages[1].status) == (18, "in_progress")


def test_the_latest_corrections_are_told_however_many_there_were(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docduck.service.corrections.later_corrections._MOST", 2)
    (document,) = desk.read("a")
    ids = desk.ids()
    seen = desk.seen(document)
    for number in range(3):
        desk.set(document, {"Total": number}, reviewer_id=desk.user)
    told = desk.send(document, seen=seen, entered={ids["Total"]: "99"}).json()
    assert [(one["name"], one["after"]) for one in told["later"]] == [("Total", "2")]


def test_what_is_confirmed_is_learned_at_once_only_if_nobody_decides_on_the_document(desk: Desk) -> None:
    def waiting() -> int:
        with desk.api.inst.catalog.read_session() as session:
            return session.scalar(select(func.count()).select_from(PendingCorrection)) or 0

    (document,) = desk.read("a")
    total = desk.ids()["Total"]
    desk.send(document, confirmed=[total], stay=True)
    assert waiting() == 1
    desk.send(document, then="approve")
    wait_for(lambda: waiting() == 0)
    stages = list_stages(desk.api.inst, desk.api.inst.team_id, desk.parser)
    delete_stage(desk.api.inst, desk.api.inst.team_id, desk.parser, stages[0].id)
    (document,) = desk.read("b")
    desk.send(document, confirmed=[total], stay=True)
    wait_for(lambda: waiting() == 0)
    assert edited(desk.view(document).field_metadata["Total"])

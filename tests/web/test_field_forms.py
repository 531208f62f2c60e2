"""The form of a field: it has every setting, and loses none."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.fields import Field, parse_fields
from docduck.service.parsers.parsers import get_parser, set_fields
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import HOSTILE, form_of

COLUMN = {
    "name": "Kind",
    "type": "choice",
    "description": "What it is:\ngoods or work",
    "instructions": "\nSee the legend",
    "required": True,
    "options": ["Goods", "Work\nor labour"],
    "labels": ["Art"],
    "extract": False,
}
FIELDS: list[dict[str, Any]] = [
    {"name": HOSTILE, **{key: value for key, value in COLUMN.items() if key != "name"}},
    {"name": "Items", "type": "table", "columns": [COLUMN, {"name": "Amount", "type": "currency"}]},
]


@pytest.fixture
def parser_id(lite: Api) -> str:
    made = lite.parser()
    set_fields(lite.inst, lite.inst.team_id, made, parse_fields(FIELDS))
    return made


def fields_of(api: Api, parser_id: str) -> tuple[Field, ...]:
    return get_parser(api.inst, api.inst.team_id, parser_id).fields


def save(browser: Browser, field: Field | None, **typed: Any) -> Any:
    path = "/parsers/invoices/fields" + (f"/{field.id}" if field else "")
    form = form_of(browser.get("/parsers/invoices/fields"), path)
    return browser.post(path, data={**form, "action": "save", **typed})


def test_fields_are_added_moved_and_deleted(lite: Api, ann: Browser) -> None:
    made = lite.parser()
    assert save(ann, None, name="Kind", type="choice", options="A\r\nB").status_code == 303
    number, *_, kind = fields_of(lite, made)
    assert (kind.name, kind.options) == ("Kind", ("A", "B"))
    for field, action, order in (
        (kind, "up", ["Number", "Total", "Kind", "Line Items"]),
        (number, "up", ["Number", "Total", "Kind", "Line Items"]),
        (number, "down", ["Total", "Number", "Kind", "Line Items"]),
        (number, "delete", ["Total", "Kind", "Line Items"]),
    ):
        assert ann.submit(f"/parsers/invoices/fields/{field.id}", action=action).status_code == 303
        assert [one.name for one in fields_of(lite, made)] == order
    assert ann.submit(f"/parsers/invoices/fields/{number.id}", action="up").status_code == 400
    assert ann.submit(f"/parsers/invoices/fields/{kind.id}", action="eat").status_code == 400


def test_the_form_has_every_setting_and_loses_none(lite: Api, ann: Browser, parser_id: str) -> None:
    before = fields_of(lite, parser_id)
    page = ann.get("/parsers/invoices/fields")
    assert HOSTILE not in page.text
    sent = form_of(page, f"/parsers/invoices/fields/{before[1].id}")
    for one in Field.model_fields.keys() - {"id", "position", "columns"}:
        # A box that isn't checked is not sent.
        assert one in sent or one in ("required",), one
        assert f"columns.1.{one}" in sent or one == "extract", one
    for field in before:
        assert save(ann, field).status_code == 303
    assert fields_of(lite, parser_id) == before
    assert save(ann, before[1], description="Lines", **{"columns.2.name": "Sum"}).status_code == 303
    after = fields_of(lite, parser_id)
    assert after[1].description == "Lines"
    assert after[1].columns[0] == before[1].columns[0]
    assert after[1].columns[1] == before[1].columns[1].model_copy(update={"name": "Sum"})


def test_every_setting_can_be_changed(lite: Api, ann: Browser, parser_id: str) -> None:
    plain, table = fields_of(lite, parser_id)
    changes = {
        "name": "Sort",
        "description": "",
        "instructions": "On page 2",
        "options": "A\r\nB",
        "labels": "",
        "required": [],
        "extract": "yes",
    }
    assert save(ann, plain, **changes).status_code == 303
    columns = {f"columns.1.{key}": value for key, value in changes.items()}
    assert save(ann, table, **columns).status_code == 303
    assert save(ann, table, **{"columns.2.name": "", "columns.3.name": "Note"}).status_code == 303
    after = fields_of(lite, parser_id)
    for found in (after[0], after[1].columns[0]):
        assert (found.name, found.description, found.instructions) == ("Sort", None, "On page 2")
        assert (found.options, found.labels, found.required, found.extract) == (("A", "B"), (), False, True)
    assert after[1].columns[0].id == table.columns[0].id
    assert [column.name for column in after[1].columns] == ["Sort", "Note"]


def test_columns_are_moved(lite: Api, ann: Browser) -> None:
    made = lite.parser()
    columns = [{"name": one, "type": "text"} for one in "ABCD"]
    for places, order in (
        ({2: "1"}, "BACD"),
        ({1: "3"}, "BCAD"),
        ({4: "1", 1: "4"}, "DBCA"),
        ({3: "1", 4: "2"}, "CDAB"),
        ({1: "", 2: "x", 3: "-1"}, "ABCD"),
        ({1: "9" * 25, 2: "9" * 5000}, "CDAB"),
    ):
        set_fields(
            *(lite.inst, lite.inst.team_id, made),
            parse_fields([{"name": "Items", "type": "table", "columns": columns}]),
        )
        (before,) = fields_of(lite, made)
        typed = {f"columns.{number}.place": place for number, place in places.items()}
        assert save(ann, before, **typed).status_code == 303
        (after,) = fields_of(lite, made)
        assert "".join(column.name for column in after.columns) == order
        assert {column.id for column in after.columns} == {column.id for column in before.columns}


def test_what_is_wrong_is_told_and_what_was_typed_is_kept(lite: Api, ann: Browser, parser_id: str) -> None:
    plain, table = fields_of(lite, parser_id)
    refused = save(ann, plain, options="", description="Typed before")
    assert refused.status_code == 400
    assert "needs options" in refused.text and "Typed before" in refused.text
    taken = save(ann, plain, name="Items")
    assert taken.status_code == 409 and "Field already exists" in taken.text
    nameless = save(ann, None, name=" ", labels="Kept")
    assert nameless.status_code == 400 and "Kept" in nameless.text
    new = save(ann, table, **{"columns.3.name": HOSTILE, "columns.3.type": "choice"})
    assert new.status_code == 400 and HOSTILE not in new.text
    assert form_of(new, f"/parsers/invoices/fields/{table.id}")["columns.3.name"] == [HOSTILE]
    assert fields_of(lite, parser_id) == (plain, table)


def test_what_was_changed_elsewhere_meanwhile_stays(lite: Api, ann: Browser, parser_id: str) -> None:
    of_parser = (lite.inst, lite.inst.team_id, parser_id)
    (_, table) = fields_of(lite, parser_id)
    kind, amount = table.columns
    net = amount.model_copy(update={"name": "Net", "required": True})
    set_fields(
        *of_parser,
        [table.model_copy(update={"description": "Goods and work", "columns": (net, kind)})],
    )
    path = f"/parsers/invoices/fields/{table.id}"
    form = {**form_of(ann.get("/parsers/invoices/fields"), path), "action": ["save"]}
    set_fields(*of_parser, [table])
    typed = {"columns.2.description": "What it is", "labels": "Positions"}
    assert ann.post(path, data={**form, **typed}).status_code == 303
    (after,) = fields_of(lite, parser_id)
    assert (after.description, after.labels) == (None, ("Positions",))
    assert [(one.name, one.required) for one in after.columns] == [("Kind", True), ("Amount", False)]
    assert after.columns[0].description == "What it is"
    set_fields(*of_parser, [table.model_copy(update={"columns": (kind,)})])
    assert ann.post(path, data={**form, "required": "yes"}).status_code == 303
    (after,) = fields_of(lite, parser_id)
    assert after.required and [column.name for column in after.columns] == ["Kind"]

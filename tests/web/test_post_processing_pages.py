"""The post-processing of a parser: steps of every kind, lookup tables, and the try-out."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from docduck.extraction.post_processing.steps import Transform
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.field_editing import add_field
from docduck.service.parsers.lookup_tables import list_lookup_tables, put_lookup_table
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from tests.server.served import Api
from tests.web.browser import Browser, form_token
from tests.web.pages import HOSTILE, entered, form_of

PATH = "/parsers/invoices/post-processing"
STEPS: list[dict[str, Any]] = [
    {"type": "transform", "field": "Number", "transform": "trim"},
    {
        "type": "transform",
        "field": "Line Items.Description",
        "transform": "regex_replace",
        "pattern": " (\\d+) ",
        "replacement": "",
    },
    {"type": "transform", "field": "Number", "transform": "date_format", "format": "D.M.YY"},
    {
        "type": "transform",
        "field": "Number",
        "transform": "number_format",
        "from": "Total",
        "decimals": 3,
        "decimalSeparator": ",",
        "groupSeparator": " ",
    },
    {"type": "transform", "field": "Total", "transform": "default", "value": 2.5},
    {
        "type": "lookup",
        "table": "vendors",
        "match": [{"field": "Number", "column": "name"}, {"field": "Total", "column": "amount"}],
        "write": [{"field": "Kind", "column": "kind"}],
        "mode": "fuzzy",
        "threshold": 0.9,
        "onMissing": "clear",
    },
]


@pytest.fixture
def ann(lite: Api) -> Iterator[Browser]:
    parser_id = lite.parser()
    add_field(lite.inst, lite.inst.team_id, parser_id, {"name": "Kind", "extract": False})
    put_lookup_table(
        lite.inst, lite.inst.team_id, "invoices", "vendors", b"name,amount,kind\nA-1,12.5,goods\n"
    )
    with entered(lite) as browser:
        yield browser


def steps(api: Api) -> list[dict[str, Any]]:
    return get_post_processing(api.inst, api.inst.team_id, "invoices")


def set_steps(api: Api, given: list[dict[str, Any]]) -> None:
    set_post_processing(api.inst, api.inst.team_id, "invoices", given)


def send(browser: Browser, number: int, action: str = "save", **typed: Any) -> httpx.Response:
    path = f"{PATH}/{number}"
    return browser.post(path, data={**form_of(browser.get(PATH), path), "action": action, **typed})


def form_for(step: dict[str, Any]) -> dict[str, str]:
    """What a person types for a step."""
    typed = {key: str(value) for key, value in step.items() if key not in ("match", "write")}
    for kind in ("match", "write"):
        for number, pair in enumerate(step.get(kind, ()), start=1):
            typed |= {f"{kind}.{number}.{key}": text for key, text in pair.items()}
    return typed


def test_steps_of_every_kind_are_added(lite: Api, ann: Browser) -> None:
    for step in STEPS:
        assert ann.submit(PATH, **form_for(step)).headers["location"] == f"{PATH}?done=saved"
    assert steps(lite) == STEPS
    page = ann.get(PATH).text
    assert all(f'value="{one.value}"' in page for one in Transform)


def test_forms_that_are_sent_as_they_are_change_nothing(lite: Api, ann: Browser) -> None:
    lists: list[dict[str, Any]] = [
        {"type": "transform", "field": "Tags", "transform": "default", "value": ["a", "b"]}
    ]
    add_field(lite.inst, lite.inst.team_id, "invoices", {"name": "Tags", "type": "list"})
    set_steps(lite, STEPS + lists)
    for number in range(1, len(STEPS) + 2):
        assert send(ann, number).status_code == 303
        assert steps(lite) == STEPS + lists
    assert send(ann, 7, value="c; d").status_code == 303
    assert steps(lite)[6]["value"] == ["c", "d"]


def test_steps_are_changed_moved_and_deleted(lite: Api, ann: Browser) -> None:
    set_steps(lite, STEPS)
    one_match = {"match.2.field": "", "match.2.column": ""}
    assert send(ann, 6, threshold="", mode="exact", **one_match).status_code == 303
    changed = steps(lite)[5]
    assert (changed["mode"], changed["match"]) == ("exact", STEPS[5]["match"][:1])
    assert "threshold" not in changed and changed["onMissing"] == "clear"
    assert send(ann, 2, transform="uppercase").status_code == 303
    assert steps(lite)[1] == {
        "type": "transform",
        "field": "Line Items.Description",
        "transform": "uppercase",
    }
    send(ann, 2, "up")
    send(ann, 1, "up")
    send(ann, 2, "down")
    assert [one["transform"] for one in steps(lite)[:3]] == ["uppercase", "date_format", "trim"]
    send(ann, 1, "delete")
    assert [one["transform"] for one in steps(lite)[:2]] == ["date_format", "trim"]


def test_steps_that_were_changed_meanwhile_are_not_overwritten(lite: Api, ann: Browser) -> None:
    set_steps(lite, STEPS)
    form = form_of(ann.get(PATH), f"{PATH}/1")
    set_steps(lite, STEPS[1:])
    refused = ann.post(f"{PATH}/1", data={**form, "action": "delete"})
    assert refused.status_code == 409 and "changed the steps meanwhile" in refused.text
    assert steps(lite) == STEPS[1:]


def test_what_rest_refuses_is_told_and_what_was_typed_is_kept(lite: Api, ann: Browser) -> None:
    set_steps(lite, STEPS)
    for number, typed, message in (
        (2, {"pattern": "("}, "regular expression"),
        (4, {"decimals": "many"}, "decimals must be a whole number"),
        (5, {"field": HOSTILE}, "Unknown field"),
        (6, {"match.1.field": ""}, "field must be text"),
    ):
        refused = send(ann, number, **typed)
        assert refused.status_code == 400 and message in html.unescape(refused.text)
        assert HOSTILE not in refused.text
        again = form_of(refused, f"{PATH}/{number}")
        assert {key: again[key] for key in typed} == {key: [value] for key, value in typed.items()}
    added = ann.submit(PATH, **{**form_for(STEPS[1]), "pattern": "("})
    assert added.status_code == 400 and "regular expression" in html.unescape(added.text)
    assert steps(lite) == STEPS


def test_lookup_tables_are_stored_replaced_and_deleted(lite: Api, ann: Browser) -> None:
    def store(name: str, *data: bytes) -> httpx.Response:
        files = [("file", ("t.csv", one)) for one in data]
        fields = {"form_token": form_token(ann.get(PATH)), "name": name}
        return ann.post(f"{PATH}/lookup-tables", data=fields, files=files)

    def names() -> list[str]:
        return [one.name for one in list_lookup_tables(lite.inst, lite.inst.team_id, "invoices")]

    assert store("cities", f"{HOSTILE},b\n1,2\n".encode()).status_code == 303
    assert names() == ["cities", "vendors"]
    assert HOSTILE not in ann.get(PATH).text
    for name, data, message in (
        ("a b", [b"x\n1\n"], "The name of a lookup table must have"),
        ("cities", [b"a\n1\n"] * 2, "Choose exactly one file"),
        ("cities", [b"a,a\n1,2\n"], "twice"),
    ):
        refused = store(name, *data)
        assert refused.status_code == 400 and message in html.unescape(refused.text)
    set_steps(lite, STEPS)
    used = ann.submit(f"{PATH}/lookup-tables/vendors/delete")
    assert used.status_code == 409 and "is used by" in used.text
    assert ann.submit(f"{PATH}/lookup-tables/cities/delete").status_code == 303
    assert names() == ["vendors"]


def test_the_try_out_shows_values_before_and_after(lite: Api, ann: Browser) -> None:
    set_steps(
        lite,
        [
            {"type": "transform", "field": "Number", "transform": "lowercase"},
            {**STEPS[5], "match": STEPS[5]["match"][:1]},
            {"type": "transform", "field": "Kind", "transform": "date_format", "format": "DD"},
        ],
    )
    parser_id = lite.get("/parsers").json()["data"][0]["id"]
    document = lite.upload(parser_id, name=f"{HOSTILE}.txt")
    assert "Try the steps" not in ann.get(PATH).text
    lite.process(parser_id)
    before = get_document(lite.inst, lite.inst.team_id, document)
    tried = ann.submit(f"{PATH}/try", document=document)
    assert tried.status_code == 200 and HOSTILE not in tried.text
    assert "<td>Number</td><td>A-1</td><td><strong>a-1</strong></td>" in tried.text
    assert "<td>Kind</td><td></td><td><strong>goods</strong></td>" in tried.text
    assert "goods&#39; is not a date" in tried.text
    assert get_document(lite.inst, lite.inst.team_id, document) == before
    other = lite.parser("Others")
    stranger = lite.upload(other)
    assert "mismatch" in ann.submit(f"{PATH}/try", document=stranger).text

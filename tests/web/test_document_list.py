"""The list of documents by its addresses: columns, order, filters, views, actions on all, downloads."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest

from docduck.service.accounts.accounts import create_team
from docduck.service.documents.bin.contents import list_binned
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import get_parser
from tests.server.served import Api
from tests.service.core.documents import add, make_parser
from tests.web.browser import Browser, form_token, member
from tests.web.pages import HOSTILE, entered, form_of

SHOWN = ">100</td>"
Filled = tuple[str, dict[str, str]]
"""The parser of three invoices, and its fields by name."""


@pytest.fixture
def filled(lite: Api) -> Filled:
    """Three invoices and an order that were read."""
    parser_id, other = lite.parser(), lite.parser("Orders")
    for name, number, total in (("b", "A-1", "9.50"), ("a", "A-2", "100.00"), ("c", "B-1", "20.00")):
        lite.upload(parser_id, f"Number: {number}\nTotal: {total}\n".encode(), name=f"{name}.txt")
    lite.upload(other, b"Number: Z-9\nTotal: 1.00\n", name="order.txt")
    lite.process(parser_id, other)
    fields = {
        field.name: str(field.id) for field in get_parser(lite.inst, lite.inst.team_id, parser_id).fields
    }
    return parser_id, fields


def listed(browser: Browser, **query: Any) -> list[str]:
    page = browser.get("/documents", params=query)
    assert page.status_code == 200, page.text
    return [
        name.removesuffix(".txt")
        for name in re.findall(r'<a href="/documents/[0-9a-f-]+">([^<]+)</a>', page.text)
    ]


def test_lists_are_sorted_and_filtered(filled: Filled, ann: Browser) -> None:
    parser, fields = filled
    total, number = fields["Total"], fields["Number"]
    assert listed(ann) == ["order", "c", "a", "b"]
    assert listed(ann, sort="name.asc") == ["a", "b", "c", "order"]
    assert listed(ann, sort="createdAt.asc") == ["b", "a", "c", "order"]
    assert listed(ann, parser=parser, sort=f"field:{total}.desc") == ["a", "c", "b"]
    assert listed(ann, parser=parser, sort="name.desc") == ["c", "b", "a"]
    for sort in ("status.asc", "confidence.asc", "pageCount.desc"):
        assert sorted(listed(ann, sort=sort)) == ["a", "b", "c", "order"]
        assert sorted(listed(ann, parser=parser, sort=sort)) == ["a", "b", "c"]
    assert listed(ann, q="z-9") == ["order"], "a value, with no parser chosen"
    assert listed(ann, q="a-") == ["a", "b"] and listed(ann, q="a- 100") == ["a"]
    assert listed(ann, status="failed") == [] and len(listed(ann, status="processed")) == 4
    for query, expected in (
        ({"field": number, "operator": "starts_with", "value": "a-"}, ["a", "b"]),
        ({"field": total, "operator": "greater_than_or_equal", "value": "20"}, ["c", "a"]),
        (
            {"field": [total, number], "operator": ["less_than_or_equal"] * 2, "value": ["20", "A-9"]},
            ["b"],
        ),
        ({"field": total, "operator": "not_exists", "value": ""}, []),
        ({"from": "2020-01-01", "to": "2020-12-31"}, []),
        ({"from": "2020-01-01"}, ["c", "a", "b"]),
        ({"confidence": "1"}, []),
        ({"confidence": "100"}, ["c", "a", "b"]),
        ({"duplicates": "yes"}, []),
    ):
        assert listed(ann, parser=parser, **query) == expected, query
    for wrong in ({"from": "yesterday"}, {"confidence": "much"}, {"page": "0"}, {"sort": "size"}):
        assert ann.get("/documents", params=wrong).status_code == 400, wrong


def test_columns_are_in_the_address_and_remembered(filled: Filled, ann: Browser) -> None:
    parser, fields = filled
    assert SHOWN not in ann.get("/documents", params={"parser": parser}).text
    shown = ann.get("/documents", params={"parser": parser, "column": [fields["Total"], "unknown"]}).text
    assert SHOWN in shown and f"sort=field%3A{fields['Total']}.asc" in shown
    assert SHOWN in ann.get("/documents", params={"parser": parser}).text
    assert SHOWN not in ann.get("/documents", params={"parser": "orders"}).text
    # The form of the list sends no columns of a parser that was only just chosen.
    other = {"parser": parser, "of": "another", "column": ""}
    assert SHOWN in ann.get("/documents", params=other).text
    assert SHOWN not in ann.get("/documents", params={"parser": parser, "column": ""}).text
    assert SHOWN not in ann.get("/documents", params={"parser": parser}).text


def test_views_are_saved_for_oneself_or_the_team(lite: Api, filled: Filled) -> None:
    parser, fields = filled
    with entered(lite) as bob, entered(lite, "admin") as of_ann:
        path = f"/documents?parser={parser}&sort=name.desc&column={fields['Total']}"
        form = form_of(bob.get(path), "/documents/views")
        for name, team in ((HOSTILE, []), ("Ours", ["yes"])):
            sent = bob.post("/documents/views", data=form | {"name": [name], "for_team": team})
            assert sent.status_code == 303
        mine, theirs = bob.get("/documents").text, of_ann.get("/documents").text
        assert "&lt;script&gt;" in mine and "<script>alert" not in mine and "alert(1)" not in theirs
        saved = re.search(r'<a href="([^"]+)">Ours</a>', theirs)
        assert saved is not None
        shown = of_ann.get(saved[1].replace("&amp;", "&"))
        assert re.findall(r">(\w)\.txt</a>", shown.text) == ["c", "b", "a"] and SHOWN in shown.text
        deleting = re.findall(r"/documents/views/[0-9a-f-]+/delete", mine)
        assert len(deleting) == 2
        data = {"form_token": form_token(of_ann.get("/documents"))}
        assert sorted(of_ann.post(path, data=data).status_code for path in deleting) == [303, 404]


def test_everything_in_a_list_is_chosen_and_acted_on_in_parts(
    lite: Api, filled: Filled, ann: Browser
) -> None:
    parser, _ = filled
    token = {"x-form-token": form_token(ann.get("/documents"))}
    of_parser = ann.get("/documents/selection", params={"parser": parser}).json()
    everything = ann.get("/documents/selection", params={"q": "txt"}).json()
    assert (len(of_parser["ids"]), len(everything["ids"])) == (3, 4)
    assert (everything["approved"], everything["corrected"]) == (0, 0)
    action = {"action": "delete", "documents": of_parser["ids"][:2], "batch": ""}
    batch = ann.post("/documents/actions", json=action, headers=token).json()["batch"]
    rest = action | {"documents": of_parser["ids"][2:], "batch": batch}
    assert ann.post("/documents/actions", json=rest, headers=token).json() == {"batch": batch}
    assert list_binned(lite.inst, lite.inst.team_id).total == 3
    page = ann.get("/documents", params={"deleted": batch})
    assert "3 documents deleted" in page.text
    ann.post("/bin/undo", data=form_of(page, "/bin/undo"))
    again = {"action": "read-again", "documents": everything["ids"]}
    assert ann.post("/documents/actions", json=again, headers=token).status_code == 200
    assert {row.status for row in list_documents(lite.inst, lite.inst.team_id).rows} == {"queued"}
    refused = ann.post("/documents/actions", json=again, headers=token)
    assert refused.status_code == 409 and "already" in refused.json()["message"]
    many = {"documents": ["x"] * 501}
    for wrong in ({}, again | {"action": "eat"}, again | {"documents": []}, again | many):
        assert ann.post("/documents/actions", json=wrong, headers=token).status_code == 400


@pytest.mark.usefixtures("filled")
def test_documents_of_several_parsers_are_assigned_together(lite: Api, ann: Browser) -> None:
    bob = member(lite.inst, "bob")
    ids = [row.id for row in list_documents(lite.inst, lite.inst.team_id).rows]
    form = form_of(ann.get("/documents"), "/documents")
    sent = form | {"action": ["assign"], "document": ids, "assignee": [bob]}
    assert ann.post("/documents", data=sent).status_code == 303
    assert len(listed(ann, assignee=bob)) == 4 and listed(ann, assignee=ids[0]) == []


def test_originals_are_downloaded_as_an_archive(lite: Api, ann: Browser) -> None:
    parser = lite.parser()
    contents = {"a.txt": b"one", "../../b.txt": b"two", "A.txt": b"three"}
    ids = [lite.upload(parser, content, name=name) for name, content in contents.items()]
    strangers = create_team(lite.inst, "Strangers").id
    (foreign,) = add(lite.inst, make_parser(lite.inst, "Theirs", strangers))
    form = form_of(ann.get("/documents"), "/documents")
    answer = ann.post("/documents/originals", data=form | {"document": ids})
    assert answer.headers["content-type"] == "application/zip"
    assert 'attachment; filename="documents.zip"' in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a.txt": b"one",
            "b.txt": b"two",
            "A (2).txt": b"three",
        }
    assert ann.post("/documents/originals", data=form).status_code == 400
    for unknown in (foreign, "x"):
        some = form | {"document": [*ids, unknown]}
        assert ann.post("/documents/originals", data=some).status_code == 404
    many = form | {"document": ["x"] * 1001}
    assert ann.post("/documents/originals", data=many).status_code == 400


def test_thumbnails_are_shown(lite: Api, ann: Browser) -> None:
    path = f"/documents/{lite.upload(lite.parser())}/thumbnail"
    assert path not in ann.get("/documents").text
    assert path in ann.get("/documents", params={"thumbnails": "yes"}).text
    assert ann.get(path).headers["content-type"] in ("image/jpeg", "image/svg+xml")
    assert ann.get("/documents/nonsense/thumbnail").status_code == 404

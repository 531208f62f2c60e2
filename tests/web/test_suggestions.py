"""The page of suggestions: fields and tables of a sample, accepted one by one."""

from __future__ import annotations

import re
from io import BytesIO

import httpx
import pytest
from reportlab.pdfgen.canvas import Canvas

from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import HOSTILE, entered, form_of

SAMPLE = b"Invoice Number: A-17\nInvoice Date: 2024-03-05\nFavourite Colour: Blue\nTotal: 119.00 EUR\n"


GOODS = (
    ("Description", "Quantity", "Amount"),
    ("Bolt", "4", "10.00"),
    ("Nut", "1", "2.50"),
    ("Washer", "2", "4.00"),
)


def bill() -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    canvas.drawString(60, 780, "Invoice Number: A-17")
    for line, cells in enumerate(GOODS):
        for left, cell in zip((60, 250, 350), cells, strict=True):
            canvas.drawString(left, 700 - 20 * line, cell)
    canvas.save()
    return buffer.getvalue()


def empty_parser(api: Api, name: str = "Bills") -> str:
    return create_parser(api.inst, api.inst.team_id, NewParser(name)).id


def now(api: Api, parser_id: str) -> ParserView:
    return get_parser(api.inst, api.inst.team_id, parser_id)


def at(form: dict[str, list[str]], printed: str) -> str:
    """The prefix of the names of a suggestion."""
    return next(name for name, given in form.items() if given == [printed]).removesuffix("printed")


def shown(browser: Browser, slug: str, document: str) -> tuple[httpx.Response, dict[str, list[str]]]:
    page = browser.get(f"/parsers/{slug}/suggestions", params={"document": document})
    assert page.status_code == 200, page.text
    return page, form_of(page, f"/parsers/{slug}/suggestions")


def test_each_suggestion_is_accepted_renamed_or_declined(lite: Api) -> None:
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, SAMPLE)
    with entered(lite) as browser:
        page, form = shown(browser, "bills", document)
        assert "Blue" in page.text and re.search(r'data-places="1:0\.\d+,', page.text)
        form[f"{at(form, 'Favourite Colour')}name"] = ["Tint"]
        form[f"{at(form, 'Total')}type"] = ["number"]
        form.pop(f"{at(form, 'Invoice Date')}take")
        sent = browser.post("/parsers/bills/suggestions", data=form)
        assert (sent.status_code, sent.headers["location"]) == (303, "/parsers/bills/fields")
        again, form = shown(browser, "bills", document)
        assert "Invoice Date" in again.text and "Favourite Colour" in again.text
    fields = {field.name: field for field in now(lite, parser_id).fields}
    assert set(fields) == {"Invoice Number", "Tint", "Total"}
    assert fields["Total"].type == "number"
    assert fields["Tint"].labels == ("Favourite Colour",)
    lite.process(parser_id)
    data = get_document(lite.inst, lite.inst.team_id, document).data
    assert data == {"Invoice Number": "A-17", "Tint": "Blue", "Total": 119.0}


def test_columns_of_a_table_are_accepted_one_by_one(lite: Api) -> None:
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, bill(), name="a.pdf")
    with entered(lite) as browser:
        page, form = shown(browser, "bills", document)
        table = next(
            name.removesuffix("columns.1.printed") for name in form if name.endswith("columns.1.printed")
        )
        assert "3 rows" in page.text and "Bolt" in page.text
        form[f"{table}name"] = ["Goods"]
        for name in [name for name in form if re.fullmatch(r"fields\.\d+\.take", name)]:
            if name != f"{table}take":
                del form[name]
        taken = {name: form.pop(name) for name in list(form) if ".columns." in name and name.endswith("take")}
        refused = browser.post("/parsers/bills/suggestions", data=form)
        assert refused.status_code == 400
        assert "&#39;Goods&#39; needs at least one column" in refused.text
        assert form_of(refused, "/parsers/bills/suggestions") == form
        for name in taken:
            if form[name.replace("take", "printed")] != ["Quantity"]:
                form[name] = ["yes"]
        assert browser.post("/parsers/bills/suggestions", data=form).status_code == 303
    (field,) = now(lite, parser_id).fields
    assert (field.name, [one.name for one in field.columns]) == ("Goods", ["Description", "Amount"])
    lite.process(parser_id)
    rows = get_document(lite.inst, lite.inst.team_id, document).data["Goods"]
    assert [(row["Description"], row["Amount"]) for row in rows] == [
        ("Bolt", 10),
        ("Nut", 2.5),
        ("Washer", 4),
    ]


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        ({"name": ["total"]}, 409, "Total: Field already exists"),
        ({"name": [""]}, 400, "needs a name"),
        ({"type": ["table"]}, 400, "needs one of the types text,"),
        ({"type": ["wibble"]}, 400, "needs one of the types text,"),
        ({"name": ["x" * 256]}, 400, "name"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_added(
    lite: Api, change: dict[str, list[str]], status: int, told: str
) -> None:
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, SAMPLE)
    with entered(lite) as browser:
        _, form = shown(browser, "bills", document)
        prefix = at(form, "Invoice Number")
        form |= {prefix + key: given for key, given in change.items()}
        refused = browser.post("/parsers/bills/suggestions", data=form)
        assert refused.status_code == status and told in refused.text
    assert now(lite, parser_id).fields == ()


def test_names_are_shown_as_text(lite: Api) -> None:
    parser_id = empty_parser(lite, HOSTILE)
    slug = now(lite, parser_id).slug
    document = lite.upload(parser_id, f"{HOSTILE}: 1\nNote: {HOSTILE}\n".encode(), name=f"{HOSTILE}.txt")
    with entered(lite) as browser:
        page = browser.get(f"/parsers/{slug}/suggestions", params={"document": document})
        assert page.status_code == 200
        assert "<script>alert" not in page.text and "<img src=x" not in page.text


def test_documents_of_others_give_no_suggestions(lite: Api) -> None:
    empty_parser(lite)
    other = lite.upload(lite.parser(), SAMPLE)
    with entered(lite) as browser:
        found = browser.get("/parsers/bills/suggestions", params={"document": other})
        assert found.status_code == 400 and "Parser ID mismatch" in found.text

"""The page of suggestions: fields and tables of a sample, accepted one by one."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from reportlab.pdfgen.canvas import Canvas

from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.browsing import make_user, signed_in
from tests.web.pages import form_of
from tests.web.test_document_page import invoice

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


def test_each_suggestion_is_accepted_renamed_or_declined(lite: Api, ann: Browser) -> None:
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, SAMPLE)
    page, form = shown(ann, "bills", document)
    assert "Blue" in page.text and re.search(r'data-places="1:0\.\d+,', page.text)
    form[f"{at(form, 'Favourite Colour')}name"] = ["Tint"]
    form[f"{at(form, 'Total')}type"] = ["number"]
    form.pop(f"{at(form, 'Invoice Date')}take")
    sent = ann.post("/parsers/bills/suggestions", data=form)
    assert (sent.status_code, sent.headers["location"]) == (303, "/parsers/bills/fields")
    again, form = shown(ann, "bills", document)
    assert "Invoice Date" in again.text and "Favourite Colour" in again.text
    fields = {field.name: field for field in now(lite, parser_id).fields}
    assert set(fields) == {"Invoice Number", "Tint", "Total"}
    assert fields["Total"].type == "number"
    assert fields["Tint"].labels == ("Favourite Colour",)
    lite.process(parser_id)
    data = get_document(lite.inst, lite.inst.team_id, document).data
    assert data == {"Invoice Number": "A-17", "Tint": "Blue", "Total": 119.0}


def test_columns_of_a_table_are_accepted_one_by_one(lite: Api, ann: Browser) -> None:
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, bill(), name="a.pdf")
    page, form = shown(ann, "bills", document)
    table = next(
        name.removesuffix("columns.1.printed") for name in form if name.endswith("columns.1.printed")
    )
    assert "3 rows" in page.text and "Bolt" in page.text
    form[f"{table}name"] = ["Goods"]
    for name in [name for name in form if re.fullmatch(r"fields\.\d+\.take", name)]:
        if name != f"{table}take":
            del form[name]
    taken = {name: form.pop(name) for name in list(form) if ".columns." in name and name.endswith("take")}
    refused = ann.post("/parsers/bills/suggestions", data=form)
    assert refused.status_code == 400
    assert "&#39;Goods&#39; needs at least one column" in refused.text
    assert form_of(refused, "/parsers/bills/suggestions") == form
    for name in taken:
        if form[name.replace("take", "printed")] != ["Quantity"]:
            form[name] = ["yes"]
    assert ann.post("/parsers/bills/suggestions", data=form).status_code == 303
    (field,) = now(lite, parser_id).fields
    assert (field.name, [one.name for one in field.columns]) == ("Goods", ["Description", "Amount"])
    lite.process(parser_id)
    rows = get_document(lite.inst, lite.inst.team_id, document).data["Goods"]
    assert [(row["Description"], row["Amount"]) for row in rows] == [
        ("Bolt", 10),
        ("Nut", 2.5),
        ("Washer", 4),
    ]


def test_what_is_wrong_is_told_and_nothing_is_added(lite: Api, ann: Browser) -> None:
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, SAMPLE)
    _, form = shown(ann, "bills", document)
    prefix = at(form, "Invoice Number")
    for key, given, status, told in (
        ("name", "total", 409, "Total: Field already exists"),
        ("name", "", 400, "needs a name"),
        ("name", "x" * 256, 400, "name"),
        ("type", "table", 400, "needs one of the types text,"),
    ):
        refused = ann.post("/parsers/bills/suggestions", data=form | {prefix + key: [given]})
        assert refused.status_code == status and told in refused.text, given
    assert now(lite, parser_id).fields == ()


@pytest.mark.slow
@pytest.mark.browser
def test_a_parser_is_made_from_a_sample(lite: Api, tmp_path: Path) -> None:
    make_user(lite.inst)
    sample = tmp_path / "sample.pdf"
    sample.write_bytes(invoice())
    with signed_in(lite, "/parsers") as (page, complaints):
        page.get_by_role("link", name="New parser").click()
        page.get_by_label("Name").fill("Acme bills")
        page.get_by_label("Samples").set_input_files(sample)
        page.get_by_role("button", name="Create").click()
        page.get_by_role("heading", name="Found on the sample").wait_for()
        page.locator("#boxes button[title='Total']").click()
        assert (
            page.evaluate("document.activeElement.closest('li').querySelector('strong').innerText") == "Total"
        )
        page.keyboard.press("Space")
        page.locator("#boxes button.declined[title='Total']").wait_for()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Add the chosen fields").click()
        page.get_by_role("heading", name="Acme bills").wait_for()
        assert complaints == []
    parser = get_parser(lite.inst, lite.inst.team_id, "acme_bills")
    assert "Total" in {field.name for field in parser.fields}
    lite.process(parser.id)
    (row,) = list_documents(lite.inst, lite.inst.team_id, parser.id).rows
    assert get_document(lite.inst, lite.inst.team_id, row.id).data["Total"] == 16.5

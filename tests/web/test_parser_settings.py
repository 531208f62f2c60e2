"""The settings of a parser: every one has its control, and only what is changed is sent."""

from __future__ import annotations

import html
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import (
    ParserChanges,
    ParserView,
    get_parser,
    list_parsers,
    update_parser,
)
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.uploads.upload_pages import (
    PageOwner,
    UploadPageView,
    delete_upload_page,
    get_upload_page,
    put_upload_page,
)
from docduck.web.parser_settings.controls import FORM
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import HOSTILE, form_of

pytestmark = pytest.mark.usefixtures("invoices")

MODELS = """
local: {base_url: "http://localhost:1/v1", model: small, vision: true}
hosted: {base_url: "https://models.example.org/v1", model: large, input_price: 0.25, output_price: 2}
"""
PATH = "/parsers/invoices/settings"
EVERYTHING = {
    "acceptedFileTypes": ["application/pdf", "application/x-own"],
    "confidenceScores": {"enabled": False},
    "markdownParsing": {"enabled": True},
    "advancedTableExtraction": "enabled",
    "dataExtractionMode": "fast",
    "modelUse": "always",
    "model": "hosted",
    "splitDocuments": {
        "enabled": True,
        "mode": "partitionKey",
        "everyXPages": 3,
        "pageRanges": "1-2,3-",
        "instructions": "\nline 1\nline 2",
        "partitionKey": "Line Items.Amount",
        "partitionKeySource": "parserField",
    },
    "classificationGate": {
        "enabled": True,
        "mode": "block",
        "labels": ["Letter", "Advertising"],
        "instructions": "Letter: has a greeting",
        "costPerDocument": 0.25,
    },
    "emailParsing": {
        "parseEmailBody": False,
        "mergeEmailAttachments": True,
        "includeEmailSubjectBody": False,
        "attachmentFileTypes": ["application/pdf", ".png"],
        "senderFilter": {
            "mode": "allow",
            "rules": [{"type": "email", "value": "ann@example.org"}, {"type": "domain", "value": "acme.com"}],
        },
    },
    "parsePages": "1-3,last",
    "readingLocale": {
        "decimalSeparator": ",",
        "dateOrder": "month_first",
        "language": "de",
        "timeZone": "Europe/Berlin",
    },
    "documentNameTemplate": "Invoice {Number}",
    "duplicateKeys": ["Number", "Total"],
    "unsureBelow": 0.75,
    "retentionDays": 30,
}


@pytest.fixture(autouse=True)
def _models(lite: Api) -> None:
    lite.inst.settings.models_file.write_text(MODELS)


def parser_of(api: Api, ref: str = "invoices") -> ParserView:
    return get_parser(api.inst, api.inst.team_id, ref)


def settings_of(api: Api) -> dict[str, Any]:
    return read_settings(parser_of(api).settings).model_dump(mode="json", by_alias=True)


def change(api: Api, **changes: Any) -> None:
    update_parser(api.inst, api.inst.team_id, "invoices", ParserChanges(**changes))


def save(browser: Browser, **typed: Any) -> httpx.Response:
    return browser.post(PATH, data={**form_of(browser.get(PATH), PATH), **typed})


def leaves(kind: type[BaseModel], prefix: str = "") -> set[str]:
    found: set[str] = set()
    for field in kind.model_fields.values():
        path = f"{prefix}{field.alias}"
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            found |= leaves(inner, f"{path}.")
        else:
            found.add(path)
    return found


def test_every_setting_has_its_control_with_an_explanation(ann: Browser) -> None:
    assert {one.path for one in FORM.controls} == {"name", "description", "isActive", *leaves(ParserSettings)}
    text = html.unescape(ann.get(PATH).text)
    for one in FORM.controls:
        assert one.label in text and one.note in text
        # Choices that name what they do need no further words.
        assert one.note or one.choices


def test_a_form_that_is_sent_as_it_is_changes_nothing(lite: Api, ann: Browser) -> None:
    before = parser_of(lite)
    assert save(ann).status_code == 303
    assert parser_of(lite) == before
    change(lite, description="Line 1\nLine 2", is_active=False, settings=EVERYTHING)
    before = parser_of(lite)
    assert save(ann).status_code == 303
    assert parser_of(lite) == before


def test_the_models_to_choose_from_tell_prices_places_and_pictures(lite: Api, ann: Browser) -> None:
    change(lite, settings={"model": "hosted"})
    shown = [
        '<option value="">the default: none is set up</option>',
        '<option value="local">local: small, on this machine, takes pictures</option>',
        '<option value="hosted" selected>hosted: large, 0.25 and 2, documents leave this machine</option>',
    ]
    assert "\n".join(shown) in ann.get(PATH).text
    lite.inst.settings.models_file.unlink()
    text = ann.get(PATH).text
    assert '<option value="hosted" selected>hosted: no longer set up</option>' in text
    assert "local: small" not in text
    assert save(ann, description="Other").status_code == 303, "what is gone stays chosen"
    answer = save(ann, model="local")
    assert answer.status_code == 400
    assert "there is no language model &#39;local&#39;; none is configured" in answer.text


def test_the_default_model_can_be_chosen_by_its_name(lite: Api, ann: Browser) -> None:
    lite.inst.settings.models_file.write_text(f"{MODELS}default: {{preset: ollama, model: usual}}")
    assert '<option value="default"' not in ann.get(PATH).text, "it is the first choice already"
    change(lite, settings={"model": "default"})
    text = ann.get(PATH).text
    assert '<option value="">the default: usual, on this machine</option>' in text
    assert '<option value="default" selected>default: usual, on this machine</option>' in text
    before = parser_of(lite)
    assert save(ann).status_code == 303
    assert parser_of(lite) == before
    lite.inst.settings.models_file.write_text(MODELS)
    assert '<option value="default" selected>default: no longer set up</option>' in ann.get(PATH).text


def test_every_setting_can_be_changed(lite: Api, ann: Browser) -> None:
    ids = {field.name: str(field.id) for field in parser_of(lite).fields}
    typed = {
        "acceptedFileTypes": ["application/pdf"],
        "confidenceScores.enabled": [],
        "markdownParsing.enabled": "yes",
        "advancedTableExtraction": "enabled",
        "dataExtractionMode": "fast",
        "modelUse": "always",
        "model": "hosted",
        "splitDocuments.enabled": "yes",
        "splitDocuments.mode": "partitionKey",
        "splitDocuments.everyXPages": "3",
        "splitDocuments.pageRanges": "1-2,3-",
        "splitDocuments.instructions": "\r\nline 1\r\nline 2",
        "splitDocuments.partitionKey": "Line Items.Amount",
        "classificationGate.enabled": "yes",
        "classificationGate.mode": "block",
        "classificationGate.labels": "Letter\r\n\r\n Advertising \r\n",
        "classificationGate.instructions": "Letter: has a greeting",
        "classificationGate.costPerDocument": "0.25",
        "emailParsing.parseEmailBody": "no",
        "emailParsing.mergeEmailAttachments": "yes",
        "emailParsing.includeEmailSubjectBody": [],
        "emailParsing.attachmentFileTypes": "application/pdf\r\n.png",
        "emailParsing.senderFilter.mode": "allow",
        "emailParsing.senderFilter.rules": "ann@example.org\r\nacme.com",
        "parsePages": "1-3,last",
        "readingLocale.decimalSeparator": ",",
        "readingLocale.dateOrder": "month_first",
        "readingLocale.language": "de",
        "readingLocale.timeZone": "Europe/Berlin",
        "documentNameTemplate": "Invoice {Number}",
        "duplicateKeys": [ids["Number"], ids["Total"]],
        "unsureBelow": "0.75",
        "retentionDays": "30",
        "name": "Bills",
        "description": "All bills",
        "isActive": [],
    }
    assert save(ann, **typed).headers["location"] == f"{PATH}?done=saved"
    expected = {
        **EVERYTHING,
        "acceptedFileTypes": ["application/pdf"],
        "duplicateKeys": [ids["Number"], ids["Total"]],
    }
    assert settings_of(lite) == expected
    parser = parser_of(lite)
    assert (parser.name, parser.description, parser.is_active) == ("Bills", "All bills", False)
    emptied = (
        *("splitDocuments.pageRanges", "splitDocuments.everyXPages", "retentionDays"),
        *("documentNameTemplate", "classificationGate.costPerDocument"),
    )
    assert save(ann, **dict.fromkeys(emptied, "")).status_code == 303
    found = settings_of(lite)
    assert found["splitDocuments"]["everyXPages"] is found["splitDocuments"]["pageRanges"] is None
    assert found["retentionDays"] is found["documentNameTemplate"] is None
    assert found["classificationGate"]["costPerDocument"] == 0


def test_what_was_changed_elsewhere_meanwhile_stays(lite: Api, ann: Browser) -> None:
    form = form_of(ann.get(PATH), PATH)
    change(lite, name="Bills", settings=EVERYTHING)
    expected = settings_of(lite)
    assert ann.post(PATH, data={**form, "parsePages": "2"}).status_code == 303
    assert settings_of(lite) == {**expected, "parsePages": "2"}
    assert parser_of(lite).name == "Bills"


def test_what_rest_refuses_is_told_and_what_was_typed_is_kept(lite: Api, ann: Browser) -> None:
    before = parser_of(lite)
    labels = "classificationGate.labels"
    for path, value, message in (
        ("splitDocuments.enabled", "yes", "needs it"),
        ("name", " ", "name: must not be blank"),
        ("retentionDays", "soon", "retentionDays: must be an integer"),
        ("classificationGate.costPerDocument", "nan", "costPerDocument"),
        ("readingLocale.timeZone", "Mars", "is no time zone"),
    ):
        refused = save(ann, **{path: value, labels: HOSTILE})
        assert refused.status_code == 400 and message in html.unescape(refused.text), path
        assert HOSTILE not in refused.text
        again = form_of(refused, PATH)
        assert again[path] == [value] and again[labels] == [HOSTILE]
    assert 'aria-invalid="true"' in refused.text
    nul = save(ann, description="\0")
    assert nul.status_code == 400 and "NUL" in nul.text
    assert parser_of(lite) == before
    assert ann.post(PATH, data={**again, "readingLocale.timeZone": "Europe/Berlin"}).status_code == 303


def test_a_form_without_what_it_showed_is_refused(ann: Browser) -> None:
    form = form_of(ann.get(PATH), PATH)
    for shown in ("", "[]", "{"):
        assert ann.post(PATH, data={**form, "shown": shown}).status_code == 400
    assert ann.get("/parsers/a%00b/settings").status_code == 400
    assert ann.get(f"{PATH}?done=%00").status_code == 400


def test_the_upload_page_is_made_changed_renewed_and_deleted(lite: Api, ann: Browser) -> None:
    path = f"{PATH}/upload-page"

    def send(action: str, **typed: Any) -> httpx.Response:
        return ann.post(path, data={**form_of(ann.get(PATH), path), "action": action, **typed})

    def page() -> UploadPageView:
        return get_upload_page(lite.inst, lite.inst.team_id, PageOwner("parser", "invoices"))

    sites = "https://www.example.org\r\nhttps://shop.example.org"
    made = send("save", **{"page.title": HOSTILE, "page.message": "a\r\nb", "page.embedOrigins": sites})
    assert made.status_code == 303
    first = page()
    assert (first.title, first.message) == (HOSTILE, "a\nb")
    assert first.embed_origins == ["https://www.example.org", "https://shop.example.org"]
    shown = ann.get(PATH)
    assert first.path in shown.text and HOSTILE not in shown.text
    wrong = send("save", **{"page.filesPerHour": "many", "page.title": "Typed"})
    assert wrong.status_code == 400 and "filesPerHour: must be an integer" in wrong.text
    assert form_of(wrong, path)["page.title"] == ["Typed"]
    assert send("save", **{"page.isActive": [], "page.filesPerHour": "5"}).status_code == 303
    second = page()
    assert (second.is_active, second.files_per_hour) == (False, 5)
    assert (second.title, second.path) == (HOSTILE, first.path)
    send("renew")
    assert page().path != first.path
    send("delete")
    assert "Create the upload page" in ann.get(PATH).text


def test_what_was_changed_of_the_upload_page_meanwhile_stays(lite: Api, ann: Browser) -> None:
    path = f"{PATH}/upload-page"
    page = (lite.inst, lite.inst.team_id, PageOwner("parser", "invoices"))
    put_upload_page(*page, {"title": "Bills", "message": "PDF please", "files_per_hour": 7})
    old = {**form_of(ann.get(PATH), path), "action": "save"}
    put_upload_page(*page, {"title": "Invoices", "message": "PDF please", "is_active": False})
    assert ann.post(path, data={**old, "page.message": "A photo is fine"}).status_code == 303
    found = get_upload_page(*page)
    assert (found.title, found.message) == ("Invoices", "A photo is fine")
    assert (found.is_active, found.files_per_hour) == (False, 60)
    refused = ann.post(path, data={**old, "page.title": ""})
    again = form_of(refused, path)
    assert again["shown"] == old["shown"], "a form that is shown again holds what it showed at first"
    assert ann.post(path, data={**old, "shown": ""}).status_code == 400
    delete_upload_page(*page)
    assert ann.post(path, data={**old, "page.message": "Whole"}).status_code == 303
    found = get_upload_page(*page)
    assert (found.title, found.message, found.files_per_hour) == ("Bills", "Whole", 7)


def test_a_parser_is_copied_and_deleted(lite: Api, ann: Browser) -> None:
    copied = ann.post(f"{PATH}/copy", data=form_of(ann.get(PATH), f"{PATH}/copy"))
    assert copied.headers["location"] == "/parsers/invoices_copy/settings?done=copied"
    assert "This is the copy" in ann.get(copied.headers["location"]).text
    assert "must not be blank" in ann.submit(f"{PATH}/copy", **{"copy.name": " "}).text
    wrong = ann.submit(f"{PATH}/delete", **{"delete.name": "invoices"})
    assert wrong.status_code == 400 and "Type the name of the parser" in wrong.text
    assert ann.submit(f"{PATH}/delete", **{"delete.name": "Invoices"}).headers["location"] == "/parsers"
    assert [one.name for one in list_parsers(lite.inst, lite.inst.team_id)] == ["Invoices (Copy)"]


def test_the_mail_address_is_shown_with_what_it_does(lite: Api, ann: Browser) -> None:
    assert "DOCDUCK_MAIL_DOMAIN" in ann.get(PATH).text
    with lite.inst.catalog.transaction() as session:
        from docduck.catalog.models import Parser

        session.get_one(Parser, parser_of(lite).id).email_address = "in-abc@docs.example.org"
    assert "<code>in-abc@docs.example.org</code> become documents" in ann.get(PATH).text

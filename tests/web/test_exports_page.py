"""The exports of a parser on its page: previews, files, layouts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import httpx
import pytest

from docduck.service.outputs.export_layouts import list_layouts, update_layout
from tests.exports.cells import read_cell
from tests.server.served import Api
from tests.service.outputs.world import expected, make_world
from tests.web.browser import Browser
from tests.web.pages import entered, form_of

PATH = "/parsers/bills/exports"


class Exporter:
    """A member of the team, and three documents."""

    def __init__(self, api: Api, browser: Browser, ids: list[str]) -> None:
        self.api, self.browser, self.ids = api, browser, ids

    def send(self, path: str = PATH, **form: Any) -> httpx.Response:
        return self.browser.submit(path, **form)


@pytest.fixture
def ann(lite: Api) -> Iterator[Exporter]:
    ids = make_world(lite.inst)[1]
    with entered(lite) as browser:
        yield Exporter(lite, browser, ids)


def test_formats_and_scopes(ann: Exporter) -> None:
    for format, scope, table in (
        ("json", None, ""),
        ("csv", "all_sheets", ""),
        ("xlsx", "table", "Line Items"),
    ):
        found = ann.send(action="download", format=format, scope=scope or "", table=table)
        assert found.status_code == 200, found.text
        assert read_cell(format, scope, found.content) == expected(format, scope, ann.ids)
        assert found.headers["content-disposition"].startswith('attachment; filename="bills-')
    page = ann.send(action="download", format="csv", scope="table")
    assert page.status_code == 400 and "tableName is required" in page.text
    assert ann.send(action="download", layout="00000000-0000-7000-8000-000000000000").status_code == 404


def test_a_preview_shows_the_first_rows_and_writes_nothing(ann: Exporter) -> None:
    page = ann.send(action="preview", format="csv", scope="all_sheets").text
    assert "3 documents; these are the first rows" in page
    assert re.findall("<h3>(.*?)</h3>", page) == ["Fields", "Line Items", "Taxes"]
    assert "<td>Ä-1 &lt;&amp;&gt; &#34;x&#34;, &#39;y&#39;</td>" in page
    assert "<td>&#39;=1+1</td>" in page  # a formula is disarmed, as in the file
    page = ann.send(action="preview", format="json", filters="Total < 0").text
    assert "1 document;" in page and "&#34;B-2&#34;" in page and "C-3" not in page
    log = ann.api.get("/audit-log", params={"action": "parser.exported"}).json()
    assert log["pagination"]["total"] == 0


def test_a_preview_of_a_format_that_is_no_text_is_shown_as_far_as_it_is(
    ann: Exporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(target: BinaryIO, *_: Any) -> None:
        target.write(b"PK\xff\xfe")

    monkeypatch.setattr("docduck.service.outputs.export_preview.write", write)
    page = ann.send(action="preview", format="json")
    assert page.status_code == 200 and "PK\ufffd" in page.text


def test_conditions_choose_documents(ann: Exporter) -> None:
    found = ann.send(action="download", format="json", filters="Total >= 100\nPaid = true").json()
    assert [one["document"]["id"] for one in found] == ann.ids[:1]
    page = ann.send(action="preview", filters="Total")
    assert page.status_code == 400 and "must be a field, an operator and a value" in page.text
    assert ">\nTotal</textarea>" in page.text


def places(page: str, **chosen: tuple[str, str]) -> dict[str, Any]:
    """The columns of the form, of which some get a place and a heading."""
    fields = [one.replace("&#39;", "'") for one in re.findall('name="field" value="([^"]+)"', page)]
    given = {name.replace("_", " "): value for name, value in chosen.items()}
    return {
        "field": fields,
        "place": [given.get(field, ("", ""))[0] for field in fields],
        "header": [given.get(field, ("", ""))[1] for field in fields],
    }


def test_a_layout_is_made_used_changed_and_deleted(ann: Exporter) -> None:
    new = f"{PATH}/layouts/new"
    page = ann.browser.get(new).text
    columns = places(page, Total=("1", "Sum <b>"), Number=("2", ""))
    assert "Line Items.Amount" in columns["field"] and "$id" in columns["field"]
    named = re.findall('<th scope="row">([^<]+)</th>', page)
    assert named[:3] == ["Document id", "Document name", "External id"] and "Row number" in named
    assert not any(one.startswith("$") for one in named), "keys are not what people see"
    shape = {"name": "Totals", "format": "csv", "scope": "fields_only"}
    wrong = ann.send(new, **shape, **places(page, Total=("first", "")))
    assert (
        wrong.status_code == 400
        and "A place is a whole number" in wrong.text
        and 'value="first"' in wrong.text
    )
    assert ann.send(new, **shape, **columns).headers["location"] == PATH
    assert ann.send(new, **shape, **columns).status_code == 409
    (layout,) = list_layouts(ann.api.inst, ann.api.inst.team_id, "bills")
    assert [(one.field, one.header) for one in layout.columns or ()] == [
        ("Total", "Sum <b>"),
        ("Number", None),
    ]
    shown = ann.browser.get(PATH).text
    assert layout.id in shown
    made = ann.send(action="download", layout=layout.id, format="json")
    assert made.text.splitlines()[0].removeprefix("\ufeff") == "Sum <b>,Number"

    own = f"{PATH}/layouts/{layout.id}"
    page = ann.browser.get(own).text
    assert re.findall('name="place" value="([0-9]+)"', page) == ["1", "2"]
    assert "Sum &lt;b&gt;" in page
    changed = {**shape, "name": "Numbers", "format": "json", "scope": ""}
    old = form_of(ann.browser.get(own), own)["shown"]
    update_layout(ann.api.inst, ann.api.inst.team_id, "bills", layout.id, {"name": "Sums"})
    refused = ann.send(own, **changed, **places(page), shown=old)
    assert refused.status_code == 409 and "changed the settings of the layout meanwhile" in refused.text
    changed["shown"] = form_of(ann.browser.get(own), own)["shown"][0]
    assert ann.send(own, **changed, **places(page)).status_code == 303
    (layout,) = list_layouts(ann.api.inst, ann.api.inst.team_id, "bills")
    assert (layout.name, layout.format, layout.scope, layout.columns) == ("Numbers", "json", None, None)
    made = ann.send(action="download", layout=layout.id)
    assert [one["data"]["Number"] for one in json.loads(made.text)][1:] == ["B-2", "C-3"]
    assert ann.send(own, action="delete").status_code == 303
    assert list_layouts(ann.api.inst, ann.api.inst.team_id, "bills") == []

"""The pages of published tables, by HTTP."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest

from docduck.errors import InputError
from docduck.service.accounts.accounts import create_team
from docduck.service.outputs.team_queries import query_team_together, team_tables
from docduck.web.tables import statements
from docduck.web.tables.choice import choice_of
from docduck.web.tables.shown_table import ShownTable, shown_table
from tests.server.served import Api
from tests.web.browser import Browser, member
from tests.web.pages import entered
from tests.web.test_query_page import publish

DOCUMENTS = "/tables/invoices/documents"


@pytest.fixture(scope="module")
def ann(shared: Api) -> Iterator[Browser]:
    """A member of a team with four published documents."""
    parser_id = shared.parser()
    for number, total in (("A-1", "12.50"), ("A-2", "30.00"), ("B'3", "100.00")):
        shared.upload(parser_id, f"Number: {number}\nTotal: {total}\n".encode(), name=f"<b>{number}.txt")
    shared.upload(parser_id, b"Number: C-4\n", name="none.txt")
    shared.process(parser_id)
    publish(shared.inst)
    with entered(shared) as browser:
        yield browser


@pytest.fixture
def table(shared: Api, ann: Browser) -> ShownTable:
    """The table of documents."""
    tables = team_tables(shared.inst, shared.inst.team_id)["invoices"]
    return shown_table("invoices", next(one for one in tables if one.name == "documents"))


def numbers(page: str) -> list[str]:
    """The shown values of the column ``number``."""
    return [html.unescape(one) for one in re.findall(r"<td>([A-C][-'&#;\d]+)</td>", page)]


def links(page: str) -> dict[str, str]:
    """The addresses of links by their text."""
    found = re.findall(r'<a [^>]*?href="([^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL)
    return {
        " ".join(html.unescape(re.sub("<[^>]+>", "", text)).split()): html.unescape(href)
        for href, text in found
    }


def test_tables_are_listed_with_their_rows(ann: Browser) -> None:
    page = ann.get("/tables").text
    assert "<h2>Invoices</h2>" in page
    assert re.search(
        r'href="/tables/invoices/documents">documents</a></td>\s*<td class="number">4</td>', page
    )
    assert 'href="/tables/invoices/_evidence"' in page


def test_rows_lead_to_their_documents(ann: Browser) -> None:
    page = ann.get(DOCUMENTS).text
    assert sorted(numbers(page)) == ["A-1", "A-2", "B'3", "C-4"]
    assert 'aria-label="Values of status"' in page, "the usual facet"
    assert "&lt;b&gt;A-1.txt" in page and "<b>A-1" not in page
    (document, *_) = re.findall(r'href="(/documents/[0-9a-f-]{36})"', page)
    assert ann.get(document).status_code == 200


@pytest.mark.usefixtures("ann")
def test_rows_are_filtered_and_sorted(shared: Api, table: ShownTable) -> None:
    expected = {
        "sort=number": ["A-1", "A-2", "B'3", "C-4"],
        "sort=-total": ["B'3", "A-2", "A-1", "C-4"],
        "sort=number&contains.number=a-": ["A-1", "A-2"],
        "sort=number&contains.number=B'3": ["B'3"],
        "sort=number&from.total=20&to.total=100.00": ["A-2", "B'3"],
        "sort=number&is.number=A-1&is.number=B%273": ["A-1", "B'3"],
        "sort=number&is.number=A-1&empty.number=yes": ["A-1"],
        "empty.total=yes": ["C-4"],
        "sort=number&from.total=30,00&to.total=1.000,00 %E2%82%AC": ["A-2", "B'3"],
        "from.total=3e1&to.total=3.0e1": ["A-2"],
        "to.created_at=31.12.2020": [],
        "from.created_at=2020-01-01&to.created_at=2020-12-31": [],
        "contains.number=%25": [],
    }
    selects = [
        statements.select(table, choice_of(table, parse_qsl(query, keep_blank_values=True)))
        for query in expected
    ]
    found = query_team_together(shared.inst, shared.inst.team_id, selects)
    place = found[0].columns.index("number")
    assert {
        query: [row[place] for row in result.rows] for query, result in zip(expected, found, strict=True)
    } == expected


def test_what_can_t_be_chosen_is_told(ann: Browser, table: ShownTable) -> None:
    for query, told in (
        ("from.total=much", "is not a number"),
        ("from.total=1e999999999", "is not a number"),
        ("to.created_at=31.02.2026", "is not a date"),
        ("contains.nothing=x", "has no column nothing"),
        ("from.number=A", "has no range"),
        ("facet=nothing", "has no column"),
        ("sort=x%22%20--", "has no column"),
        ("page=0", "There is no page"),
        ("contains.number=" + "x" * 401, "at most 400 characters"),
        ("&".join(f"is.number={at}" for at in range(51)), "at most 50 filters"),
    ):
        with pytest.raises(InputError, match=told):
            choice_of(table, parse_qsl(query))
    wrong = ann.get(f"{DOCUMENTS}?from.total=much&to.created_at=x&is.number=A-1")
    assert wrong.status_code == 400 and "is not a number" in html.unescape(wrong.text)
    assert numbers(wrong.text) == ["A-1"], "the other filters stay"
    for path in (f"{DOCUMENTS}?page=0", f"{DOCUMENTS}/file?from.total=much", f"{DOCUMENTS}/file?format=exe"):
        assert ann.get(path).status_code == 400, path
    assert ann.get("/tables/invoices/nothing").status_code == 404
    assert ann.get("/tables/nothing/documents").status_code == 404


def test_a_click_on_a_facet_filters(ann: Browser) -> None:
    page = ann.get(f"{DOCUMENTS}?facet=number&facet=total&facet=created_at").text
    assert "<span>12.50</span><span>100.00</span>" in page, "the least and the greatest"
    values = links(page)
    chosen = ann.get(values["A-2 1"]).text
    assert numbers(chosen) == ["A-2"] and "1 of 4 rows" in chosen
    assert "A-1 1" in links(chosen), "a facet is not filtered by its own column"
    asked = {label: urlsplit(path).query for label, path in {**values, **links(chosen)}.items()}
    assert {"is.number=A-2", "is.number=A-1"} <= {*asked["A-1 1"].split("&")}, "one more value"
    assert "is.number" not in asked["A-2 1"], "again"
    assert "from.total=100.00&to.total=100.00" in asked["100.00: 1 rows"]
    assert "empty.total=yes" in asked["(empty) 1"]


def test_pages_of_rows(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.web.tables.statements.PAGE_ROWS", 3)
    first = ann.get(f"{DOCUMENTS}?sort=number").text
    assert numbers(first) == ["A-1", "A-2", "B'3"] and "Page 1 of 2" in first
    assert numbers(ann.get(links(first)["Next"]).text) == ["C-4"]


def test_chosen_rows_are_downloaded_and_opened_as_sql(ann: Browser) -> None:
    ways = links(ann.get(f"{DOCUMENTS}?contains.number=A-&sort=-total").text)
    csv = ann.get(ways["CSV"])
    assert csv.headers["content-type"].startswith("text/csv")
    assert 'filename="invoices-documents.csv"' in csv.headers["content-disposition"]
    assert [line.split(",")[12] for line in csv.text.splitlines()] == ["number", "A-2", "A-1"]
    assert {"Parquet", "XLSX"} <= ways.keys()
    (sql,) = (value for name, value in parse_qsl(urlsplit(ways["Open as SQL"]).query) if name == "sql")
    assert """contains(lower("number"), lower('A-'))""" in sql
    assert 'ORDER BY "total" DESC NULLS LAST' in sql


def test_other_teams_see_no_tables(shared: Api, ann: Browser) -> None:
    team = create_team(shared.inst, "Strangers")
    with Browser(shared.address) as eve:
        eve.enter(shared.inst, member(shared.inst, "eve", "owner", team.id))
        assert "No tables are published" in eve.get("/tables").text
        assert eve.get(DOCUMENTS).status_code == eve.get(f"{DOCUMENTS}/file").status_code == 404

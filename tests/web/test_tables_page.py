"""The pages of published tables, by HTTP."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator

import httpx
import openpyxl
import polars as pl
import pytest

from docduck.service.accounts.accounts import add_member, create_team, create_user
from tests.server.served import Api
from tests.web.browsing import make_user
from tests.web.test_query_page import client_of, publish

DOCUMENTS, ITEMS = "/tables/invoices/documents", "/tables/invoices/line_items"


@pytest.fixture
def ann(lite: Api) -> Iterator[httpx.Client]:
    """A signed-in member of a team with three published documents."""
    parser_id = lite.parser()
    for number, total in (("A-1", "12.50"), ("A-2", "30.00"), ("B'3", "100.00")):
        lite.upload(parser_id, f"Number: {number}\nTotal: {total}\n".encode(), name=f"<b>{number}.txt")
    lite.upload(parser_id, b"Number: C-4\n", name="none.txt")
    lite.process(parser_id)
    publish(lite.inst)
    with client_of(lite, make_user(lite.inst)) as client:
        yield client


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


def test_tables_are_listed_with_their_rows(ann: httpx.Client) -> None:
    page = ann.get("/tables").text
    assert "<h2>Invoices</h2>" in page
    assert re.search(
        r'href="/tables/invoices/documents">documents</a></td>\s*<td class="number">4</td>', page
    )
    assert 'href="/tables/invoices/_evidence"' in page


def test_rows_are_filtered_sorted_and_lead_to_their_documents(lite: Api, ann: httpx.Client) -> None:
    page = ann.get(DOCUMENTS).text
    assert sorted(numbers(page)) == ["A-1", "A-2", "B'3", "C-4"]
    assert "&lt;b&gt;A-1.txt" in page and "<b>A-1" not in page
    (document, *_) = re.findall(r'href="(/documents/[0-9a-f-]{36})"', page)
    assert ann.get(document).status_code == 200

    def found(query: str) -> list[str]:
        answer = ann.get(f"{DOCUMENTS}?{query}")
        assert answer.status_code == 200, answer.text
        return numbers(answer.text)

    assert found("sort=number") == ["A-1", "A-2", "B'3", "C-4"]
    assert found("sort=-total") == ["B'3", "A-2", "A-1", "C-4"]
    assert found("sort=number&contains.number=a-") == ["A-1", "A-2"]
    assert found("sort=number&contains.number=B'3") == ["B'3"]
    assert found("sort=number&from.total=20&to.total=100.00") == ["A-2", "B'3"]
    assert found("sort=number&is.number=A-1&is.number=B%273") == ["A-1", "B'3"]
    assert found("sort=number&is.number=A-1&empty.number=yes") == ["A-1"]
    assert found("empty.total=yes") == ["C-4"]
    assert found("sort=number&from.total=30,00&to.total=1.000,00 %E2%82%AC") == ["A-2", "B'3"], "as printed"
    assert found("from.total=3e1&to.total=3.0e1") == ["A-2"]
    assert found("to.created_at=31.12.2020") == []
    assert found("from.created_at=2020-01-01&to.created_at=2020-12-31") == []
    assert found("contains.number=%25") == [], "no pattern"
    assert "1 of 4 rows" in ann.get(f"{DOCUMENTS}?contains.number=C-").text


def test_what_can_t_be_chosen_is_told(ann: httpx.Client) -> None:
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
        answer = ann.get(f"{DOCUMENTS}?{query}")
        assert answer.status_code == 400 and told in html.unescape(answer.text), query
    wrong = ann.get(f"{DOCUMENTS}?from.total=much&to.created_at=x&is.number=A-1")
    assert numbers(wrong.text) == ["A-1"], "the other filters stay"
    assert ann.get(f"{DOCUMENTS}/file?from.total=much").status_code == 400
    assert ann.get("/tables/invoices/nothing").status_code == 404
    assert ann.get("/tables/nothing/documents").status_code == 404


def test_a_click_on_a_facet_filters(ann: httpx.Client) -> None:
    assert 'aria-label="Values of status"' in ann.get(DOCUMENTS).text, "the usual facet"
    page = ann.get(f"{DOCUMENTS}?facet=number&facet=total&facet=created_at").text
    values = links(page)
    chosen = ann.get(values["A-2 1"]).text
    assert numbers(chosen) == ["A-2"]
    assert "A-1 1" in links(chosen), "a facet is not filtered by its own column"
    assert sorted(numbers(ann.get(links(chosen)["A-1 1"]).text)) == ["A-1", "A-2"], "one more value"
    assert sorted(numbers(ann.get(links(chosen)["A-2 1"]).text)) == ["A-1", "A-2", "B'3", "C-4"], "again"
    assert numbers(ann.get(values["100.00: 1 rows"]).text) == ["B'3"]
    assert numbers(ann.get(values["(empty) 1"]).text) == ["C-4"]
    assert "<span>12.50</span><span>100.00</span>" in page, "the least and the greatest"


def test_pages_of_rows(ann: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.web.tables.statements.PAGE_ROWS", 3)
    first = ann.get(f"{DOCUMENTS}?sort=number").text
    assert numbers(first) == ["A-1", "A-2", "B'3"] and "Page 1 of 2" in first
    assert numbers(ann.get(links(first)["Next"]).text) == ["C-4"]


def test_chosen_rows_are_downloaded_and_opened_as_sql(ann: httpx.Client) -> None:
    page = ann.get(f"{DOCUMENTS}?contains.number=A-&sort=-total").text
    ways = links(page)
    csv = ann.get(ways["CSV"])
    assert csv.headers["content-type"].startswith("text/csv")
    assert 'filename="invoices-documents.csv"' in csv.headers["content-disposition"]
    assert [line.split(",")[11] for line in csv.text.splitlines()] == ["number", "A-2", "A-1"]
    frame = pl.read_parquet(io.BytesIO(ann.get(ways["Parquet"]).content))
    assert [str(total) for total in frame["total"]] == ["30.00", "12.50"]
    (sheet,) = openpyxl.load_workbook(io.BytesIO(ann.get(ways["XLSX"]).content))
    assert sheet.max_row == 3
    assert ann.get(f"{DOCUMENTS}/file?format=exe").status_code == 400
    query = ann.get(ways["Open as SQL"])
    assert "contains(lower(&#34;number&#34;), lower(&#39;A-&#39;))" in query.text
    assert "ORDER BY &#34;total&#34; DESC NULLS LAST" in query.text


def test_other_teams_and_reviewers_see_no_tables(lite: Api, ann: httpx.Client) -> None:
    eve = create_user(lite.inst, "eve@example.org", "Eve", "correct horse battery")
    team = create_team(lite.inst, "Strangers")
    add_member(lite.inst, team.id, eve.id, "owner")
    with client_of(lite, eve.id) as client:
        assert "No tables are published" in client.get("/tables").text
        assert client.get(DOCUMENTS).status_code == client.get(f"{DOCUMENTS}/file").status_code == 404
    with client_of(lite, make_user(lite.inst, "Rob", "reviewer")) as client:
        for path in ("/tables", DOCUMENTS, ITEMS, f"{DOCUMENTS}/file"):
            assert client.get(path).status_code == 403

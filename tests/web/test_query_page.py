"""The page Query: by HTTP, and once in Chromium."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import duckdb
import httpx
import pytest

from docduck.errors import InputError, NotFound
from docduck.exports.formats import ResultFormat
from docduck.service.accounts.accounts import create_team
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.core.installation import Installation
from docduck.service.outputs import saved_queries
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.warehouse.query_order import TeamResult
from docduck.web.query.sql_names import KEYWORDS, sql_name
from docduck.web.result_download import download
from tests.browser import chromium, expect
from tests.constants import SetConstants
from tests.server.served import Api
from tests.web.browser import Browser, member
from tests.web.browsing import make_user
from tests.web.pages import entered
from tests.web.visits import SCREENS, Visit

TOTALS = "SELECT name, sum(total) AS total FROM invoices.documents GROUP BY name ORDER BY name"
THREE = TeamResult(
    ("name", "n", "total"), ("VARCHAR", "BIGINT", "DECIMAL(9,2)"), (("a", "1", "2.5"), ("b", "1", "3")), True
)
"""A result whose axes are not obvious."""


@pytest.fixture(scope="module")
def ann(shared: Api) -> Iterator[Browser]:
    """A member of the team, in which two documents are published."""
    parser_id = shared.parser()
    shared.upload(parser_id, b"Number: A-1\nTotal: 12.50\n", name="<b>a.txt")
    shared.upload(parser_id, b"Number: A-2\nTotal: 30.00\n", name="=b.txt")
    shared.process(parser_id)
    publish(shared.inst)
    with entered(shared) as browser:
        yield browser


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that were run: each has the result ``THREE``."""
    asked: list[str] = []

    def answer(inst: Installation, team_id: str, sql: str) -> TeamResult:
        asked.append(sql)
        return THREE

    monkeypatch.setattr("docduck.web.query.router.query_team", answer)
    return asked


def publish(inst: Installation) -> None:
    sync_warehouse(inst)
    inst.warehouse.publish(force=True)


def post(browser: Browser, sql: str, path: str = "/query", **form: str) -> httpx.Response:
    answer = browser.submit(path, sql=sql, **form)
    # A query leads to its address.
    return browser.get(answer.headers["location"]) if path == "/query" and answer.is_redirect else answer


def test_a_query_shows_rows_and_a_chart(ann: Browser) -> None:
    shown = ann.get("/query")
    assert 'data-insert="invoices.documents"' in shown.text
    assert 'data-insert="invoices.line_items"' in shown.text
    assert 'data-insert="&#34;left&#34;"' in shown.text, "a name that SQL needs quotes for"
    assert 'title="When it arrived, UTC"' in shown.text
    assert 'href="/query"' in shown.text
    answer = post(ann, TOTALS)
    assert answer.status_code == 200
    assert "2 rows" in answer.text
    assert "<td>&lt;b&gt;a.txt</td><td>12.50</td>" in answer.text
    assert answer.text.count('<rect class="amount"') == 2
    assert "total by name" in answer.text
    assert html.escape(TOTALS) in answer.text, "the query stays"


def test_the_address_of_a_query_has_its_chart(ann: Browser, asked: list[str]) -> None:
    three = post(ann, TOTALS).text
    assert 'class="chart"' not in three, "no axes are obvious"
    assert "and more that are not shown" in three
    drawn = ann.get("/query", params={"sql": TOTALS, "kind": "line", "x": "name", "y": "total"})
    assert "total by name" in drawn.text and drawn.text.count('<polyline class="line"') == 1
    assert '<option value="line" selected>' in drawn.text
    (link,) = re.findall(r'href="(/query[^"]+)">(?:(?!</a>).)*Link to this query', drawn.text, re.DOTALL)
    assert ann.get(html.unescape(link)).text.count('<polyline class="line"') == 1
    saved = post(ann, TOTALS, "/query/saved", name="Three", kind="bar", x="name", y="total")
    assert "total by name" in ann.get(saved.headers["location"]).text
    assert asked == [TOTALS] * 4


def test_queries_of_links_from_elsewhere_are_shown_and_not_run(ann: Browser, asked: list[str]) -> None:
    shown = ann.get("/query", params={"sql": TOTALS}, headers={"Sec-Fetch-Site": "cross-site"})
    assert html.escape(TOTALS) in shown.text and asked == []
    long = f"SELECT 'too long' -- {'x' * 5000}"
    answer = post(ann, long)
    assert asked == [long] and "too long for a link" in answer.text
    assert ann.get("/query", params={"sql": long}).status_code == 400


def test_what_is_wrong_is_told_with_the_query(ann: Browser) -> None:
    answer = post(ann, "SELECT *\nFROM invoices.nothing")
    assert answer.status_code == 400
    assert "There is no table" in answer.text and "(line 2, column 6)" in answer.text
    assert "FROM invoices.nothing</textarea>" in answer.text
    assert 'data-error-line="2"' in answer.text
    assert 'data-error-line="3"' in post(ann, "SELECT\n1 +\n'x'::INTEGER + nothing(1)").text
    assert post(ann, "SELECT '" + "x" * 10_000_000 + "'").status_code == 413


def test_the_whole_result_is_downloaded(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = post(ann, TOTALS, "/query/file", format="csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.content.decode("utf-8-sig") == "name,total\r\n<b>a.txt,12.50\r\n'=b.txt,30.00\r\n"
    named = download(THREE, ResultFormat.XLSX, "Ä/b")
    assert bytes(named.body).startswith(b"PK") and "Ä/b" not in named.headers["content-disposition"]
    assert post(ann, TOTALS, "/query/file", format="exe").status_code == 400
    monkeypatch.setattr("docduck.service.outputs.team_queries.MAX_QUERY_ROWS", 1)
    refused = post(ann, TOTALS, "/query/file", format="csv")
    assert refused.status_code == 400 and "more than 1 rows" in refused.text


def test_queries_are_saved_and_deleted(shared: Api, ann: Browser, asked: list[str]) -> None:
    team = (shared.inst, shared.inst.team_id)
    saved = post(ann, TOTALS, "/query/saved", name="Totals")
    assert saved.status_code == 303
    shown = ann.get(saved.headers["location"])
    assert asked == [TOTALS] and 'value="Totals"' in shown.text
    assert post(ann, "SELECT 2", "/query/saved", name="Totals").status_code == 303
    assert post(ann, "SELECT 2", "/query/saved", name=" ").status_code == 400
    one = next(one for one in saved_queries.list_saved_queries(*team) if one.name == "Totals")
    assert one.sql == "SELECT 2"
    left = post(ann, "SELECT 3", f"/query/saved/{one.id}/delete")
    assert "SELECT 3</textarea>" in left.text and one.id not in left.text
    assert post(ann, "", f"/query/saved/{one.id}/delete").status_code == 404
    newest = find_audit_entries(*team).rows[0]
    assert (newest.action, newest.actor.name) == ("query.deleted", "Member")


def test_other_teams_see_nothing(shared: Api, ann: Browser) -> None:
    saved = saved_queries.save_query(shared.inst, shared.inst.team_id, "Totals", TOTALS, "user")
    team = create_team(shared.inst, "Strangers")
    with Browser(shared.address) as eve:
        eve.enter(shared.inst, member(shared.inst, "eve", "owner", team.id))
        assert "No tables are published" in eve.get("/query").text
        assert "Totals" not in eve.get("/query").text
        assert eve.get(f"/query?saved={saved.id}").status_code == 404
        assert eve.get("/query?saved=x").status_code == 404
        assert post(eve, "", f"/query/saved/{saved.id}/delete").status_code == 404
        refused = post(eve, TOTALS)
        assert refused.status_code == 400 and "There is no table" in refused.text


def test_saved_queries_of_teams(any_inst: Installation, set_constants: SetConstants) -> None:
    inst = any_inst
    other = create_team(inst, "Strangers").id
    first = saved_queries.save_query(inst, inst.team_id, " b ", "SELECT 'ü'\n", "user")
    assert saved_queries.save_query(inst, inst.team_id, "b", "SELECT 2", "user").id == first.id
    saved_queries.save_query(inst, inst.team_id, "A", "SELECT 1", "user")
    saved_queries.save_query(inst, other, "b", "SELECT 3", "user")
    found = saved_queries.list_saved_queries(inst, inst.team_id)
    assert [(one.name, one.sql) for one in found] == [("A", "SELECT 1"), ("b", "SELECT 2")]
    with pytest.raises(NotFound):
        saved_queries.get_saved_query(inst, other, first.id)
    for sql in ("", "SELECT '\0'", "x" * 20_001):
        with pytest.raises(InputError, match="characters"):
            saved_queries.save_query(inst, inst.team_id, "c", sql, "user")
    set_constants(max_saved_queries=2)
    with pytest.raises(InputError, match="may have 2"):
        saved_queries.save_query(inst, inst.team_id, "c", "SELECT 1", "user")
    saved_queries.save_query(inst, inst.team_id, "b", "SELECT 4", "user")


@pytest.mark.slow
@SCREENS
@pytest.mark.browser
def test_queries_are_written_and_tables_browsed(lite: Api, screen: dict[str, Any]) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    lite.upload(parser_id, b"Number: A-1\nTotal: 12.50\n", name="one.txt")
    lite.upload(parser_id, b"Number: A-2\nTotal: 30.00\n", name="two.txt")
    lite.process(parser_id)
    publish(lite.inst)
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        visit.sign_in("ann@example.org")
        page = visit.page
        page.goto("/query")
        sql = page.get_by_label("SQL (DuckDB)")
        page.get_by_text("invoices.documents", exact=True).click()
        page.get_by_role("button", name="number VARCHAR").click()
        expect(sql).to_have_value("number")
        sql.fill("SELECT number, total FROM invoices.documents d WHERE d.")
        sql.press("Control+Space")
        page.keyboard.type("tot")
        expect(page.get_by_role("option")).to_have_text(["totalDECIMAL(38,2)"])
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("option", selected=True)).to_have_count(1)
        visit.check()
        page.keyboard.press("Enter")
        page.keyboard.type(" > 1 -- all")
        expect(sql).to_have_value("SELECT number, total FROM invoices.documents d WHERE d.total > 1 -- all")
        expect(page.locator(".editor .comment")).to_have_text("-- all")
        sql.press("Control+Enter")
        page.get_by_role("img", name="Chart: total by number").wait_for()
        visit.check()
        page.get_by_label("Chart", exact=True).select_option("Line")
        page.locator("polyline.line").wait_for()
        assert "kind=line" in page.url
        page.get_by_label("Name").fill("Totals")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="Totals").wait_for()
        page.wait_for_load_state()  # with the script of the keys
        sql.fill("SELECT number,\n  nothing FROM invoices.documents")
        sql.press("Control+Enter")
        expect(page.get_by_role("alert")).to_contain_text("LINE 2")
        expect(page.locator(".editor .wrong").first).to_be_visible()
        visit.complaints.clear()  # the browser's own word on the refused query
        visit.check()

        page.goto("/tables")
        visit.check()
        page.get_by_role("link", name="documents", exact=True).click()
        page.wait_for_load_state()  # with the script that tidies addresses
        page.get_by_label("total from").fill("20")
        page.get_by_label("total from").press("Enter")
        expect(page.get_by_role("link", name="Open the document of row")).to_have_count(1)
        assert page.url.endswith("?facet=status&from.total=20"), "nothing empty is in the address"
        page.get_by_role("link", name="Values of total").click()
        page.get_by_role("link", name="12.50: 1 rows").wait_for(state="attached")
        visit.check()
        page.get_by_role("link", name="Open as SQL").click()
        page.get_by_text("1 row", exact=True).wait_for()
        visit.check()

        for path in ("/help?q=mail", "/help/extraction"):
            page.goto(path)
            visit.check()


def test_words_of_duckdb_are_quoted() -> None:
    with duckdb.connect() as connection:
        found = connection.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
        ).fetchall()
    assert {name for (name,) in found} == KEYWORDS
    assert (sql_name("order"), sql_name("total"), sql_name("Größe")) == ('"order"', "total", '"Größe"')

"""Who stands by never holds the pipeline up, nor is held up: analysts, broken parsers, a person in the UI."""

from __future__ import annotations

import subprocess
import sys
import threading

import duckdb
import pytest
from sqlalchemy import update

from docduck.catalog.models import ParserField
from docduck.service.core.installation import open_installation
from docduck.service.parsers.parsers import get_parser
from docduck.settings import Settings
from tests.browser import browsing, expect
from tests.system.docduck import Docduck
from tests.system.papers import order
from tests.waiting import wait_for

PRODUCT = ("docduck.warehouse", "dagster_docduck.assets")
PAPERS = 12


def published(docduck: Docduck, slug: str) -> int:
    rows = docduck.query(f"SELECT count(*) FROM {slug}.documents")
    return int(rows[0][0]) if rows else 0


def drop(docduck: Docduck, slug: str, first: int, count: int) -> None:
    for number in range(first, first + count):
        paper = order(number)
        (docduck.inbox / slug / f"{paper.number}.pdf").write_bytes(paper.pdf())


def arrived(docduck: Docduck, slug: str, first: int, count: int) -> bool:
    """Whether the dropped papers are rows, each once; no while a shell holds this copy for writing."""
    names = ", ".join(f"'{order(number).number}.pdf'" for number in range(first, first + count))
    question = f"SELECT count(*), count(DISTINCT name) FROM {slug}.documents WHERE name IN ({names})"
    try:
        return docduck.query(question) == [(count, count)]
    except duckdb.IOException:
        return False


@pytest.mark.extended
@pytest.mark.parametrize("read_only", [True, False])
def test_an_analyst_s_open_shell_holds_nothing_up(running: Docduck, read_only: bool) -> None:
    wait_for(lambda: published(running, "purchase_orders"), 60)
    shell = (
        "import duckdb, sys;"
        f"shell = duckdb.connect({str(running.analytics)!r}, read_only={read_only});"
        "print(shell.execute('SELECT count(*) FROM purchase_orders.documents').fetchone(), flush=True);"
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", shell], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as analyst:
        assert analyst.stdout is not None
        assert analyst.stdout.readline()
        first = 1000 + 100 * read_only
        drop(running, "purchase_orders", first, PAPERS)
        wait_for(lambda: arrived(running, "purchase_orders", first, PAPERS), 90)
        assert analyst.poll() is None
        analyst.communicate("")


@pytest.mark.extended
def test_questions_never_fail_while_tables_are_replaced(running: Docduck) -> None:
    wait_for(lambda: published(running, "purchase_orders"), 60)
    ended = threading.Event()
    failures: list[Exception] = []
    counts: list[int] = []

    def ask() -> None:
        while not ended.is_set():
            try:
                counts.append(published(running, "purchase_orders"))
            except duckdb.Error as error:
                failures.append(error)

    analysts = [threading.Thread(target=ask) for _ in range(2)]
    for analyst in analysts:
        analyst.start()
    for first in range(2000, 2000 + 3 * PAPERS, PAPERS):
        drop(running, "purchase_orders", first, PAPERS)
        wait_for(lambda first=first: arrived(running, "purchase_orders", first, PAPERS), 90)  # type: ignore[misc]
    ended.set()
    for analyst in analysts:
        analyst.join()
    assert failures == []
    assert counts[-1] >= 3 * PAPERS


@pytest.mark.extended
def test_a_parser_that_breaks_does_not_stop_the_others(running: Docduck) -> None:
    inst = open_installation(Settings(home=running.home))
    try:
        parser = get_parser(inst, inst.team_id, "bank_statements")
        rows = update(ParserField).where(ParserField.parser_id == parser.id)
        with inst.catalog.transaction() as session:
            session.execute(rows.values(labels={"damaged": True}))
        drop(running, "bank_statements", 3000, 1)
        drop(running, "purchase_orders", 3100, 2)
        wait_for(lambda: arrived(running, "purchase_orders", 3100, 2), 60)
        assert "bank_statements" in running.command("status")
        assert not arrived(running, "bank_statements", 3000, 1)
        with inst.catalog.transaction() as session:
            session.execute(rows.values(labels=[]))
        wait_for(lambda: arrived(running, "bank_statements", 3000, 1), 120)
    finally:
        inst.close()


@pytest.mark.extended
@pytest.mark.browser
def test_the_ui_shows_a_parser_s_table_and_its_materialisation(running: Docduck) -> None:
    wait_for(lambda: published(running, "invoices"), 60)
    wait_for(lambda: not running.processes("run"), 60)
    with browsing(viewport={"width": 1500, "height": 1000}) as (page, _):
        page.goto(f"{running.address}/assets/invoices/documents?view=events")
        expect(page.get_by_text("Materialized in run")).to_be_visible()
        expect(page.get_by_text("pages_per_second").first).to_be_visible()
        expect(page.get_by_text("dagster/row_count").first).to_be_visible()
        page.goto(f"{running.address}/assets/invoices/documents?view=overview")
        expect(page.get_by_text("invoice_number").first).to_be_visible()
        expect(page.get_by_text("Latest materialization").first).to_be_visible()
        page.goto(f"{running.address}/assets/invoices/documents?view=checks")
        expect(page.get_by_text("Passed").first).to_be_visible()

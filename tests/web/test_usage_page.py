"""The page of what a team uses."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, update

from docduck import clock
from docduck.catalog.models import ApiKey, Document, ModelUsage
from docduck.service.accounts.accounts import create_team
from docduck.service.accounts.keys import create_key, revoke_key
from docduck.service.core.installation import Installation
from docduck.service.upkeep.usage import team_usage
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.web.browser import Browser
from tests.web.pages import entered

NOW = dt.datetime(2026, 3, 1, 0, 30, tzinfo=dt.UTC)


@pytest.fixture
def at_march(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


def fill(api: Api) -> None:
    """Two parsers with documents of two months, and one of long ago."""
    first, second = api.parser("Bills <i>"), api.parser("Notes")
    moments = {
        first: [NOW, NOW, NOW - dt.timedelta(hours=1), dt.datetime(2025, 4, 1, tzinfo=dt.UTC)],
        second: [NOW - dt.timedelta(days=2), dt.datetime(2025, 3, 31, 23, 59, tzinfo=dt.UTC)],
    }
    for parser_id, days in moments.items():
        for number, moment in enumerate(days):
            document = api.upload(parser_id, f"Number: {number}\n".encode(), name=f"{number}.txt")
            with api.inst.catalog.transaction() as session:
                session.execute(update(Document).where(Document.id == document).values(created_at=moment))
    api.process()


def add_model(inst: Installation, month: str, cost_micros: int, team_id: str | None = None) -> None:
    with inst.catalog.transaction() as session:
        session.add(
            ModelUsage(
                team_id=team_id or inst.team_id,
                month=month,
                model="small",
                documents=2,
                requests=3,
                input_tokens=4000,
                output_tokens=500,
                cost_micros=cost_micros,
                updated_at=NOW,
            )
        )


def rows(page: str, title: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    table = page.partition(f"<h2>{title}</h2>")[2].partition("</table>")[0].partition("<tbody>")[2]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("</tr>")]
    return [[re.sub("<[^>]+>", "", cell).strip() for cell in row] for row in cells if row]


def test_documents_and_pages_by_month_day_and_parser(lite: Api, ann: Browser, at_march: None) -> None:
    fill(lite)
    found = ann.get("/usage").text
    assert rows(found, "By month") == [["2026-03", "2", "2"], ["2026-02", "2", "2"], ["2025-04", "1", "1"]]
    assert rows(found, "By parser, in 2026-03") == [["Bills &lt;i&gt;", "2", "2"]]
    days = [row[:2] for row in rows(found, "The latest days")]
    assert days == [["2026-03-01", "2"], ["2026-02-28", "1"], ["2026-02-27", "1"], ["2025-04-01", "1"]]
    assert "No language model was used" in found and 'href="/usage?month=2026-02"' in found

    found = ann.get("/usage?month=2026-02").text
    assert rows(found, "By parser, in 2026-02") == [["Bills &lt;i&gt;", "1", "1"], ["Notes", "1", "1"]]
    assert rows(found, "By day, in 2026-02") == [["2026-02-28", "1", "1"], ["2026-02-27", "1", "1"]]
    bars = re.findall(r'<rect class="amount".*?<title>(.*?)</title>', found)
    assert (len(bars), bars[0]) == (31, "2026-01-29: 0")
    assert bars[-3:] == ["2026-02-26: 0", "2026-02-27: 1", "2026-02-28: 1"]
    assert "Chart: documents by day" in found
    for wrong in ("2025-12", "x", "2001-01"):
        assert ann.get("/usage", params={"month": wrong}).status_code == 400


def test_managers_see_when_keys_were_used(lite: Api, ann: Browser) -> None:
    spare = create_key(lite.inst, lite.inst.team_id, "<b>spare</b>").key
    revoke_key(lite.inst, lite.inst.team_id, spare.id)
    with lite.inst.catalog.transaction() as session:
        session.execute(update(ApiKey).where(ApiKey.name == "tests").values(last_used_at=NOW))
    with entered(lite, "admin") as admin:
        found = admin.get("/usage").text
    assert {row[0].split()[0]: row[1:] for row in rows(found, "API keys")} == {
        "tests": ["2026-03-01 00:30 UTC", "valid"],
        "&lt;b&gt;spare&lt;/b&gt;": ["never", "revoked"],
    }
    assert "API keys" not in ann.get("/usage").text


def test_an_index_has_all_that_is_read(inst: Installation) -> None:
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        statements.append((statement, values))

    event.listen(inst.catalog.engine, "before_cursor_execute", note)
    team_usage(inst, inst.team_id)
    event.remove(inst.catalog.engine, "before_cursor_execute", note)
    ((statement, values),) = [one for one in statements if "page_count" in one[0]]
    with inst.catalog.read_session() as session:
        plan = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        steps = [str(row[-1]) for row in plan]
    assert (
        "SEARCH documents USING COVERING INDEX ix_documents_team_id_created_at (team_id=? AND created_at>?)"
        in steps
    )


def test_spending_against_the_budget(make_installation: MakeInstallation, at_march: None) -> None:
    with serving(make_installation(model_monthly_budget=2.0)) as api, entered(api) as ann:
        add_model(api.inst, "2026-02", 9_000_000)
        add_model(api.inst, "2026-03", 1_250_000)
        add_model(api.inst, "2026-03", 1, create_team(api.inst, "Others").id)
        found = ann.get("/usage").text
        assert "<strong>1.25</strong> of 2.00" in found and "The budget is spent" not in found
        assert rows(found, "Language models") == [
            ["2026-03", "small", "2", "3", "4,000", "500", "1.2500"],
            ["2026-02", "small", "2", "3", "4,000", "500", "9.0000"],
        ]
        with api.inst.catalog.transaction() as session:
            session.execute(update(ModelUsage).values(cost_micros=2_000_000))
        assert "The budget is spent" in ann.get("/usage").text


@pytest.mark.parametrize(("today", "first"), [("2026-12-31", "2026-01"), ("2026-11-05", "2025-12")])
def test_twelve_months_are_counted(
    inst: Installation, monkeypatch: pytest.MonkeyPatch, today: str, first: str
) -> None:
    moment = dt.datetime.fromisoformat(today).replace(tzinfo=dt.UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    year, month = map(int, first.split("-"))
    before = f"{year - (month == 1)}-{(month - 2) % 12 + 1:02}"
    for one in (before, first, today[:7]):
        add_model(inst, one, 1)
    assert [one.month for one in team_usage(inst, inst.team_id).models] == [today[:7], first]


def test_the_model_on_this_machine_is_shown(make_installation: MakeInstallation, tmp_path: Path) -> None:
    inst = make_installation(model_file=tmp_path / "gone.gguf")
    reason = f"There is no file {tmp_path / 'gone.gguf'}"
    with serving(inst) as api:
        for role, told in (("admin", f": {reason}."), ("member", ".")):
            with entered(api, role) as user:
                shown = user.get("/usage").text
            assert "gone, on this machine: starts when a document needs it" in shown
            assert f"Documents are read without it{told}</span>" in shown
            assert (reason in shown) == (role == "admin")

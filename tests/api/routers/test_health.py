"""What monitors are told, without a key."""

from __future__ import annotations

import datetime as dt
import threading
import time
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import select, text, true, update

from docduck import __version__, clock
from docduck.catalog.models import Document, ReadingDuration, Team
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.core.warehouse_outbox import enqueue_processed
from docduck.service.upkeep import health
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tools.readme import ROOT


def ask(api: Api, path: str) -> httpx.Response:
    return httpx.get(f"{api.address}{path}", trust_env=False)


def figures(api: Api) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = ask(api, "/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def requests_of(api: Api, route: str, method: str, status: str) -> float:
    labels = (("method", method), ("route", route), ("status", status))
    return figures(api).get(("docduck_requests_total", labels), 0.0)


def test_it_is_alive_and_ready(lite: Api) -> None:
    assert ask(lite, "/healthz").json() == {"status": "ok"}
    answer = ask(lite, "/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "problems": {}, "warnings": {}})
    found = figures(lite)
    assert found[("docduck_build_info", (("version", __version__),))] == 1
    assert found[("docduck_requests_in_flight", ())] == 1
    assert found["docduck_home_free_bytes", ()] > 0


def test_a_catalog_of_another_version_is_told(api: Api) -> None:
    with api.inst.catalog.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    answer = ask(api, "/readyz")
    assert answer.status_code == 503
    assert list(answer.json()["problems"]) == ["migrations"]
    assert "0001" in answer.json()["problems"]["migrations"]
    assert ask(api, "/healthz").status_code == 200


def test_a_catalog_that_does_not_answer_is_told_in_time(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(health, "version", lambda _connection: release.wait(60))
    try:
        begin = time.monotonic()
        answers = [ask(lite, "/readyz") for _ in range(4)]
        assert time.monotonic() - begin < 40
        assert {answer.status_code for answer in answers} == {503}
        assert list(answers[-1].json()["problems"]) == ["catalog"]
        assert ask(lite, "/healthz").status_code == 200
    finally:
        release.set()


def test_a_catalog_that_is_no_database_any_more_is_told(make_installation: MakeInstallation) -> None:
    inst = make_installation()
    with serving(inst) as api:
        inst.catalog.close()
        for path in inst.settings.home.glob("catalog.sqlite*"):
            path.unlink()
        (inst.settings.home / "catalog.sqlite").write_text("no database, whatever its name says")
        answer = ask(api, "/readyz")
        assert (answer.status_code, list(answer.json()["problems"])) == (503, ["catalog"])
        assert figures(api)[("docduck_catalog_up", ())] == 0


def test_a_home_that_is_gone_is_told(lite: Api, tmp_path: Path) -> None:
    _ = lite.inst.files
    files = lite.inst.settings.home / "files"
    files.rename(tmp_path / "elsewhere")
    answer = ask(lite, "/readyz")
    assert (answer.status_code, list(answer.json()["problems"])) == (503, ["home"])


def test_requests_are_counted_by_the_template_of_their_route(lite: Api) -> None:
    parser_id = lite.parser()
    before = requests_of(lite, "none", "GET", "404")
    lite.get(f"/parsers/{parser_id}/documents")
    lite.get("/nowhere/at/all")
    labels = [dict(labels) for name, labels in figures(lite) if name == "docduck_requests_total"]
    routes = {one["route"] for one in labels}
    assert any(route.endswith("/parsers/{parserId}/documents") for route in routes)
    assert not any(parser_id in str(one) for one in labels)
    assert requests_of(lite, "none", "GET", "404") == before + 1
    assert all(one.keys() == {"route", "method", "status"} for one in labels)
    assert "docduck_queued_seconds" in ask(lite, "/metrics").text
    assert 'team="default"' not in ask(lite, "/metrics").text, "a name needs a key"
    assert lite.key not in ask(lite, "/metrics").text


def test_a_method_that_nobody_knows_is_one_of_others(lite: Api) -> None:
    for method in ("PURGE", "LOCK"):
        httpx.request(method, f"{lite.address}/healthz", trust_env=False)
    methods = {dict(labels).get("method") for name, labels in figures(lite) if "requests_total" in name}
    assert "OTHER" in methods
    assert not methods & {"PURGE", "LOCK"}


def test_what_waits_is_counted_and_how_long(api: Api) -> None:
    with api.inst.catalog.transaction() as session:
        session.add(Team(id=(other_id := new_id()), name="Others", slug="others"))
    mine, others = (("team", api.inst.team_id),), (("team", other_id),)
    found = figures(api)
    assert found[("docduck_queued_documents", ())] == 0
    assert found[("docduck_oldest_queued_seconds", mine)] == found[("docduck_queued_seconds", mine)] == 0
    parser_id = api.parser()
    body = b"Number: A-1\n" * 100
    api.upload(parser_id, body)
    time.sleep(0.2)
    found = figures(api)
    assert found[("docduck_queued_documents", ())] == 1
    assert 0.2 <= found[("docduck_oldest_queued_seconds", mine)] < 30
    assert found[("docduck_queued_seconds", mine)] == 1, "nothing is known of the parser yet"
    assert found[("docduck_oldest_queued_seconds", others)] == found[("docduck_queued_seconds", others)] == 0
    assert len(body) < found[("docduck_upload_bytes_total", ())] < len(body) + 1000
    assert found[("docduck_catalog_up", ())] == 1
    began = time.monotonic()
    api.process(parser_id)
    most = time.monotonic() - began
    found = figures(api)
    assert found[("docduck_queued_documents", ())] == 0
    assert found[("docduck_tables_behind_seconds", ())] == 0
    with api.inst.catalog.transaction() as session:
        enqueue_processed(session, true())
    time.sleep(0.1)
    assert 0.1 <= figures(api)[("docduck_tables_behind_seconds", ())] < 30
    with api.inst.catalog.read_session() as session:
        taken = session.scalars(select(ReadingDuration.seconds)).one()
    for end in (b"first", b"second"):
        api.upload(parser_id, body + end)
    assert 0 < taken < most, "seconds"
    assert figures(api)[("docduck_queued_seconds", mine)] == pytest.approx(2 * taken)


def test_what_webhooks_have_not_delivered_is_counted(make_installation: MakeInstallation) -> None:
    with serving(make_installation(rate_limit_minute=0)) as api:
        names = ("pending_deliveries", "oldest_pending_delivery_seconds", "failed_deliveries")
        found = figures(api)
        assert [found[(f"docduck_{name}", ())] for name in (*names, "disabled_webhooks")] == [0, 0, 0, 0]
        parser_id = api.parser()
        api.post(f"/parsers/{parser_id}/webhooks", json={"url": "https://example.org/hook"})
        api.upload(parser_id)
        api.process(parser_id)
        time.sleep(0.2)
        with api.inst.catalog.transaction() as session:
            session.execute(text("UPDATE webhook_deliveries SET attempts = '[]', status = 'pending'"))
        found = figures(api)
        assert found[("docduck_pending_deliveries", ())] == 1
        assert 0.2 <= found[("docduck_oldest_pending_delivery_seconds", ())] < 30
        with api.inst.catalog.transaction() as session:
            session.execute(text("UPDATE webhook_deliveries SET status = 'failed'"))
            session.execute(text("UPDATE webhooks SET status = 'disabled'"))
        found = figures(api)
        assert [found[(f"docduck_{name}", ())] for name in (*names, "disabled_webhooks")] == [0, 0, 1, 1]


def test_requests_that_are_too_many_are_counted(make_installation: MakeInstallation) -> None:
    with serving(make_installation(rate_limit_minute=0, rate_limit_day=2)) as api:
        statuses = [api.get("/parsers").status_code for _ in range(4)]
        assert statuses.count(429) == 2
        assert figures(api)[("docduck_rate_limited_total", ())] == 2


def test_a_full_disk_is_not_ready(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "home" not in health.problems(inst)
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", health.free_bytes(inst) * 2)
    assert "disk is full" in health.problems(inst)["home"]


def test_it_is_told_after_a_minute_that_nothing_is_being_read(lite: Api) -> None:
    lite.upload(lite.parser())
    for seconds, is_told in ((55, False), (65, True)):
        moment = clock.now() - dt.timedelta(seconds=seconds)
        with lite.inst.catalog.transaction() as session:
            session.execute(update(Document).values(queued_at=moment))
        warnings = ask(lite, "/readyz").json()["warnings"]
        assert ("reading" in warnings) is is_told, seconds
    text = (ROOT / "docduck/service/upkeep/README.md").read_text()
    assert health.WARN_SECONDS == 60
    assert "waited for 60 seconds and nothing is being read" in " ".join(text.split())


def test_a_service_is_ready_and_warns_while_nothing_is_being_read(
    make_installation: MakeInstallation,
) -> None:
    with serving(make_installation(warn_seconds=0.001)) as api:
        api.upload(api.parser())
        time.sleep(0.01)
        answer = ask(api, "/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert "nothing is being read: 1 documents wait" in answer.json()["warnings"]["reading"]

"""The pages of the team's sources and of their ledgers."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.catalog.models import IntakeEntry
from docduck.errors import InputError
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.sources.intake import ingest
from docduck.service.sources.ledger_pages import ledger_page
from docduck.service.sources.sources import sources
from docduck.service.sources.team_sources import get_team_source, team_sources
from tests.conftest import MakeInstallation
from tests.outbound.web import Site, ok, running
from tests.server.served import serving
from tests.service.sources.intake_world import documents, drop, invoices
from tests.web.browser import Browser, member

SECRET = "token=s3cret"


@pytest.fixture
def site() -> Iterator[Site]:
    with running() as (site, _):
        page = b'<a href="/1.txt">1</a><a href="/2.txt?part=7">2</a>'
        site.pages[f"/?{SECRET}"] = ok(page, "Content-Type: text/html")
        site.pages |= {"/1.txt": ok(b"one"), "/2.txt?part=7": ok(b"much too large")}
        yield site


@pytest.fixture
def world(make_installation: MakeInstallation, tmp_path: Path, site: Site) -> Installation:
    """An installation with a URL, a folder and the inbox as sources."""
    file = tmp_path / "pipeline.yaml"
    place = f"url: '{site.url('/')}?{SECRET}', links: '*.txt*', private: true, token: b3arer"
    (tmp_path / "scans").mkdir()
    file.write_text(
        f"sources:\n- {{name: web, {place}, parser: invoices}}\n"
        f"- {{name: '<b>a/b</b>', folder: '{tmp_path}/scans', parser: invoices}}\n"
        "- {name: gone, folder: /no/such/place, parser: none}\n"
        "- {name: store, bucket: 's3://ann:s3cret@papers/in', parser: invoices}\n"
    )
    inst = make_installation(pipeline=file, max_file_bytes=10)
    invoices(inst)
    return inst


def take_in(inst: Installation) -> None:
    for source in sources(inst):
        if source.kind != "bucket":
            ingest(inst, source)


def of_other_team(inst: Installation) -> str:
    """A team with a parser ``bills`` and a file in its inbox folder."""
    team = create_team(inst, "Strangers")
    create_parser(inst, team.id, NewParser("Bills"))
    drop(inst.settings.inbox / "bills", "theirs.txt", b"theirs")
    return team.id


def entries(inst: Installation, source: str, numbers: range, outcome: str = "refused") -> None:
    with inst.catalog.transaction() as session:
        for number in numbers:
            session.add(
                IntakeEntry(
                    team_id=inst.team_id,
                    source=source,
                    item=f"{number}.txt",
                    item_sha256=f"{number:064}",
                    fingerprint="",
                    outcome=outcome,
                    message="<script>alert(1)</script>",
                )
            )


def test_sources_show_their_state_and_no_secrets(world: Installation) -> None:
    drop(world.settings.inbox / "invoices", "a.txt")
    before = {one.name: one for one in team_sources(world, world.team_id).rows}
    assert before["web"].state == "not looked at yet"
    assert (before["gone"].state, "no parser is called none" in before["gone"].problem) == ("failing", True)
    take_in(world)
    with serving(world) as api, Browser(api.address) as browser:
        browser.enter(world, member(world, "ann"))
        page = browser.get("/sources").text
        ledger = browser.get("/sources/ledger", params={"source": "web"}).text
        for text in (page, ledger):
            assert "s3cret" not in text and "b3arer" not in text and "/?…" in text
            assert "2.txt?part=7" in text, "other queries are told"
        assert "s3://papers/in" in page
        assert "1 taken" in page and "1 refused" in page and "File too large" in page
        assert "<b>a/b" not in page and "&lt;b&gt;a/b" in page
        assert "2 items" in ledger and 'href="/documents/' in ledger and "Next look" in ledger
        folder = browser.get("/sources/ledger", params={"source": "<b>a/b</b>"})
        assert folder.status_code == 200 and "0 items" in folder.text and "Look again" not in folder.text
        assert browser.get("/sources/ledger", params={"source": "wab"}).status_code == 404
        assert browser.get("/sources/ledger", params={"source": "web", "outcome": "x"}).status_code == 400


def test_a_source_that_fails_tells_why(world: Installation, site: Site) -> None:
    site.pages.clear()
    take_in(world)
    web = get_team_source(world, world.team_id, "web")
    assert (web.state, "404" in web.problem, web.message) == ("failing", True, "")
    assert SECRET in web.problem and SECRET not in web.shown(web.problem)


def test_other_teams_see_their_inbox_alone(world: Installation) -> None:
    other = of_other_team(world)
    drop(world.settings.inbox / "invoices", "ours.txt")
    take_in(world)
    with serving(world) as api, Browser(api.address) as browser:
        browser.enter(world, member(world, "eve", "owner", other))
        page = browser.get("/sources").text
        assert "inbox" in page and "web" not in page and str(world.settings.inbox) not in page
        ledger = browser.get("/sources/ledger?source=inbox").text
        assert "theirs.txt" in ledger and "ours.txt" not in ledger
        assert browser.get("/sources/ledger?source=web").status_code == 404
        refused = browser.submit("/sources/replay", source="web")
        assert refused.status_code == 404
    assert ledger_page(world, world.team_id, "web").total == 2


def test_items_are_filtered_paged_and_looked_at_again(any_inst: Installation) -> None:
    entries(any_inst, "inbox", range(60))
    entries(any_inst, "inbox", range(60, 62), "waiting")
    entries(any_inst, "old", range(1), "vanished")
    first = ledger_page(any_inst, any_inst.team_id, "inbox", "refused")
    second = ledger_page(any_inst, any_inst.team_id, "inbox", "refused", 2)
    assert (first.total, len(first.rows), len(second.rows)) == (60, 50, 10)
    assert len({one.item for one in (*first.rows, *second.rows)}) == 60
    assert first.rows[0].item == "59.txt", "the latest first"
    with pytest.raises(InputError, match="Unknown outcome: lost"):
        ledger_page(any_inst, any_inst.team_id, "inbox", "lost")
    with serving(any_inst) as api, Browser(api.address) as browser:
        browser.enter(any_inst, member(any_inst, "ann"))
        page = browser.get("/sources/ledger?source=inbox&outcome=refused&page=2").text
        assert "Page 2 of 2" in page and page.count("<time ") == 10
        assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
        assert "removed" in browser.get("/sources").text
        old = browser.get("/sources/ledger?source=old").text
        assert "no longer in" in old and "Look at them again" not in old
        for wrong in ("registered", "lost"):
            assert browser.submit("/sources/replay", source="inbox", outcome=wrong).status_code == 400
        done = browser.submit("/sources/replay", source="inbox", outcome="waiting")
        assert (done.status_code, done.headers["location"]) == (303, "/sources/ledger?source=inbox&looked=2")
        assert html.escape("Items that are looked at again: 2.") in browser.get(done.headers["location"]).text
        assert ledger_page(any_inst, any_inst.team_id, "inbox").total == 60
        browser.submit("/sources/replay", source="inbox")
    assert ledger_page(any_inst, any_inst.team_id, "inbox").total == 0
    assert ledger_page(any_inst, any_inst.team_id, "old").total == 1


def test_an_error_in_the_pipeline_is_told(world: Installation) -> None:
    take_in(world)
    world.settings.pipeline.write_text("sources: 7\n")
    found = team_sources(world, world.team_id)
    assert "sources" in found.problem
    assert {one.name: one.is_configured for one in found.rows} == {"inbox": True, "web": True}
    assert documents(world) == ["1.txt"]
    with serving(world) as api, Browser(api.address) as browser:
        browser.enter(world, member(world, "ann"))
        assert "pipeline.yaml</code> are not shown" in browser.get("/sources").text

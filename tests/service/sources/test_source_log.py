"""What is told of sources, and looking at items again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.errors import InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import ingest
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.source_log import replay, source_statuses, try_source
from docduck.service.sources.sources import sources
from tests.conftest import MakeInstallation
from tests.outbound.web import Site, ok, running
from tests.service.sources.intake_world import documents, drop, invoices, outcomes


@pytest.fixture
def site() -> Iterator[Site]:
    with running() as (site, _):
        site.pages["/"] = ok(b'<a href="/1.txt">1</a><a href="/2.txt">2</a>', "Content-Type: text/html")
        site.pages |= {"/1.txt": ok(b"one"), "/2.txt": ok(b"much too large")}
        yield site


@pytest.fixture
def inst(make_installation: MakeInstallation, tmp_path: Path, site: Site) -> Installation:
    file = tmp_path / "pipeline.yaml"
    place = f"url: '{site.url('/')}', links: '*.txt', private: true"
    file.write_text(f"sources:\n- {{name: web, {place}, parser: invoices}}\n")
    return make_installation(pipeline=file, max_file_bytes=10)


def test_each_source_tells_what_came_of_its_items(inst: Installation, site: Site) -> None:
    invoices(inst)
    drop(inst.settings.inbox / "invoices", "a.txt")
    before = {one.name: one.message for one in source_statuses(inst, inst.team_id)}
    assert before["web"] == f"{site.url('/')} has not been looked at yet."
    for source in sources(inst):
        ingest(inst, source)
    found = {one.name: one for one in source_statuses(inst, inst.team_id)}
    assert (found["inbox"].kind, found["inbox"].counts) == ("folder", {"registered": 1})
    web = found["web"]
    assert (web.kind, web.target, web.counts) == ("url", "invoices", {"registered": 1, "refused": 1})
    (refused,) = web.latest
    assert (refused.item, refused.outcome) == (site.url("/2.txt"), "refused")
    assert "File too large" in refused.message and refused.document_id is None


def test_a_trial_takes_in_nothing(inst: Installation, site: Site) -> None:
    invoices(inst)
    drop(inst.settings.inbox / "invoices", "a.txt")
    found = try_source(inst, "web")
    assert (found.new, found.items) == (2, [site.url("/1.txt"), site.url("/2.txt")])
    assert found.message == f"2 documents to take in from {site.url('/')}."
    assert try_source(inst, "inbox").items == [str(inst.settings.inbox / "invoices" / "a.txt")]
    assert (documents(inst), outcomes(inst)) == ([], {})
    with pytest.raises(NotFound, match="no source 'wab'; known are: inbox, web"):
        try_source(inst, "wab")
    site.pages.clear()
    assert "404" in try_source(inst, "web").message


def test_refused_items_are_looked_at_again(inst: Installation, site: Site) -> None:
    invoices(inst)
    (_, web) = sources(inst)
    ingest(inst, web)
    assert replay(inst, inst.team_id, "web", [ItemOutcome.VANISHED]) == 0
    site.pages["/2.txt"] = ok(b"small")
    assert replay(inst, inst.team_id, "web") == 1
    assert ingest(inst, web).registered == 1
    assert documents(inst) == ["1.txt", "2.txt"]
    with pytest.raises(InputError, match="registered are documents already"):
        replay(inst, inst.team_id, "web", [ItemOutcome.REGISTERED])

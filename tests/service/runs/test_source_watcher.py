"""Ingestion while a run processes documents."""

from __future__ import annotations

import logging

import pytest

from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.runs.source_watcher import SourceWatcher
from docduck.service.sources import folder_intake
from docduck.service.sources.scan import SourceScan, scan
from docduck.service.sources.sources import FolderSource, inbox
from tests.conftest import MakeInstallation
from tests.waiting import wait_for

SOON = 30.0


def drop(inst: Installation, name: str = "a.txt") -> None:
    (inst.settings.inbox / "ones" / name).write_text(f"a document called {name}")


@pytest.fixture
def shop(make_installation: MakeInstallation) -> Installation:
    inst = make_installation()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    return inst


def registered(watcher: SourceWatcher) -> int:
    return sum(report.registered for _, report in watcher.reports())


def test_a_check_that_ingests_scans_the_source_once(
    shop: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans: list[str] = []

    def counted(inst: Installation, source: FolderSource) -> SourceScan:
        scans.append(source.name)
        return scan(inst, source)

    monkeypatch.setattr(folder_intake, "scan", counted)
    monkeypatch.setattr("docduck.service.runs.source_watcher._INTERVAL_SECONDS", 2 * SOON)
    drop(shop)
    with SourceWatcher(shop, [inbox(shop)], logging.getLogger()) as watcher:
        wait_for(lambda: registered(watcher) == 1)
    ((source, report),) = watcher.reports()
    assert (source.name, report.registered) == ("inbox", 1)
    assert scans == ["inbox"]


def test_a_change_that_the_system_reports_is_seen_at_once(
    shop: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_INTERVAL_SECONDS", "_QUIET_SECONDS"):
        monkeypatch.setattr(f"docduck.service.runs.source_watcher.{name}", 2 * SOON)
    drop(shop)
    with SourceWatcher(shop, [inbox(shop)], logging.getLogger()) as watcher:
        wait_for(lambda: registered(watcher) == 1)
        drop(shop, "b.txt")
        wait_for(lambda: registered(watcher) == 2)

"""Ingestion while a run processes documents."""

from __future__ import annotations

import logging
import time

import pytest

from assets.source_watcher import SourceWatcher
from docduck.service.core.installation import Installation
from docduck.service.sources import folder_intake
from docduck.service.sources.scan import SourceScan, scan
from docduck.service.sources.sources import FolderSource, inbox
from tests.orchestration.test_sensors import drop

SOON = 30.0


def test_a_check_that_ingests_scans_the_source_once(
    shop: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans: list[str] = []

    def counted(inst: Installation, source: FolderSource) -> SourceScan:
        scans.append(source.name)
        return scan(inst, source)

    monkeypatch.setattr(folder_intake, "scan", counted)
    monkeypatch.setattr("assets.source_watcher._INTERVAL_SECONDS", 2 * SOON)
    drop(shop)
    with SourceWatcher(shop, [inbox(shop)], logging.getLogger()) as watcher:
        deadline = time.monotonic() + SOON
        while not watcher.reports():
            assert time.monotonic() < deadline
            time.sleep(0.01)
    ((source, report),) = watcher.reports()
    assert (source.name, report.registered) == ("inbox", 1)
    assert scans == ["inbox"]

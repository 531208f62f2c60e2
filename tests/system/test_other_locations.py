"""A code location beside docduck's: its asset takes docduck's tables and follows new documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lineage import expect_in_lineage
from tests.system.docduck import Docduck
from tests.system.papers import order
from tests.waiting import wait_for

PRODUCT = ("dagster_docduck.assets", "dagster_docduck.orchestration")
EXAMPLE = Path(__file__).parents[2] / "examples" / "spend_by_vendor" / "workspace.yaml"
PIPELINE = "exports: [{name: always, parser: invoices, format: csv, after: each run}]\n"
EVENTS = """{ assetNodes { assetKey { path } assetMaterializations(limit: 1) {
  metadataEntries { label ... on IntMetadataEntry { intValue } } } } }"""


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Docduck]:
    """A docduck with the samples that loads the example, too."""
    docduck = Docduck(tmp_path_factory.mktemp("docduck") / "home", workspace=EXAMPLE)
    docduck.home.mkdir()
    (docduck.home / "pipeline.yaml").write_text(PIPELINE)
    try:
        docduck.start("--samples")
        yield docduck
        docduck.stop()
    finally:
        docduck.kill()


def numbers(docduck: Docduck) -> dict[str, Any]:
    """Return the metadata of the asset's last materialisation; empty before the first one."""
    for node in docduck.graphql(EVENTS)["assetNodes"]:
        if node["assetKey"]["path"] == ["spend_by_vendor"]:
            for event in node["assetMaterializations"]:
                return {one["label"]: one.get("intValue") for one in event["metadataEntries"]}
    return {}


def exported(docduck: Docduck) -> int:
    """Return how many files the export after each run has written."""
    return len([*(docduck.home / "exports" / "invoices").glob("*.csv")])


def published(docduck: Docduck, table: str) -> int:
    return int(docduck.query(f"SELECT count(*) FROM invoices.{table}")[0][0])


@pytest.mark.extended
def test_an_asset_of_another_location_follows_new_documents(beside: Docduck) -> None:
    wait_for(lambda: numbers(beside), 180)
    first = numbers(beside)
    wait_for(lambda: exported(beside), 60)
    assert first["invoices"] == published(beside, "documents") > 0
    assert first["lines"] == published(beside, "line_items") > 0
    (beside.inbox / "invoices" / "another.pdf").write_bytes(order(1).pdf())
    files = exported(beside)
    wait_for(lambda: numbers(beside)["invoices"] == first["invoices"] + 1, 180, lambda: numbers(beside))
    wait_for(lambda: exported(beside) > files, 60)
    assert numbers(beside)["lines"] == published(beside, "line_items")


@pytest.mark.extended
@pytest.mark.browser
def test_the_lineage_graph_shows_both_locations(beside: Docduck) -> None:
    wait_for(lambda: numbers(beside), 180)
    expect_in_lineage(
        beside.address,
        {
            "spend_by_vendor": ["spend_by_vendor", "line_items", "inbox"],
            "exports/always": ["always", "line_items", "inbox"],
        },
    )

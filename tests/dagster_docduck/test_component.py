"""The component in a project made by create-dagster."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.dagster_commands import asset_nodes, command, environment, serving
from tests.lineage import expect_in_lineage
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "docduck" / "samples" / "invoices"
DEFS = """\
type: dagster_docduck.DocduckComponent

attributes:
  home: data
  parsers:
    - template: invoice
      checks: [{field: Total, minimum: 0}]
  sources:
    - {name: scans, folder: scans, parser: invoices, pattern: "*.pdf"}
  exports:
    - {name: always, parser: invoices, format: csv, after: each run, folder: out}
    - {name: nightly, parser: invoices, format: xlsx, schedule: "0 2 * * *"}
"""
SPEND = """\
import dagster as dg
import polars as pl

from dagster_docduck import AFTER_NEW_ROWS


@dg.asset(
    ins={"documents": dg.AssetIn(["invoices", "documents"])},
    automation_condition=AFTER_NEW_ROWS,
)
def spend_by_vendor(context: dg.AssetExecutionContext, documents: pl.DataFrame) -> pl.DataFrame:
    context.add_output_metadata({"invoices": documents.height})
    return documents.group_by("vendor_name").agg(pl.col("total").sum())


automation = dg.AutomationConditionSensorDefinition(
    "automation",
    target="key:spend_by_vendor",
    minimum_interval_seconds=5,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
"""
NODES = """{ assetNodes { assetKey { path } dependencyKeys { path } assetMaterializations(limit: 1) {
  metadataEntries { label ... on IntMetadataEntry { intValue } } } } }"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project made by create-dagster, with the component and an asset that takes one of its tables."""
    folder = tmp_path_factory.mktemp("project")
    command(folder, "create-dagster", "project", "shop", "--no-uv-sync")
    project = folder / "shop"
    write(project, DEFS)
    (project / "src" / "shop" / "defs" / "spend.py").write_text(SPEND)
    (project / "scans").mkdir()
    return project


def write(project: Path, text: str) -> None:
    folder = project / "src" / "shop" / "defs" / "docduck"
    folder.mkdir(exist_ok=True)
    (folder / "defs.yaml").write_text(text)


def invoices(address: str) -> int:
    """Return how many invoices the asset that takes the table has seen."""
    node = asset_nodes(address, NODES).get("spend_by_vendor", {})
    for event in node.get("assetMaterializations", ()):
        return int({one["label"]: one.get("intValue") for one in event["metadataEntries"]}["invoices"])
    return 0


def test_loading_without_state_creates_nothing(shop: Path) -> None:
    """The first of the tests: others create the state."""
    module = "from shop.definitions import defs; d = defs(); print(len(list(d.assets or ())))"
    done = subprocess.run(
        [sys.executable, "-c", module], cwd=shop, env=environment(shop), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert not (shop / "data").exists()


@pytest.fixture(scope="module")
def ui(shop: Path) -> Iterator[str]:
    """The address of the project's UI."""
    with serving(shop, "dg", "dev", "--port") as address:
        wait_for(lambda: asset_nodes(address, NODES), 240, (shop.parent / "output").read_text)
        yield address


@pytest.mark.extended
def test_a_project_reads_documents_and_its_assets_follow(shop: Path, ui: str) -> None:
    samples, output = sorted(SAMPLES.glob("*.pdf")), shop.parent / "output"
    shutil.copy(samples[0], shop / "scans")
    wait_for(lambda: invoices(ui) == 1, 240, output.read_text)
    graph = {
        key: {"/".join(one["path"]) for one in node["dependencyKeys"]}
        for key, node in asset_nodes(ui, NODES).items()
    }
    assert graph["invoices/documents"] == {"sources/scans", "sources/inbox"}
    assert graph["spend_by_vendor"] == {"invoices/documents"}
    assert graph["exports/always"] == {"invoices/documents", "invoices/line_items"}
    wait_for(lambda: [*(shop / "out").glob("*.csv")], 120, output.read_text)
    shutil.copy(samples[1], shop / "data" / "inbox" / "invoices")
    wait_for(lambda: invoices(ui) == 2, 240, output.read_text)


@pytest.mark.extended
@pytest.mark.browser
def test_the_lineage_graph_shows_the_project_and_its_documents(ui: str) -> None:
    expect_in_lineage(
        ui,
        {
            "spend_by_vendor": ["spend_by_vendor", "documents", "scans", "inbox"],
            "exports/nightly": ["nightly", "documents", "line_items", "scans"],
        },
    )


@pytest.mark.extended
def test_the_state_is_refreshed_by_dg_and_a_wrong_key_is_named(shop: Path) -> None:
    assert "DocduckComponent[data]" in command(shop, "dg", "utils", "refresh-defs-state")
    assert (shop / "data" / "catalog.sqlite").exists()
    listed = command(shop, "dg", "list", "defs")
    assert "invoices/line_items" in listed and "bounds_total" in listed
    write(shop, DEFS.replace("folder: scans", "folders: scans"))
    told = command(shop, "dg", "check", "defs", fails=True)
    assert "sources[0]: needs a place" in told and "did you mean folder?" in told


def test_the_scaffold_asks_for_the_first_parser_and_its_folder(shop: Path) -> None:
    words = ("dg", "scaffold", "defs", "dagster_docduck.DocduckComponent", "paper")
    command(shop, *words, "--template", "receipt", "--folder", "tills", "--home", "papers")
    written = yaml.safe_load((shop / "src" / "shop" / "defs" / "paper" / "defs.yaml").read_text())
    assert written == {
        "type": "dagster_docduck.DocduckComponent",
        "attributes": {
            "home": "papers",
            "parsers": [{"template": "receipt"}],
            "sources": [{"name": "documents", "folder": "tills", "parser": "receipts"}],
        },
    }

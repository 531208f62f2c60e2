"""The component in a project made by create-dagster."""

from __future__ import annotations

import shutil
import subprocess
import sys
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
def new_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project as create-dagster makes it."""
    folder = tmp_path_factory.mktemp("project")
    command(folder, "create-dagster", "project", "shop", "--no-uv-sync")
    return folder / "shop"


@pytest.fixture
def shop(new_project: Path, tmp_path: Path) -> Path:
    """A project with the component and an asset that takes one of its tables."""
    project = tmp_path / "shop"
    shutil.copytree(new_project, project, symlinks=True)
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


@pytest.mark.extended
def test_a_project_reads_documents_and_its_assets_follow(shop: Path) -> None:
    samples = sorted(SAMPLES.glob("*.pdf"))
    shutil.copy(samples[0], shop / "scans")
    with serving(shop, "dg", "dev", "--port") as address:
        output = shop.parent / "output"
        wait_for(lambda: invoices(address) == 1, 240, output.read_text)
        graph = {
            key: {"/".join(one["path"]) for one in node["dependencyKeys"]}
            for key, node in asset_nodes(address, NODES).items()
        }
        assert graph["invoices/documents"] == {"sources/scans", "sources/inbox"}
        assert graph["spend_by_vendor"] == {"invoices/documents"}
        assert graph["exports/always"] == {"invoices/documents", "invoices/line_items"}
        wait_for(lambda: [*(shop / "out").glob("*.csv")], 120, output.read_text)
        shutil.copy(samples[1], shop / "data" / "inbox" / "invoices")
        wait_for(lambda: invoices(address) == 2, 240, output.read_text)


@pytest.mark.extended
@pytest.mark.browser
def test_the_lineage_graph_shows_the_project_and_its_documents(shop: Path) -> None:
    with serving(shop, "dg", "dev", "--port") as address:
        wait_for(lambda: asset_nodes(address, NODES), 240, (shop.parent / "output").read_text)
        expect_in_lineage(
            address,
            {
                "spend_by_vendor": ["spend_by_vendor", "documents", "scans", "inbox"],
                "exports/nightly": ["nightly", "documents", "line_items", "scans"],
            },
        )


def test_loading_without_state_creates_nothing(shop: Path) -> None:
    module = "from shop.definitions import defs; d = defs(); print(len(list(d.assets or ())))"
    done = subprocess.run(
        [sys.executable, "-c", module],
        cwd=shop,
        env=environment(shop),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not (shop / "data").exists()


@pytest.mark.extended
def test_the_state_is_refreshed_by_dg(shop: Path) -> None:
    assert "DocduckComponent[data]" in command(shop, "dg", "utils", "refresh-defs-state")
    assert (shop / "data" / "catalog.sqlite").exists()
    listed = command(shop, "dg", "list", "defs")
    assert "invoices/line_items" in listed and "bounds_total" in listed
    assert "docduck_daily_upkeep" in command(shop, "dg", "list", "defs", "--json")


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


@pytest.mark.extended
def test_a_wrong_key_is_named(shop: Path) -> None:
    write(shop, DEFS.replace("folder: scans", "folders: scans"))
    told = command(shop, "dg", "check", "defs", fails=True)
    assert "sources[0]: needs a place" in told and "did you mean folder?" in told
    write(shop, DEFS.replace("format: csv", "format: csw"))
    assert "exports[0].format: must be" in command(shop, "dg", "check", "defs", fails=True)
    write(shop, DEFS.replace("parser: invoices, format: csv", "parser: orders, format: csv"))
    assert "orders" in command(shop, "dg", "check", "defs", fails=True)
    write(shop, DEFS.replace("field: Total", "field: Sum"))
    assert "checks[0].field: there is no number field 'Sum'" in command(
        shop, "dg", "check", "defs", fails=True
    )

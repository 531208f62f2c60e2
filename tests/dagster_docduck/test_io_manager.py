"""Assets of another project that take docduck's tables as arguments."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from dagster import (
    AssetIn,
    AssetSpec,
    DagsterInstance,
    InputContext,
    MaterializeResult,
    RetryPolicy,
    asset,
    materialize,
)

from dagster_docduck import DocduckIOManager
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.conftest import MakeInstallation
from tests.warehouse.samples import INVOICES, invoice

ITEMS = ["invoices", "line_items"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    warehouse = WarehouseFile(tmp_path)
    warehouse.apply(INVOICES, [invoice(1), invoice(2, rows=3)])
    warehouse.publish(force=True)
    return tmp_path


def load(home: Path | str | None, kind: Any = pl.DataFrame, key: Any = ITEMS, **metadata: Any) -> Any:
    """Return what an asset gets that takes the table ``key``, annotated as ``kind``."""
    got: list[Any] = []

    def taker(rows: Any) -> MaterializeResult[None]:
        got.append(rows)
        return MaterializeResult()

    taker.__annotations__["rows"] = kind
    ins = {"rows": AssetIn(key, metadata=metadata or None)}
    table = AssetSpec(key).with_io_manager_key("docduck")
    manager = DocduckIOManager(home=None if home is None else str(home))
    with DagsterInstance.ephemeral() as instance:
        result = materialize(
            [table, asset(ins=ins)(taker)],
            resources={"docduck": manager},
            instance=instance,
            raise_on_error=False,
        )
        if not result.success:
            (failure,) = (one for one in result.all_node_events if one.is_step_failure)
            raise RuntimeError(failure.step_failure_data.error_display_string)
    return got[0]


def test_a_table_or_some_of_its_columns_are_an_argument(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = load(home)
    assert isinstance(frame, pl.DataFrame)
    assert frame.schema["quantity"] == pl.Decimal(38, 2)
    assert frame["quantity"].sum() == Decimal("13.50")
    monkeypatch.setenv("DOCDUCK_HOME", str(home))
    assert load(None, Any).equals(frame)
    lazy = load(home, pl.LazyFrame)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.select(pl.col("quantity").sum()).collect().item() == Decimal("13.50")
    assert load(home, columns=["item"]).columns == ["item"]
    assert load(home, pl.LazyFrame, columns=["item"]).collect_schema().names() == ["item"]


@pytest.mark.postgres
def test_tables_of_a_lake_are_arguments(
    make_installation: MakeInstallation, lake_settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(**lake_settings)
    inst.warehouse.apply(INVOICES, [invoice(1), invoice(2, rows=3)])
    inst.warehouse.publish(force=True)
    for name, value in lake_settings.items():
        monkeypatch.setenv(f"DOCDUCK_{name.upper()}", value)
    frame = load(inst.settings.home)
    assert frame["quantity"].sum() == Decimal("13.50")
    assert load(inst.settings.home, pl.LazyFrame).collect().equals(frame)


class PublishingManager(DocduckIOManager):
    """A document arrives, and is published, after an asset's first argument was loaded."""

    def load_input(self, context: InputContext) -> Any:
        loaded: Any = super().load_input(context)
        if context.name == "documents":
            warehouse = WarehouseFile(Path(str(self.home)))
            warehouse.apply(INVOICES, [invoice(100 + len(loaded))])
            warehouse.publish(force=True)
        return loaded


@pytest.mark.parametrize("kind", [pl.DataFrame, pl.LazyFrame])
def test_all_arguments_of_an_asset_are_from_one_published_copy(home: Path, kind: Any) -> None:
    seen: list[tuple[int, int]] = []

    def take(documents: pl.DataFrame, items: Any) -> MaterializeResult[None]:
        seen.append((documents.height, items.lazy().collect()["document_id"].n_unique()))
        if len(seen) == 2:
            raise OSError("the second asset needs another try")
        return MaterializeResult()

    take.__annotations__["items"] = kind
    keys = {"documents": ["invoices", "documents"], "items": ITEMS}
    tables = [AssetSpec(key).with_io_manager_key("docduck") for key in keys.values()]
    ins = {name: AssetIn(key) for name, key in keys.items()}
    takers = [asset(name=name, ins=ins, retry_policy=RetryPolicy(1))(take) for name in ("first", "second")]
    with DagsterInstance.ephemeral() as instance:
        manager = PublishingManager(home=str(home))
        assert materialize([*tables, *takers], resources={"docduck": manager}, instance=instance).success
    assert seen == [(2, 2), (3, 3), (4, 4)]


def test_what_can_not_be_loaded_fails_the_step_with_the_reason(home: Path, tmp_path: Path) -> None:
    frames = (pl.DataFrame, pl.LazyFrame)
    gone = "There is no table invoices.gone in .*Tables there: invoices._evidence"
    asked: list[tuple[str, dict[str, Any]]] = [
        *((gone, {"kind": kind, "key": ["invoices", "gone"]}) for kind in frames),
        (r"line_items is no table of docduck; their keys are \[parser, table\]", {"key": ["line_items"]}),
        ("line_items has no column vat", {"columns": ["vat"]}),
        (r"loaded as polars.DataFrame or polars.LazyFrame, not as .*bytes", {"kind": bytes}),
    ]
    for message, wish in asked:
        with pytest.raises(RuntimeError, match=message):
            load(home, **wish)
    with pytest.raises(RuntimeError, match="it appears after the first document was processed"):
        load(tmp_path / "new")


def test_a_file_held_for_writing_may_be_tried_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.warehouse.database._READER_WAITS", 0.1)
    path = str(home / "analytics.duckdb")
    code = f"import duckdb, sys; c = duckdb.connect({path!r}); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(RuntimeError, match="is held open by another program"):
            load(home)
        holder.communicate()
    assert duckdb.connect(path, read_only=True).sql("FROM invoices.documents").fetchall()


def test_it_stores_nothing(home: Path) -> None:
    @asset
    def mine() -> int:
        return 1

    with DagsterInstance.ephemeral() as instance:
        manager = DocduckIOManager(home=str(home))
        done = materialize([mine], resources={"io_manager": manager}, instance=instance, raise_on_error=False)
    (failure,) = (one for one in done.all_node_events if one.is_step_failure)
    assert "only loads docduck's tables" in failure.step_failure_data.error_display_string

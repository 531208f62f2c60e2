"""What was spent at each vendor: an asset made of docduck's tables, in a code location of its own."""

import polars as pl
from dagster import (
    AssetExecutionContext,
    AssetIn,
    AssetSelection,
    AssetSpec,
    AutomationConditionSensorDefinition,
    DefaultSensorStatus,
    Definitions,
    asset,
)

from dagster_docduck import AFTER_NEW_ROWS, DocduckIOManager

documents = AssetSpec(["invoices", "documents"]).with_io_manager_key("docduck")
line_items = AssetSpec(["invoices", "line_items"]).with_io_manager_key("docduck")


@asset(
    ins={"documents": AssetIn(documents.key), "line_items": AssetIn(line_items.key)},
    automation_condition=AFTER_NEW_ROWS,
    kinds={"polars"},
)
def spend_by_vendor(
    context: AssetExecutionContext, documents: pl.DataFrame, line_items: pl.DataFrame
) -> pl.DataFrame:
    """Invoices, lines and totals by vendor."""
    lines = line_items.group_by("document_id").len("lines")
    spend = (
        documents.join(lines, on="document_id", how="left")
        .group_by("vendor_name")
        .agg(pl.len().alias("invoices"), pl.col("lines").sum(), pl.col("total").sum())
        .sort("total", descending=True, nulls_last=True)
    )
    context.add_output_metadata(
        {"dagster/row_count": spend.height, "invoices": documents.height, "lines": line_items.height}
    )
    return spend


defs = Definitions(
    assets=[documents, line_items, spend_by_vendor],
    sensors=[
        AutomationConditionSensorDefinition(
            "automation",
            target=AssetSelection.all(),
            minimum_interval_seconds=5,
            default_status=DefaultSensorStatus.RUNNING,
        )
    ],
    resources={"docduck": DocduckIOManager()},
)

"""The condition of assets that follow docduck's tables."""

from __future__ import annotations

from typing import Any

from dagster import (
    AssetKey,
    AssetMaterialization,
    AssetSelection,
    AssetSpec,
    DagsterInstance,
    Definitions,
    asset,
    evaluate_automation_conditions,
    materialize,
)

from dagster_docduck import AFTER_NEW_ROWS

TABLE = AssetKey(["invoices", "documents"])


@asset(deps=[TABLE], automation_condition=AFTER_NEW_ROWS)
def spend() -> None:
    pass


DEFS = Definitions(assets=[AssetSpec(TABLE), spend])


def test_rows_that_arrive_while_the_asset_materialises_are_followed() -> None:
    cursor: Any = None

    def requested() -> int:
        nonlocal cursor
        chosen = AssetSelection.assets(spend)
        result = evaluate_automation_conditions(DEFS, instance, chosen, cursor=cursor)
        cursor = result.cursor
        return result.total_requested

    with DagsterInstance.ephemeral() as instance:
        assert requested() == 0
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        assert [requested(), requested()] == [1, 0]
        materialize([spend, AssetSpec(TABLE)], instance=instance, selection=[spend])
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        assert [requested(), requested(), requested()] == [1, 0, 0]

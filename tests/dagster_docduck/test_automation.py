"""The condition of assets that follow docduck's tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dagster import (
    AssetCheckEvaluation,
    AssetCheckSpec,
    AssetKey,
    AssetMaterialization,
    AssetSelection,
    AssetSpec,
    DagsterInstance,
    Definitions,
    MaterializeResult,
    asset,
    evaluate_automation_conditions,
    materialize,
    multi_asset,
)

from dagster_docduck import AFTER_NEW_ROWS

TABLE = AssetKey(["invoices", "documents"])


@asset(deps=[TABLE], automation_condition=AFTER_NEW_ROWS)
def spend() -> None:
    pass


DEFS = Definitions(assets=[AssetSpec(TABLE), spend])


def evaluating(instance: DagsterInstance) -> Callable[[], int]:
    """Return what evaluates the condition once more, and returns how many runs it requests."""
    cursor: Any = None

    def requested() -> int:
        nonlocal cursor
        chosen = AssetSelection.assets(spend)
        result = evaluate_automation_conditions(DEFS, instance, chosen, cursor=cursor)
        cursor = result.cursor
        return result.total_requested

    return requested


def test_rows_that_arrive_while_the_asset_materialises_are_followed() -> None:
    with DagsterInstance.ephemeral() as instance:
        requested = evaluating(instance)
        assert requested() == 0
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        assert [requested(), requested()] == [1, 0]
        materialize([spend, AssetSpec(TABLE)], instance=instance, selection=[spend])
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        assert [requested(), requested(), requested()] == [1, 0, 0]


def test_rows_that_arrive_between_the_request_of_a_run_and_the_next_evaluation_are_followed() -> None:
    with DagsterInstance.ephemeral() as instance:
        requested = evaluating(instance)
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        assert requested() == 1
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        assert [requested(), requested()] == [1, 0]


def test_rows_that_fail_a_blocking_check_are_not_followed() -> None:
    spec = AssetCheckSpec("bounds", asset=TABLE, blocking=True)

    @multi_asset(specs=[AssetSpec(TABLE)], check_specs=[spec])
    def tables() -> Iterator[Any]:
        yield MaterializeResult()

    defs = Definitions(assets=[tables, spend])
    cursor: Any = None

    def requested(passed: bool) -> int:
        nonlocal cursor
        instance.report_runless_asset_event(AssetMaterialization(TABLE))
        instance.report_runless_asset_event(
            AssetCheckEvaluation(asset_key=TABLE, check_name="bounds", passed=passed, blocking=True)
        )
        result = evaluate_automation_conditions(defs, instance, AssetSelection.assets(spend), cursor=cursor)
        cursor = result.cursor
        return result.total_requested

    with DagsterInstance.ephemeral() as instance:
        assert [requested(False), requested(True), requested(False)] == [0, 1, 0]
        assert requested(True) == 1


def test_the_readme_s_asset_and_check_follow_each_change_of_the_table() -> None:
    readme = (Path(__file__).parents[2] / "dagster_docduck" / "README.md").read_text()
    section = readme.partition("## Assets that follow every change")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    project: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), project)
    cursor: Any = None

    def requested() -> set[str]:
        nonlocal cursor
        chosen = AssetSelection.all() | AssetSelection.all_asset_checks()
        result = evaluate_automation_conditions(project["defs"], instance, chosen, cursor=cursor)
        cursor = result.cursor
        return {one.key.to_user_string() for one in result.results if not one.true_subset.is_empty}

    with DagsterInstance.ephemeral() as instance:
        assert requested() == set()
        for _ in range(2):
            instance.report_runless_asset_event(AssetMaterialization(AssetKey(["receipts", "documents"])))
            assert requested() == {"receipt_totals", "receipts/documents:totals_are_positive"}
            assert requested() == set()

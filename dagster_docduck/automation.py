"""The automation condition of assets that follow docduck's tables."""

from __future__ import annotations

from dagster import AutomationCondition

AFTER_NEW_ROWS = (
    (AutomationCondition.newly_missing() | AutomationCondition.any_deps_updated()).since(
        AutomationCondition.newly_requested() & ~AutomationCondition.any_deps_updated()
    )
    & ~AutomationCondition.any_deps_missing()
    & ~AutomationCondition.in_progress()
    & AutomationCondition.all_deps_blocking_checks_passed()
)
"""Materialise after new rows, also of those that arrive once a run is requested; wait while a blocking check
of the tables fails.

``AutomationCondition.eager()`` forgets an update that is noticed together with the asset's own or with the
request of its run, and waits while docduck reads, which under a steady load it always does.
"""

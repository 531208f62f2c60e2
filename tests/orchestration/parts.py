"""Helpers of the Dagster tests: parsers, a pipeline file, definitions, runs and ticks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dagster import (
    AssetKey,
    DagsterInstance,
    ExecuteInProcessResult,
    RunRequest,
    SensorResult,
    SkipReason,
    build_sensor_context,
)
from dagster._core.definitions.repository_definition import RepositoryDefinition

from dagster_docduck.orchestration.definitions import build_definitions
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.runs.processing_runs import SELECTED_ASSETS
from docduck.service.runs.run_request import request_path

TEMPLATES = ("invoice", "receipt", "purchase_order", "bank_statement")

PIPELINE = """\
sources:
  - name: Scans (2nd floor)
    folder: scans
    parser: invoices
    pattern: "*.pdf"
  - name: tills
    folder: tills
    parser: receipts
exports:
  - name: Month's end
    parser: invoices
    format: xlsx
    schedule: "0 6 1 * *"
  - name: always
    parser: invoices
    format: csv
    after: each run
"""


def four_parsers(inst: Installation) -> list[ParserView]:
    parsers = [create_parser(inst, inst.team_id, NewParser(template_key=key)) for key in TEMPLATES]
    sync_warehouse(inst)
    return parsers


def with_pipeline(folder: Path, text: str = PIPELINE) -> Path:
    for name in ("scans", "tills"):
        (folder / name).mkdir(exist_ok=True)
    path = folder / "pipeline.yaml"
    path.write_text(text)
    return path


def repository(inst: Installation) -> RepositoryDefinition:
    return build_definitions(inst).get_repository_def()


def run(
    inst: Installation, instance: DagsterInstance, keys: Sequence[Sequence[str]]
) -> ExecuteInProcessResult:
    """Materialise these assets in this process, as on the pages of Dagster."""
    job = repository(inst).get_job(SELECTED_ASSETS)
    return job.execute_in_process(
        instance=instance, asset_selection=[AssetKey(list(key)) for key in keys], raise_on_error=False
    )


def tick(
    inst: Installation,
    instance: DagsterInstance,
    name: str,
    cursor: str | None = None,
    defs: RepositoryDefinition | None = None,
    *,
    together: bool = False,
) -> tuple[RunRequest | None, str, str | None]:
    """Evaluate a sensor once; return the request, the reason of a skip, and the new cursor.

    It is long after the last tick, or ``together`` with it.
    """
    if not together:
        request_path(inst).unlink(missing_ok=True)
    defs = defs or repository(inst)
    context = build_sensor_context(
        instance=instance, cursor=cursor, repository_def=defs, resources={"installation": inst}
    )
    sensor: Any = defs.get_sensor_def(name)
    answer = sensor(context)
    if isinstance(answer, SkipReason):
        return None, str(answer.skip_message), context.cursor
    assert isinstance(answer, SensorResult)
    if answer.skip_reason is not None:
        return None, str(answer.skip_reason.skip_message), context.cursor
    assert answer.run_requests is not None
    assert len(answer.run_requests) == 1
    return answer.run_requests[0], "", context.cursor

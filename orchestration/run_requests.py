"""Runs that sensors ask for."""

from __future__ import annotations

from collections.abc import Collection

from dagster import JobDefinition, RunRequest
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from assets.table_specs import TableAsset
from docduck.service.runs.dagster_api import MOST_PLANNED, READ, UPLOAD

ReadingJobs = list[JobDefinition | UnresolvedAssetJobDefinition]
"""The jobs that a sensor may ask for to have documents read."""


def reading_run(tables: Collection[TableAsset], slugs: Collection[str | None]) -> RunRequest:
    """Return a run that reads documents, and shows as that of the tables of these parsers, if they are few.

    It reads those of all parsers, also of such that have no tables in the definitions yet.
    """
    if len(slugs) > MOST_PLANNED:
        return RunRequest(job_name=READ)
    selection = [table.key for table in tables if table.parser.slug in slugs]
    return RunRequest(job_name=UPLOAD, asset_selection=selection) if selection else RunRequest(job_name=READ)

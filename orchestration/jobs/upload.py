"""The job that materialises sources and parsers' tables, or any selection of them."""

from __future__ import annotations

from collections.abc import Sequence

from dagster import AssetsDefinition, AssetSelection, define_asset_job

from dagster_docduck.retries import NO_RETRY_TAGS
from docduck.service.runs.processing_runs import UPLOAD
from orchestration.private_dagster import UnresolvedAssetJobDefinition


def upload_job(assets: Sequence[AssetsDefinition]) -> UnresolvedAssetJobDefinition:
    """Return the job; sensors select the assets of parsers with documents."""
    return define_asset_job(
        UPLOAD,
        selection=AssetSelection.assets(*assets),
        description="Ingests new documents and reads them into the parsers' tables.",
        tags=NO_RETRY_TAGS,
    )

"""The job behind every reading of documents: sources and parsers' tables, any part of them."""

from __future__ import annotations

from collections.abc import Sequence

from dagster import AssetsDefinition, AssetSelection, define_asset_job
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from docduck.service.runs.dagster_api import UPLOAD


def upload_job(assets: Sequence[AssetsDefinition]) -> UnresolvedAssetJobDefinition:
    """Take in what is new and read it; sensors choose the parsers."""
    return define_asset_job(
        UPLOAD,
        selection=AssetSelection.assets(*assets),
        description="Takes in new documents and reads them into the parsers' tables.",
    )

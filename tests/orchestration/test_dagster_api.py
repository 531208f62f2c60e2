"""The GraphQL queries fit the schema of the installed Dagster."""

from __future__ import annotations

import re
import warnings

import pytest
from dagster._core.definitions.assets.job.asset_job import IMPLICIT_ASSET_JOB_NAME
from dagster._core.storage.tags import RUN_FAILURE_REASON_TAG

from docduck.service.core.installation import Installation
from docduck.service.runs import dagster_api, processing_runs
from tests.orchestration.parts import repository


@pytest.mark.parametrize("name", ["_RUNS", "_TAGS", "_LAUNCH"])
def test_the_queries_fit_dagster_s_schema(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dagster_graphql.schema import create_schema
        from graphql import parse, validate

        assert validate(create_schema().graphql_schema, parse(getattr(dagster_api, name))) == []


def test_the_jobs_are_named_alike_on_both_sides(shop: Installation) -> None:
    jobs = {job.name for job in repository(shop).get_all_jobs()}
    assert processing_runs.UPLOAD in jobs
    assert re.fullmatch("[a-z_]+", processing_runs.LOCATION)
    assert processing_runs.SELECTED_ASSETS == IMPLICIT_ASSET_JOB_NAME
    assert processing_runs.FAILURE_REASON_TAG == RUN_FAILURE_REASON_TAG

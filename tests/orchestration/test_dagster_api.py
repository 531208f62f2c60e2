"""What the API asks of Dagster is understood by the Dagster that is installed."""

from __future__ import annotations

import re
import warnings

import pytest

from docduck.service import dagster_api
from docduck.service.installation import Installation
from orchestration import live_runs
from tests.orchestration.parts import repository


@pytest.mark.parametrize("name", ["_RUNS", "_ASSETS", "_LAUNCH"])
def test_the_questions_fit_dagster_s_schema(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dagster_graphql.schema import create_schema
        from graphql import parse, validate

        assert validate(create_schema().graphql_schema, parse(getattr(dagster_api, name))) == []


def test_the_job_is_named_alike_on_both_sides(shop: Installation) -> None:
    assert dagster_api.UPLOAD == live_runs.UPLOAD
    assert repository(shop).has_job(dagster_api.UPLOAD)
    assert re.fullmatch("[a-z_]+", dagster_api.LOCATION)

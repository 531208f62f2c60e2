"""A client of Dagster's GraphQL API: list runs and launch one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from docduck import clock
from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint
from docduck.service.runs.processing_runs import (
    FINISHED_STATUSES,
    LIVE_STATUSES,
    LOCATION,
    LOOK_BACK_SECONDS,
    MAX_FINISHED,
    Run,
    failures_in_a_row,
    has_failed_by_itself,
)

_REPOSITORY = {"repositoryLocationName": LOCATION, "repositoryName": "__repository__"}
_SECONDS = 20.0
_MAX_LIVE = 200
_MAX_BYTES = 4 * 1024 * 1024

_RUNS = """query ($live: RunsFilter!, $maxLive: Int!, $finished: RunsFilter!, $maxFinished: Int!) {
  live: runsOrError(filter: $live, limit: $maxLive) { ...found }
  finished: runsOrError(filter: $finished, limit: $maxFinished) { ...found }
}
fragment found on RunsOrError {
  ... on Runs { results { runId pipelineName status assetSelection { path } endTime
  repositoryOrigin { repositoryLocationName } } }
}
"""
_TAGS = """query ($failed: RunsFilter!) { runsOrError(filter: $failed) {
  ... on Runs { results { runId tags { key value } } } } }"""
_LAUNCH = """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on Error { message } } }"""


def list_runs(dagster: TrustedEndpoint) -> tuple[list[Run], list[Run]]:
    """Return the live runs and those that finished lately, newest first; raise Transient if Dagster fails.

    A run whose process is gone counts as live until the sensor marks it as failed.
    """
    since = clock.now().timestamp() - LOOK_BACK_SECONDS
    answer = _query(
        dagster,
        _RUNS,
        {
            "live": {"statuses": LIVE_STATUSES},
            "maxLive": _MAX_LIVE,
            "finished": {"statuses": FINISHED_STATUSES, "updatedAfter": since},
            "maxFinished": MAX_FINISHED,
        },
    )
    live, finished = ([_run(run) for run in answer[key].get("results", ())] for key in ("live", "finished"))
    return live, _without_killed(dagster, finished)


def _without_killed(dagster: TrustedEndpoint, finished: list[Run]) -> list[Run]:
    """Return the runs, those that were killed or blocked by a check no longer as failed.

    Only of failures in a row are the tags asked for: those of a run name all that it was started for.
    """
    failures = failures_in_a_row(run for run in finished if run.processes_documents)
    if not failures:
        return finished
    answer = _query(dagster, _TAGS, {"failed": {"runIds": [run.id for run in failures]}})["runsOrError"]
    tags = {run["runId"]: {tag["key"]: tag["value"] for tag in run["tags"]} for run in answer["results"]}
    return [
        replace(run, has_failed=has_failed_by_itself(tags[run.id])) if run.id in tags else run
        for run in finished
    ]


def _run(run: Mapping[str, Any]) -> Run:
    selection, origin = run["assetSelection"], run["repositoryOrigin"]
    return Run(
        run["runId"],
        run["pipelineName"],
        None if selection is None else [key["path"] for key in selection],
        has_failed=run["status"] == "FAILURE",
        ended_at=run["endTime"],
        location=None if origin is None else origin["repositoryLocationName"],
    )


def launch(dagster: TrustedEndpoint, job: str) -> str:
    """Launch a run of ``job``; return its id. Raise Transient if it is refused."""
    params = {
        "selector": {**_REPOSITORY, "jobName": job},
        "runConfigData": {},
        "executionMetadata": {"tags": [{"key": "docduck/started_by", "value": "service"}]},
    }
    result = _query(dagster, _LAUNCH, {"params": params})["launchRun"]
    if result["__typename"] != "LaunchRunSuccess":
        raise Transient(f"Dagster did not start a run: {result.get('message', result['__typename'])}")
    return str(result["run"]["runId"])


def _query(dagster: TrustedEndpoint, query: str, variables: Mapping[str, Any]) -> Any:
    answer = dagster.post("graphql", {"query": query, "variables": variables}, _SECONDS)
    try:
        body = json.loads(answer.body)
        if body.get("errors"):
            raise Transient(f"Dagster answered: {body['errors'][0]['message']}")
        return body["data"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Transient(f"Dagster did not answer in GraphQL (status {answer.status})") from error


def endpoint(url: str) -> TrustedEndpoint:
    """Return the webserver's endpoint at ``url``."""
    return TrustedEndpoint(url, {}, most_bytes=_MAX_BYTES)

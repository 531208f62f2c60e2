"""What docduck asks of Dagster's webserver, over GraphQL: which runs are live, and to start one."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck import clock
from docduck.errors import Transient
from docduck.ids import snake_case
from docduck.outbound.http import TrustedEndpoint

LOCATION = "docduck"
"""The name of the code location, as ``docduck up`` gives it."""

SOURCES = "sources"
"""What the asset keys of sources begin with."""

UPLOAD, READ = "upload", "read_documents"
"""The jobs that read documents: into tables that Dagster knows, and where it knows none of them yet."""

MOST_PLANNED = 20
"""A run for more parsers than this is started without their tables: to plan each takes Dagster some 30 ms."""

_OF_CHOSEN_ASSETS = "__ASSET_JOB"
"""The job that Dagster runs when somebody materialises assets in its UI."""

_REPOSITORY = {"repositoryLocationName": LOCATION, "repositoryName": "__repository__"}
_SECONDS = 20.0
_LATELY_SECONDS = 600.0
_MOST_BYTES = 4 * 1024 * 1024

_RUNS = """query ($since: Float!) {
  live: runsOrError(filter: {statuses: [QUEUED, NOT_STARTED, STARTING, STARTED]}, limit: 200) { ...found }
  ended: runsOrError(
    filter: {statuses: [SUCCESS, FAILURE], updatedAfter: $since}, limit: 100
  ) { ...found }
}
fragment found on RunsOrError { ... on Runs { results { pipelineName status assetSelection { path } } } }
"""
_ASSETS = """query ($group: AssetGroupSelector!) { assetNodes(group: $group) { assetKey { path } } }"""
_LAUNCH = """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on Error { message } } }"""


@dataclass(frozen=True, slots=True)
class Runs:
    """Whether a run that reads documents is queued, starting or at work, and how the last one ended."""

    is_live: bool
    last_failed: bool


def runs(dagster: TrustedEndpoint) -> Runs:
    """Return how the runs are; raise Transient when Dagster does not say."""
    answer = _ask(dagster, _RUNS, {"since": clock.now().timestamp() - _LATELY_SECONDS})
    ended = [run["status"] for run in answer["ended"].get("results", ()) if _reads(run)]
    live = any(_reads(run) for run in answer["live"].get("results", ()))
    return Runs(live, bool(ended) and ended[0] == "FAILURE")


def reads_documents(job: str, assets: Collection[Sequence[str]] | None) -> bool:
    """Return whether a run of ``job`` reads documents; ``assets`` are those that it is limited to."""
    return job == READ or (
        job in (UPLOAD, _OF_CHOSEN_ASSETS) and (assets is None or any(key[0] != SOURCES for key in assets))
    )


def _reads(run: Mapping[str, Any]) -> bool:
    selection = run["assetSelection"]
    assets = None if selection is None else [key["path"] for key in selection]
    return reads_documents(run["pipelineName"], assets)


def table_keys(dagster: TrustedEndpoint, slug: str) -> list[Sequence[str]]:
    """The asset keys of a parser's tables, as far as Dagster knows them; raises Transient."""
    answer = _ask(dagster, _ASSETS, {"group": {**_REPOSITORY, "groupName": snake_case(slug)}})
    paths = [node["assetKey"]["path"] for node in answer["assetNodes"]]
    return [path for path in paths if path[0] == slug]


def launch(dagster: TrustedEndpoint, keys: Sequence[Sequence[str]]) -> str:
    """Queue a run that reads documents, and return its id; it materialises these assets, if there are any.

    Raise Transient when it is refused.
    """
    assets = {"assetSelection": [{"path": key} for key in keys]} if keys else {}
    params = {
        "selector": {**_REPOSITORY, "jobName": UPLOAD if keys else READ, **assets},
        "runConfigData": {},
        "executionMetadata": {"tags": [{"key": "docduck/started_by", "value": "service"}]},
    }
    result = _ask(dagster, _LAUNCH, {"params": params})["launchRun"]
    if result["__typename"] != "LaunchRunSuccess":
        raise Transient(f"Dagster did not start a run: {result.get('message', result['__typename'])}")
    return str(result["run"]["runId"])


def _ask(dagster: TrustedEndpoint, query: str, variables: Mapping[str, Any]) -> Any:
    answer = dagster.post("graphql", {"query": query, "variables": variables}, _SECONDS)
    try:
        found = json.loads(answer.body)
        if found.get("errors"):
            raise Transient(f"Dagster answered: {found['errors'][0]['message']}")
        return found["data"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Transient(f"Dagster answered what is no GraphQL (status {answer.status})") from error


def endpoint(url: str) -> TrustedEndpoint:
    """The webserver at ``url``."""
    return TrustedEndpoint(url, {}, most_bytes=_MOST_BYTES)

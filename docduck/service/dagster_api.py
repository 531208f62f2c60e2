"""What docduck asks of Dagster's webserver, over GraphQL: which runs are live, and to start one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck import clock
from docduck.errors import Transient
from docduck.ids import snake_case
from docduck.outbound.http import TrustedEndpoint

LOCATION = "docduck"
"""The name of the code location, as ``docduck up`` gives it."""

UPLOAD = "upload"
"""The job that reads documents."""

_REPOSITORY = {"repositoryLocationName": LOCATION, "repositoryName": "__repository__"}
_ASSET_JOBS = (UPLOAD, "__ASSET_JOB")
_SECONDS = 20.0
_LATELY_SECONDS = 600.0
_MOST_BYTES = 4 * 1024 * 1024

_RUNS = """query ($since: Float!) {
  live: runsOrError(filter: {statuses: [QUEUED, NOT_STARTED, STARTING, STARTED]}, limit: 200) { ...found }
  ended: runsOrError(
    filter: {pipelineName: "upload", statuses: [SUCCESS, FAILURE], updatedAfter: $since}, limit: 20
  ) { ...found }
}
fragment found on RunsOrError { ... on Runs { results { pipelineName status assetSelection { path } } } }
"""
_ASSETS = """query ($group: AssetGroupSelector!) { assetNodes(group: $group) { assetKey { path } } }"""
_LAUNCH = """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on Error { message } } }"""


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of assets; ``assets`` is None for a run of all of them."""

    assets: frozenset[tuple[str, ...]] | None
    failed: bool

    def covers(self, slug: str) -> bool:
        return self.assets is None or (slug, "documents") in self.assets


@dataclass(frozen=True, slots=True)
class Runs:
    """The live runs that read documents, and those that ended lately, the newest first."""

    live: tuple[_Run, ...]
    ended: tuple[_Run, ...]

    def is_live(self, slug: str) -> bool:
        """Whether a run that reads this parser's documents is queued, starting or at work."""
        return any(run.covers(slug) for run in self.live)

    def last_failed(self, slug: str) -> bool:
        """Whether the last run for this parser failed, not long ago."""
        last = next((run for run in self.ended if run.covers(slug)), None)
        return last is not None and last.failed


def runs(dagster: TrustedEndpoint) -> Runs:
    """The runs as they stand; raises Transient when Dagster does not say."""
    answer = _ask(dagster, _RUNS, {"since": clock.now().timestamp() - _LATELY_SECONDS})
    return Runs(_found(answer["live"]), _found(answer["ended"]))


def table_keys(dagster: TrustedEndpoint, slug: str) -> list[Sequence[str]]:
    """The asset keys of a parser's tables, as far as Dagster knows them; raises Transient."""
    answer = _ask(dagster, _ASSETS, {"group": {**_REPOSITORY, "groupName": snake_case(slug)}})
    paths = [node["assetKey"]["path"] for node in answer["assetNodes"]]
    return [path for path in paths if path[0] == slug]


def launch(dagster: TrustedEndpoint, keys: Sequence[Sequence[str]]) -> str:
    """Queue a run that materialises these assets; gives its id. Raises Transient when it is refused."""
    params = {
        "selector": {**_REPOSITORY, "jobName": UPLOAD, "assetSelection": [{"path": key} for key in keys]},
        "runConfigData": {},
        "executionMetadata": {"tags": [{"key": "docduck/started_by", "value": "service"}]},
    }
    result = _ask(dagster, _LAUNCH, {"params": params})["launchRun"]
    if result["__typename"] != "LaunchRunSuccess":
        raise Transient(f"Dagster did not start a run: {result.get('message', result['__typename'])}")
    return str(result["run"]["runId"])


def _found(answer: Mapping[str, Any]) -> tuple[_Run, ...]:
    return tuple(
        _Run(
            None
            if one["assetSelection"] is None
            else frozenset(tuple(key["path"]) for key in one["assetSelection"]),
            one["status"] == "FAILURE",
        )
        for one in answer.get("results", ())
        if one["pipelineName"] in _ASSET_JOBS
    )


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

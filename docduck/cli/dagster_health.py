"""Whether Dagster's processes are well, seen from outside: over GraphQL, and by their children."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from dataclasses import dataclass, field

import psutil

ASK_SECONDS = 5.0
UNREACHABLE = "DagsterUserCodeUnreachableError"
QUERY = """{ workspaceOrError { __typename ... on Workspace { locationEntries {
  name loadStatus locationOrLoadError { __typename ... on PythonError { className message } } } } } }"""


@dataclass(frozen=True)
class LocationState:
    """State of a code location; neither loaded nor in error means that it is still starting."""

    loaded: bool = False
    error: str | None = None


def code_location_state(address: str, location: str) -> LocationState:
    """Ask the webserver at ``address`` for the state of a code location."""
    request = urllib.request.Request(
        f"{address}/graphql",
        data=json.dumps({"query": QUERY}).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=ASK_SECONDS) as response:
            workspace = json.load(response)["data"]["workspaceOrError"]
    except (OSError, ValueError, KeyError, TypeError):
        return LocationState()
    for entry in workspace.get("locationEntries", []):
        found = entry["locationOrLoadError"]
        if entry["name"] == location and entry["loadStatus"] == "LOADED" and found is not None:
            if found["__typename"] == "RepositoryLocation":
                return LocationState(loaded=True)
            if found["className"] != UNREACHABLE:
                return LocationState(error=found["message"].strip())
    return LocationState()


@dataclass
class CodeServerHealth:
    """Says whether the code server's newest inner server lives.

    The outer process replaces the inner one at each reload, but never notices when it dies.
    """

    _newest: psutil.Process | None = field(default=None, init=False)

    def __call__(self, pid: int) -> bool:
        try:
            children = psutil.Process(pid).children()
        except psutil.NoSuchProcess:
            return False
        for child in children:
            with contextlib.suppress(psutil.Error):
                newer = self._newest is None or child.create_time() >= self._newest.create_time()
                if newer and child.status() != psutil.STATUS_ZOMBIE and "grpc" in child.cmdline():
                    self._newest = child
        if self._newest is None:
            return True
        if self._newest.is_running() and self._newest.status() != psutil.STATUS_ZOMBIE:
            return True
        self._newest = None
        return False

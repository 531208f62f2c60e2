"""Health of Dagster's processes, by GraphQL and by their child processes."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

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
    """Return the state of a code location, from the webserver at ``address``."""
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
        load = entry["locationOrLoadError"]
        if entry["name"] == location and entry["loadStatus"] == "LOADED" and load is not None:
            if load["__typename"] == "RepositoryLocation":
                return LocationState(loaded=True)
            if load["className"] != UNREACHABLE:
                return LocationState(error=load["message"].strip())
    return LocationState()


@dataclass
class CodeServerHealth:
    """Checks that the code server's newest inner process runs; the outer process listens on ``socket``.

    The outer process replaces the inner one at each reload, but does not notice if it dies.
    """

    socket: Path
    _outer: psutil.Process | None = field(default=None, init=False)
    _newest: psutil.Process | None = field(default=None, init=False)

    def __call__(self, pid: int) -> bool:
        try:
            outer = psutil.Process(pid)
            inner = [child for child in outer.children() if _is_inner(child)]
        except psutil.NoSuchProcess:
            return False
        if outer != self._outer:
            self._outer, self._newest = outer, None
        known = [*inner, self._newest] if self._newest is not None else inner
        self._newest = max(known, key=psutil.Process.create_time, default=None)
        if self._newest is None:
            return not self._listens(outer)
        return self._newest in inner

    def _listens(self, outer: psutil.Process) -> bool:
        """Return whether ``outer`` has bound its socket, which it does once its first inner process runs."""
        try:
            return self.socket.stat().st_mtime > outer.create_time()
        except FileNotFoundError:
            return False


def _is_inner(child: psutil.Process) -> bool:
    try:
        return child.status() != psutil.STATUS_ZOMBIE and "grpc" in child.cmdline()
    except psutil.Error:
        return False

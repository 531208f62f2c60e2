"""Plain Dagster commands as real processes, in a folder of the test's."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return this process's environment without settings of docduck and Dagster, and a home of its own."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("DOCDUCK_", "DAGSTER_"))
    }
    own = {
        "HOME": str(folder.parent),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(folder / "src"),
    }
    return kept | own | more


def command(folder: Path, *words: str, fails: bool = False) -> str:
    """Run a command in ``folder``; return what it prints."""
    done = subprocess.run(
        [BIN / words[0], *words[1:]],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert bool(done.returncode) is fails, done.stdout + done.stderr
    return done.stdout + done.stderr


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[str]:
    """Run a command that serves the UI, with a free port as its last word; yield the UI's address.

    Its output is in the file ``output`` beside ``folder``.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (folder.parent / "output").open("wb") as output:
        process = subprocess.Popen(
            [BIN / words[0], *words[1:], str(port)],
            cwd=folder,
            env=environment(folder),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # Whatever runs the tests may ignore it, as shells let programs in the background do.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(60)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def asset_nodes(address: str, query: str) -> dict[str, Any]:
    """Return the ``assetNodes`` of a GraphQL query by key; empty while the UI starts."""
    request = urllib.request.Request(
        f"{address}/graphql",
        data=json.dumps({"query": query}).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            nodes = json.load(response)["data"]["assetNodes"]
    except OSError:
        return {}
    return {"/".join(node["assetKey"]["path"]): node for node in nodes}

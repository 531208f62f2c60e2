"""What the MCP server weighs in the API's process."""

from __future__ import annotations

import subprocess
import sys

import pytest

MOST_MB = 45

_PROGRAM = """
import psutil
import docduck.api.routers.documents.documents, docduck.web.sign_in.router
import docduck.server.http_server, docduck.evaluation.job
process = psutil.Process()
before = process.memory_info().rss
import docduck.server.app, docduck.mcp.endpoint
print((process.memory_info().rss - before) / 1e6)
"""


@pytest.mark.extended
def test_the_process_stays_small() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=120, check=True
    )
    assert float(done.stdout) < MOST_MB

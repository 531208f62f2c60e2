"""The MCP project's conformance suite on the authorization server: metadata and a user's consent."""

from __future__ import annotations

import socket
import subprocess

import httpx
import pytest

from tests.server.served import Api
from tests.web.oauth.dance import Dance, member

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]


def test_metadata(lite: Api, conformance: tuple[str, str]) -> None:
    asked = ["authorization", "--url", lite.address, "--scenario", "authorization-server-metadata-endpoint"]
    done = subprocess.run([*conformance, *asked], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout
    assert "Passed: 2/2, 0 failed" in done.stdout


def test_authorization_code_grant(lite: Api, conformance: tuple[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    member(lite)
    dance = Dance(lite, redirect=f"http://127.0.0.1:{port}/callback")
    asked = ["authorization", "--url", lite.address, "--client-id", dance.client_id]
    asked += ["--port", str(port), "--resource", dance.resource]
    with subprocess.Popen([*conformance, *asked], stdout=subprocess.PIPE, text=True) as suite:
        assert suite.stdout is not None
        address = next(line for line in suite.stdout if "/oauth/authorize?" in line).strip()
        decided = dance.decide(dance.user.get(address))
        httpx.get(decided.headers["location"], trust_env=False)
        told = suite.stdout.read()
    assert suite.returncode == 0, told
    assert "authorization-code-grant" in told and "FAILURE" not in told

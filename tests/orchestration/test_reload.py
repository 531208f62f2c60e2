"""A real code server loads new definitions, and its clients see them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster import DagsterInstance
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import GrpcServerTarget
from dagster._grpc.client import DagsterGrpcClient

from dagster_docduck.orchestration.reload import reload_definitions
from dagster_docduck.private_dagster import GrpcServerCodeLocationOrigin
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120


@pytest.fixture
def socket(inst: Installation, instance: DagsterInstance) -> Iterator[str]:
    """The socket of a code server of the installation; short, because a path has 107 characters only."""
    with tempfile.TemporaryDirectory(prefix="dd-") as folder:
        path = f"{folder}/code.sock"
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "dagster", "code-server", "start", "--socket", path),
                *(
                    "--module-name",
                    "dagster_docduck.orchestration.definitions",
                    "--working-directory",
                    str(ROOT),
                ),
                *("--location-name", "docduck", "--use-python-environment-entry-point"),
            ],
            env={
                **os.environ,
                "DOCDUCK_HOME": str(inst.settings.home),
                "DOCDUCK_PIPELINE": str(inst.settings.home / "none.yaml"),
                "DAGSTER_DISABLE_TELEMETRY": "1",
                "PYTHONWARNINGS": "ignore",
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            client = DagsterGrpcClient(socket=path)
            wait_for(lambda: answers(client), PATIENCE_SECONDS)
            yield path
        finally:
            os.killpg(server.pid, 9)
            server.wait()


def answers(client: DagsterGrpcClient) -> bool:
    try:
        return bool(client.get_server_id(timeout=2))
    except Exception:
        return False


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_new_parser_becomes_assets_for_everyone_connected(
    inst: Installation, instance: DagsterInstance, socket: str
) -> None:
    origin = GrpcServerCodeLocationOrigin(host="localhost", socket=socket, location_name="docduck")
    target = GrpcServerTarget(host="localhost", socket=socket, port=None, location_name="docduck")
    with WorkspaceProcessContext(instance, target) as workspace:

        def groups() -> set[str]:
            context = workspace.create_request_context()
            return {node.group_name for node in context.asset_graph.asset_nodes if node.group_name}

        assert groups() == {"sources"}
        create_parser(inst, inst.team_id, NewParser(name="Deeds"))
        assert "being reloaded" in reload_definitions(origin)
        assert "being reloaded" in reload_definitions(origin)
        wait_for(lambda: groups() == {"sources", "deeds"}, PATIENCE_SECONDS)

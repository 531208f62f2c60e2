"""A run succeeds while a shell has the analysts' copy open for writing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from dagster import DagsterInstance

from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from tests.orchestration.parts import run
from tests.service.core.documents import upload

SHELL = "import duckdb, sys; shell = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.mark.slow
def test_a_run_that_publishes_nothing_succeeds(inst: Installation, instance: DagsterInstance) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Notes"))
    upload(inst, inst.team_id, "notes", b"hello", "hello.txt")
    assert run(inst, instance, [("notes", "documents")]).success
    command = [sys.executable, "-c", SHELL, str(inst.warehouse.published)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline()
        result = run(inst, instance, [("notes", "documents")])
        shell.communicate("")
    assert result.success
    (event,) = result.get_asset_materialization_events()
    assert event.materialization.metadata["dagster/row_count"].value == 1

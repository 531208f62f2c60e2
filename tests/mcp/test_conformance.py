"""The MCP project's conformance suite on docduck's server: its scenarios of tools and of lists."""

from __future__ import annotations

import re
import subprocess

import pytest

from docduck.service.core.installation import Installation
from tests.mcp.conformance_tools import serving_fixtures
from tests.mcp.served import CURRENT, OLDEST, PREVIOUS

_NOT_OFFERED = re.compile(
    "resources-(?!list)|prompts-(?!list)|completion-|logging-|elicitation-|input-required-"
    "|tools-call-with-logging|tools-call-sampling|tools-call-elicitation"
)
"""Scenarios about the suite's own resources and prompts, completion, logging, and asking the client."""

_LEAST = {CURRENT: 18, PREVIOUS: 14, OLDEST: 12}


@pytest.mark.extended
@pytest.mark.timeout(600)
@pytest.mark.parametrize("revision", [CURRENT, PREVIOUS, OLDEST])
def test_conformance(
    revision: str, inst: Installation, conformance: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_fixtures(inst, monkeypatch) as url:
        asked = ["server", "--url", url, "--suite", "all", "--spec-version", revision]
        done = subprocess.run(
            [*conformance, *asked], capture_output=True, text=True, timeout=300, check=False
        )
    _, _, summary = done.stdout.partition("=== SUMMARY ===")
    found = {
        name: (int(passed), int(failed))
        for name, passed, failed in re.findall(r"^. (\S+): (\d+) passed, (\d+) failed", summary, re.MULTILINE)
    }
    offered = {name: counts for name, counts in found.items() if not _NOT_OFFERED.match(name)}
    failed = {name: counts for name, counts in offered.items() if counts[1]}
    assert not failed, done.stdout[-20_000:]
    assert sum(passed > 0 for passed, _ in offered.values()) >= _LEAST[revision], summary

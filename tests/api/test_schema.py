"""The OpenAPI document and the API agree, whatever is sent: schemathesis with all checks, stateful too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.server import serving
from tests.conftest import MakeInstallation

_SECONDS = 240


@pytest.mark.slow
@pytest.mark.timeout(_SECONDS + 60)
def test_schemathesis_finds_nothing(make_installation: MakeInstallation, tmp_path: Path) -> None:
    inst = make_installation(rate_limit_minute=0, rate_limit_day=0)
    with serving(inst) as api:
        api.upload(api.parser())
        done = subprocess.run(
            [
                *(Path(sys.executable).with_name("schemathesis"), "--config-file"),
                *(Path(__file__).with_name("schemathesis.toml"), "run"),
                *("--header", f"Authorization: Bearer {api.key}", "--checks", "all", "--seed", "17"),
                *("--phases", "examples,coverage,fuzzing,stateful", "--mode", "all", "--max-examples", "20"),
                *("--continue-on-failure", "--no-color", f"{api.address}/api/v1/openapi.json"),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]

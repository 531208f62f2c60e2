"""A Python client made by openapi-python-client does its work with the running API."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import uv

from tests.api.generated_clients.served import ran, reading, write_document
from tests.conftest import MakeInstallation
from tests.server.served import serving

PRODUCT = ("docduck.api", "docduck.service.schemas")
HERE = Path(__file__).parent
_PACKAGE = "openapi-python-client==0.29.1"
ONLY_WARNING = "WARNING parsing PUT /api/v1/parsers/{parserId}/lookup-tables/{name} within post_processing."
"""Of a body that is either of two types, it takes the form."""


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generator's programs; skips where it can't be had.

    It needs other versions of packages than docduck does.
    """
    folder = tmp_path_factory.mktemp("generator")
    program = uv.find_uv_bin()
    subprocess.run([program, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [program, "pip", "install", "--quiet", "--python", str(python), _PACKAGE]
    done = subprocess.run(install, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode != 0:
        pytest.skip(f"packages can't be installed: {done.stderr[-200:]}")
    return python.parent


@pytest.mark.extended
def test_a_python_client_works(make_installation: MakeInstallation, generator: Path, tmp_path: Path) -> None:
    with serving(make_installation(rate_limit_minute=0)) as api, reading(api):
        write_document(api, tmp_path / "openapi.json")
        generate = (generator / "openapi-python-client", "generate", "--path", "openapi.json")
        said = ran((*generate, "--meta", "none", "--output-path", "docduck_api"), tmp_path)
        warnings = [line for line in said.splitlines() if line.startswith(("WARNING", "ERROR", "Unable"))]
        assert warnings == [ONLY_WARNING]
        program = tmp_path / "program.py"
        program.write_text((HERE / "program.py").read_text("utf-8"), "utf-8")
        ran((generator / "python", program, api.address, api.key), tmp_path)

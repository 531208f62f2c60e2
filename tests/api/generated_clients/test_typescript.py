"""A TypeScript client made by openapi-ts is right by its types, and works with the running API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.generated_clients.served import ran, reading, write_document
from tests.conftest import MakeInstallation
from tests.npm import npm_install
from tests.server.served import serving

PRODUCT = ("docduck.api", "docduck.service.schemas")
HERE = Path(__file__).parent
_PACKAGES = ("@hey-api/openapi-ts@0.99.0", "typescript@5.9.3", "@types/node@24.0.0")
_CHECKED = {"strict": True, "module": "nodenext", "target": "es2022", "skipLibCheck": True, "outDir": "made"}


@pytest.mark.extended
def test_a_typescript_client_works(make_installation: MakeInstallation, tmp_path: Path) -> None:
    node = npm_install(tmp_path, *_PACKAGES)
    programs = tmp_path / "node_modules" / ".bin"
    with serving(make_installation(rate_limit_minute=0)) as api, reading(api):
        write_document(api, tmp_path / "openapi.json")
        ran((node, programs / "openapi-ts", "-i", "openapi.json", "-o", "client"), tmp_path)
        (tmp_path / "program.ts").write_text((HERE / "program.ts").read_text("utf-8"), "utf-8")
        settings = {"compilerOptions": _CHECKED, "include": ["client", "program.ts"]}
        (tmp_path / "tsconfig.json").write_text(json.dumps(settings), "utf-8")
        ran((node, programs / "tsc", "--project", "."), tmp_path)
        ran((node, tmp_path / "made" / "program.js", api.address, api.key), tmp_path)

"""Write the client's types and resources from the OpenAPI document: ``python -m tools.client``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import docduck
from docduck.server.app import create_app
from docduck.service.core.installation import open_installation
from docduck.settings import Settings
from tools.client.resources import resources_source
from tools.client.types import types_source

_CLIENT = Path(docduck.__file__).parent / "client"


def sources(document: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield the generated files with their sources."""
    yield _CLIENT / "types.py", types_source(document)
    yield _CLIENT / "resources.py", resources_source(document)


def main() -> None:
    """Write the files."""
    with TemporaryDirectory() as folder:
        inst = open_installation(Settings(home=Path(folder)))
        try:
            for path, source in sources(create_app(inst).openapi()):
                path.write_text(source, "utf-8")
        finally:
            inst.close()


if __name__ == "__main__":
    main()

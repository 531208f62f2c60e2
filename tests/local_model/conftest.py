from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.local_model.choice import LocalModel
from docduck.local_model.server_state import end_servers
from tests.local_model.tiny_model import write_tiny_model


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny_model(tmp_path / "tiny.gguf")


@pytest.fixture
def tiny_model(tiny: Path, tmp_path: Path) -> Iterator[LocalModel]:
    """A model whose servers end with the test."""
    model = LocalModel(tiny, "tiny", tmp_path / "servers", 4096)
    yield model
    end_servers(model.folder)

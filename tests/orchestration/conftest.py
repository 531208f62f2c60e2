from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster import DagsterInstance

from docduck.service.core.installation import Installation
from tests.conftest import MakeInstallation
from tests.dagster_storage import local_instance
from tests.orchestration.parts import four_parsers, with_pipeline


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[DagsterInstance]:
    """Dagster's own storage, in a folder of the test's."""
    with local_instance(tmp_path / "dagster") as made:
        yield made


@pytest.fixture
def shop(make_installation: MakeInstallation, tmp_path: Path) -> Installation:
    """An installation with the four parsers and a pipeline file."""
    inst = make_installation(pipeline=with_pipeline(tmp_path))
    four_parsers(inst)
    return inst

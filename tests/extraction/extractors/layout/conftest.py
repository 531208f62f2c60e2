from pathlib import Path

import pytest


@pytest.fixture
def choice() -> None:
    """Let the likeliest of all proposals be chosen, in a test of proposals."""


@pytest.fixture(autouse=True)
def _proposals_alone(request: pytest.FixtureRequest) -> None:
    """Test what each finder proposes, not which of all proposals is chosen."""
    if "choice" not in request.fixturenames and "chooser" not in Path(request.path).parts:
        request.getfixturevalue("no_choice")

import pytest

from docduck.extraction.extractors.layout.labelled import remaining


@pytest.fixture
def no_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave fields open that no label names and no lesson shows."""
    monkeypatch.setattr(remaining, "LEAST", 1.1)

import pytest

from docduck.extraction.extractors.layout.chooser import Chooser


@pytest.fixture
def no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the extractors find, and leave fields open that they leave open."""
    monkeypatch.setattr(Chooser, "choose", lambda chooser, findings: {})

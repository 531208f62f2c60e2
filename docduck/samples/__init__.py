"""Documents that come with docduck, for a first look; each lies in the folder of its parser's slug.

They are made by ``python -m tests.samples --ship``.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def shipped() -> list[tuple[str, Traversable]]:
    """Parser slug and file of every sample document, sorted."""
    folders = [entry for entry in files(__name__).iterdir() if entry.is_dir() and entry.name != "__pycache__"]
    found = [(folder.name, file) for folder in folders for file in folder.iterdir() if file.is_file()]
    return sorted(found, key=lambda pair: (pair[0], pair[1].name))

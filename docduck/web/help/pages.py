"""The pages of help: which README each shows, in groups."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import docduck

PACKAGES = Path(docduck.__file__).parents[1]
"""The folder of the packages, where they are installed."""

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Working with documents": {
        "web": "docduck/web",
        "documents": "docduck/documents",
        "sources": "docduck/sources",
        "classifiers": "docduck/service/classifiers",
        "processing": "docduck/service/processing",
        "reviews": "docduck/service/reviews",
        "extraction": "docduck/extraction",
        "local_model": "docduck/local_model",
        "post_processing": "docduck/extraction/post_processing",
        "search": "docduck/service/search",
    },
    "Tables and files": {
        "warehouse": "docduck/warehouse",
        "exports": "docduck/exports",
        "evaluation": "docduck/evaluation",
    },
    "Connecting programs": {
        "api": "docduck/api",
        "webhooks": "docduck/service/webhooks",
        "mcp": "docduck/mcp",
        "oauth": "docduck/service/oauth",
        "client": "docduck/client",
        "cli": "docduck/cli",
    },
    "Running docduck": {
        "settings": "docduck",
        "upkeep": "docduck/service/upkeep",
        "pipeline": "docduck/service/pipeline",
        "orchestration": "orchestration",
        "dagster": "dagster_docduck",
    },
}
"""The folders of READMEs in the repository by the names of their pages, by the titles of groups."""

FOLDERS = {name: folder for group in GROUPS.values() for name, folder in group.items()}
_INSTALLED = {"orchestration": "dagster_docduck/orchestration"}


def installed(name: str) -> Path:
    """Return the folder that holds a page's README where docduck is installed."""
    return PACKAGES / _INSTALLED.get(name, FOLDERS[name])

"""Packages with entry points, made in a folder for a test."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest

from docduck import plugins
from docduck.documents import reader
from docduck.documents.detection import file_types
from docduck.extraction import run_extractors
from docduck.service.pipeline import source_kinds

MakePlugin = Callable[..., None]

_CACHES: tuple[_lru_cache_wrapper[object], ...] = (
    plugins.plugins,
    plugins._declared,
    plugins._load,
    file_types.added_readers,
    file_types.added_types,
    file_types.labels,
    reader._added,
    run_extractors.extractors,
    source_kinds._added,
    source_kinds._spec,
)


@pytest.fixture
def make_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakePlugin]:
    """Installs a package of one module, with an entry point for its object ``added``."""
    folder = tmp_path / "packages"
    monkeypatch.syspath_prepend(str(folder))
    names: list[str] = []

    def make(group: str, name: str, code: str, package: str = "made-plugin") -> None:
        module = f"{package}_{name}".replace("-", "_")
        folder.mkdir(exist_ok=True)
        (folder / f"{module}.py").write_text(code)
        metadata = folder / f"{package.replace('-', '_')}-1.0.dist-info"
        metadata.mkdir(exist_ok=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        with (metadata / "entry_points.txt").open("a") as file:
            file.write(f"[docduck.{group}]\n{name} = {module}:added\n")
        names.append(module)
        importlib.invalidate_caches()
        forget()

    yield make
    for module in names:
        sys.modules.pop(module, None)
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Have docduck look for entry points again."""
    for cached in _CACHES:
        cached.cache_clear()

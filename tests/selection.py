"""Choose the extended tests of what has changed: ``python -m tests.selection parallel|system [BASE]``.

Prints the test files to run: of ``tests/system``, or of all other folders. Pytest then takes their extended
tests. A test file is about the modules of its ``PRODUCT``, or of the folder of ``docduck`` that mirrors its
own, and about those that it imports, itself or by helpers of the tests. It is chosen if one of these has
changed, or a module that its ``PRODUCT`` or folder imports.

``BASE`` is the commit to compare with; by default, where the branch left the main branch of ``origin``. All
files are chosen if there is no such commit, or if something has changed that everything depends on.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
SYSTEM = "tests/system/"
EVERYTHING = (
    *("docduck/workers/", "docduck/catalog/", "docduck/documents/reader.py"),
    *("pyproject.toml", "requirements.lock", "Makefile", ".ci/", "tests/conftest.py"),
)
"""Beginnings of paths whose change chooses all tests."""

_PACKAGES = ("docduck", "dagster_docduck")
_LINKED = ("orchestration", "assets", "resources")
"""Folders that ``dagster_docduck`` has by symbolic links."""


@cache
def _imports() -> Mapping[str, set[str]]:
    """Return the modules that each module of the product, tests and tools imports."""
    graph = grimp.build_graph(*_PACKAGES, "tests", "tools", cache_dir=None)
    return {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}


class Selection:
    """The files of tests that a change of files, named by their paths below the root, can affect."""

    def __init__(self, changed: Collection[str]) -> None:
        self._changed = changed

    def files(self) -> Iterator[str]:
        """Yield the paths of the chosen test files."""
        everything = any(path.startswith(EVERYTHING) for path in self._changed)
        for path in sorted((ROOT / "tests").rglob("test_*.py")):
            if everything or self._is_affected(path.relative_to(ROOT)):
                yield str(path.relative_to(ROOT))

    def _is_affected(self, test: Path) -> bool:
        conftests = {f"{parent}/conftest.py" for parent in test.parents if parent != Path()}
        return not self._modules.isdisjoint(_affecting(test)) or not conftests.isdisjoint(self._changed)

    @cached_property
    def _modules(self) -> set[str]:
        """The modules that have changed; those of a folder whose templates, scripts or data have changed."""
        changed: set[str] = set()
        for path in self._changed:
            if path.endswith(".py"):
                changed.add(_module(path))
            elif _package_of(path):
                changed |= _below(_package_of(path))
        return changed


@cache
def _affecting(test: Path) -> set[str]:
    """Return the modules whose change chooses a test file."""
    helpers, folder = _helpers(_module(str(test))), _folder_of(test)
    imported = {module for name in helpers | folder for module in _imported(name)}
    return helpers | folder | imported


def _imported(module: str) -> set[str]:
    """Return the modules of the product that a module imports."""
    return {name for name in _imports().get(module, ()) if name.split(".")[0] in _PACKAGES}


def _helpers(test: str) -> set[str]:
    """Return a module of tests and those of tests and tools that it imports, directly or not."""
    found, todo = {test}, [test]
    while todo:
        for name in _imports().get(todo.pop(), ()):
            if name.split(".")[0] not in _PACKAGES and name not in found:
                found.add(name)
                todo.append(name)
    return found


def _folder_of(test: Path) -> set[str]:
    """Return the product's modules that a test file is about by its ``PRODUCT`` or its place."""
    for node in ast.parse((ROOT / test).read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PRODUCT":
            packages: Collection[str] = ast.literal_eval(node.value)
            return set().union(*(_below(package) for package in packages))
    folders = test.parts[1:-1]
    if not folders:
        return set()
    prefix = "" if folders[0] == "dagster_docduck" else "docduck."
    if folders[0] in _LINKED:
        prefix = "dagster_docduck."
    return _below(prefix + ".".join(folders))


@cache
def _below(package: str) -> set[str]:
    """Return a package and the modules within."""
    return {name for name in _imports() if name == package or name.startswith(f"{package}.")}


def _module(path: str) -> str:
    """Return the name of the module in a file."""
    parts = Path(path).with_suffix("").parts
    if parts[0] in _LINKED:
        parts = ("dagster_docduck", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _package_of(path: str) -> str:
    """Return the package of the product in whose folder a file is that is no module; empty for others."""
    package = _module(str(Path(path).parent / "__init__.py")) if "/" in path else ""
    return package if package.split(".")[0] in _PACKAGES else ""


def changed_since(base: str) -> list[str] | None:
    """Return the paths of what was changed after a commit, or None if there is no such commit."""
    base = base or _git("merge-base", "HEAD", "origin/HEAD")
    if not base or _git("rev-parse", "--verify", f"{base}^{{commit}}") in ("", _git("rev-parse", "HEAD")):
        return None
    return _git("diff", "--name-only", base).splitlines()


def _git(*arguments: str) -> str:
    """Return what git prints; empty if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def main(part: str, base: str = "") -> None:
    """Print the chosen files, and to stderr why all of them, if so."""
    changed = changed_since(base)
    if changed is None:
        print("No commit to compare with: all extended tests are chosen", file=sys.stderr)
    for path in Selection(EVERYTHING if changed is None else changed).files():
        if path.startswith(SYSTEM) == (part == "system"):
            print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])

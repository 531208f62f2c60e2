"""What is kept in git: free of this or that machine, locked, and described by make."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docduck.cli.commands.running import GRACE_SECONDS
from docduck.cli.main import COMMANDS
from docduck.settings import Settings
from tests import licences

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"^([a-zA-Z0-9._-]+)==(\S+)", re.MULTILINE)
MACHINE = re.compile(rb"(?<![\w.])/(?:home|root|Users|workspace|work)/[\w.-]+|[A-Za-z]:\\Users\\")
REGISTRY = re.compile(r"https?://|--(?:extra-)?index-url|--find-links|@ file:")
PACKAGES = ("docduck", "dagster_docduck")
FOLDERS = (*PACKAGES, "orchestration", "assets", "resources")
NOT_IMPORTED = {
    "httptools",  # uvicorn's parser of requests
    "rapidocr",  # the models in its wheel, as files
    "uvloop",  # uvicorn's event loop
}
MOST_MODULES = 20
OPTIONAL = ("postgres", "redis", "lake", "traces", "model", "fit")
"""In a folder of the library, so that its listing is read at a glance."""
NOT_MODULES = {"binned_documents", "write"}
"""A table and a function that docstrings of packages name."""
TARGETS = {"run", "test", "test-fast", "bench", "check", "system-deps", "lock", "clean", "help"}


def tracked_paths() -> list[Path]:
    """Return the files and symbolic links in git."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in listed.decode().split("\0") if name]
    return [path for path in paths if path.exists()]


def tracked_files() -> list[Path]:
    return [path for path in tracked_paths() if path.is_file()]


def copy_project(folder: Path) -> None:
    """Copy what is in git to ``folder``."""
    for path in tracked_paths():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy, follow_symlinks=False)


def locked() -> dict[str, str]:
    text = (ROOT / "requirements.lock").read_text()
    return {canonicalize_name(name): version for name, version in PINNED.findall(text)}


def test_no_file_names_a_place_on_somebody_s_machine() -> None:
    found = {
        str(path.relative_to(ROOT)): match.group().decode()
        for path in tracked_files()
        if (match := MACHINE.search(path.read_bytes()))
    }
    assert found == {}


def test_the_lock_names_no_registry() -> None:
    assert REGISTRY.findall((ROOT / "requirements.lock").read_text()) == []


def test_every_locked_package_has_hashes() -> None:
    entries = re.split(r"^(?=[a-zA-Z0-9])", (ROOT / "requirements.lock").read_text(), flags=re.MULTILINE)
    assert [entry.split()[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry] == []


def test_the_lock_fits_the_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = [
        Requirement(text)
        for text in [
            *project["project"]["dependencies"],
            *extras["dev"],
            *extras["postgres"],
            *project["build-system"]["requires"],
        ]
    ]
    versions = locked()
    assert [
        str(requirement)
        for requirement in wanted
        if not requirement.specifier.contains(versions.get(canonicalize_name(requirement.name), "0"))
    ] == []


def imported_modules() -> Iterator[str]:
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    yield from (alias.name for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    yield node.module


@pytest.mark.slow
def test_what_is_imported_is_declared_and_what_is_declared_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    declared, optional = (
        {canonicalize_name(Requirement(text).name) for text in texts}
        for texts in (
            project["dependencies"],
            [
                text
                for name in ("postgres", "redis", "lake", "traces", "model", "fit")
                for text in extras[name]
            ],
        )
    )
    modules = {name.partition(".")[0] for name in imported_modules()}
    modules -= {*PACKAGES, *sys.stdlib_module_names}
    distributions = packages_distributions()
    sources = {
        module: {canonicalize_name(name) for name in distributions.get(module, [module])}
        for module in modules
    }
    assert {module for module, names in sources.items() if not names & (declared | optional)} == set()
    assert declared - set().union(*sources.values()) == NOT_IMPORTED


def test_make_help_lists_all_targets() -> None:
    text = (ROOT / "Makefile").read_text()
    phony = set(re.findall(r"^\.PHONY: (.*)$", text, flags=re.MULTILINE)[0].split())
    shown = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert {line.split()[1] for line in shown.splitlines()} == phony
    assert phony >= TARGETS


def test_the_image_is_made_of_what_there_is() -> None:
    text = (ROOT / "orchestration" / "Dockerfile").read_text()
    copied = {
        name for line in re.findall(r"^COPY (?!--)(.+) \S+$", text, re.MULTILINE) for name in line.split()
    }
    assert {name for name in copied if not (ROOT / name).exists()} == set()
    assert copied >= {*FOLDERS, "pyproject.toml", "requirements.lock", "README.md", "LICENSE"}
    names = set(re.findall(r"\bDOCDUCK_(\w+)=", text))
    assert names and {name.lower() for name in names} <= set(Settings.model_fields)
    port = Settings().api_port
    assert f"EXPOSE {port}\n" in text
    assert f"http://127.0.0.1:{port}/readyz" in text
    assert f"WORKDIR /srv/docduck\nVOLUME /srv/docduck/{Settings().home}\n" in text


def test_the_pods_that_read_run_the_image_with_what_there_is() -> None:
    deployment, scaler = yaml.safe_load_all((ROOT / "orchestration" / "kubernetes.yaml").read_text())
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["args"][0] in COMMANDS
    assert {entry["name"].removeprefix("DOCDUCK_").lower() for entry in container["env"]} <= set(
        Settings.model_fields
    )
    image = (ROOT / "orchestration" / "Dockerfile").read_text()
    assert f"--uid {pod['securityContext']['runAsUser']} " in image
    places = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    assert {"/tmp", container["env"][0]["value"]} == set(places), "the rest is read only"
    assert set(places.values()) == {volume["name"] for volume in pod["volumes"]}
    assert pod["terminationGracePeriodSeconds"] > GRACE_SECONDS
    assert scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]


def test_no_folder_of_the_library_has_too_many_modules() -> None:
    modules = Counter(path.parent.relative_to(ROOT) for path in (ROOT / "docduck").rglob("*.py"))
    del modules[Path("docduck/catalog/migrations/versions")]
    assert {str(folder): count for folder, count in modules.items() if count > MOST_MODULES} == {}


def test_readmes_name_modules_that_there_are() -> None:
    paths = [f"/{path.relative_to(ROOT)}" for path in tracked_files()]
    named = {
        (str(path.relative_to(ROOT)), name)
        for path in tracked_files()
        if path.name == "README.md"
        for name in re.findall(r"`([\w/]+\.py)`", path.read_text())
    }
    assert named
    assert {one for one in named if not any(path.endswith(f"/{one[1]}") for path in paths)} == set()


def test_packages_name_modules_that_there_are() -> None:
    named = {
        (package.parent, name)
        for package in (ROOT / "docduck").rglob("__init__.py")
        for name in re.findall(r"``([a-z_]+)``", ast.get_docstring(ast.parse(package.read_text())) or "")
    }
    assert len(named) > len(NOT_MODULES)
    there = {(folder, name): {path.stem for path in folder.rglob("*")} for folder, name in named}
    assert {name for (folder, name), names in there.items() if name not in names} == NOT_MODULES


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert text.strip().startswith("Apache License")
    assert "END OF TERMS AND CONDITIONS" in text
    assert text.rstrip().endswith("limitations under the License.")


def test_a_copyleft_licence_is_a_problem_unless_it_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert licences.problems() == []
    monkeypatch.setattr(licences, "ALLOWED", {})
    assert [line.partition(":")[0] for line in licences.problems()] == ["pi-heif", "psycopg2-binary"]

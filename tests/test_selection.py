"""Which extended tests a change chooses."""

from __future__ import annotations

import pytest

from tests.selection import ROOT, Selection, changed_since

pytestmark = pytest.mark.slow


def chosen(*changed: str) -> set[str]:
    return set(Selection(changed).files())


ALL = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")}


@pytest.mark.parametrize(
    "path",
    [
        "docduck/workers/pool.py",
        "docduck/catalog/models/parsers.py",
        "docduck/documents/reader.py",
        "pyproject.toml",
        "requirements.lock",
        "tests/conftest.py",
    ],
)
def test_what_everything_depends_on_chooses_all(path: str) -> None:
    assert chosen(path) == ALL


OTHER = "tests/exports/test_volume.py"


@pytest.mark.parametrize(
    ("path", "test"),
    [
        # The folder of the test's own path.
        ("docduck/mcp/server.py", "tests/mcp/test_query.py"),
        ("docduck/service/webhooks/delivery.py", "tests/service/webhooks/test_crashes.py"),
        ("orchestration/definitions.py", "tests/orchestration/test_plain_dagster.py"),
        # What that folder imports.
        ("docduck/service/previews/page_images.py", "tests/mcp/test_query.py"),
        # A script of a page.
        ("docduck/web/documents/pages.js", "tests/web/test_firefox.py"),
        # What a test of a whole docduck is about, and what that imports.
        ("docduck/service/runs/run_starter.py", "tests/system/test_slow_starts.py"),
        ("docduck/service/requests/idempotency.py", "tests/system/test_newcomer_browser.py"),
        # Helpers of tests.
        ("tests/system/papers.py", "tests/system/test_kills.py"),
        ("tests/api/conftest.py", "tests/api/response/test_schema.py"),
    ],
)
def test_a_change_chooses_what_it_can_affect(path: str, test: str) -> None:
    assert (ROOT / path).exists()
    found = chosen(path)
    assert test in found
    assert OTHER not in found


def test_a_changed_test_is_chosen_alone() -> None:
    assert chosen(OTHER) == {OTHER}
    assert chosen("README.md") == set()


def test_a_whole_docduck_is_about_parts_of_the_product() -> None:
    for path in (ROOT / "tests" / "system").glob("test_*.py"):
        assert "\nPRODUCT = (" in path.read_text(), path


def test_without_a_commit_to_compare_with_nothing_is_known() -> None:
    assert changed_since("no-such-commit") is None
    assert changed_since("HEAD") is None

"""Releases: each has its line in the changelog, and a catalog that is opened for ever after.

``REGENERATE=1`` writes the catalog of a release that is not out yet.
"""

from __future__ import annotations

import os
import re
import socket
import tomllib
from pathlib import Path

import pytest
from sqlalchemy import select

import docduck
from docduck.catalog import migrate as migrate_module
from docduck.catalog.migrate import HEAD
from docduck.catalog.models import Document
from docduck.catalog.releases import RELEASES, upgrades_from
from docduck.service.core.installation import open_installation
from docduck.service.corrections.corrections import set_values
from docduck.service.processing.processing import process_queue
from docduck.service.webhooks.secrets import rotate_secret
from docduck.settings import Settings
from tests.catalog.old_catalogs import FOLDER, check_home
from tests.catalog.sql_dump import dumped, restore
from tests.service.classifiers.classifiers_world import make_classifier
from tests.service.core.documents import upload
from tests.service.sources.mails import mail, paper
from tests.service.webhooks.receiver import subscribe
from tools.readme import ROOT

_HEADING = re.compile(r"^## ([0-9.]+) \((not released yet|[0-9-]{10})\)$", re.MULTILINE)
_CHANGES = dict(_HEADING.findall((ROOT / "CHANGELOG.md").read_text()))
"""When each release was made, the newest first."""
_NEWEST = docduck.__version__


def test_the_version_is_the_same_everywhere() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == _NEWEST
    assert [*RELEASES] == [*_CHANGES][::-1]
    assert [*RELEASES][-1] == _NEWEST
    assert RELEASES[_NEWEST] == migrate_module._VERSIONS[0]
    assert [*RELEASES.values()] == sorted(RELEASES.values())
    assert [release for release, date in _CHANGES.items() if date == "not released yet"] in ([], [_NEWEST])


def test_a_release_upgrades_what_is_not_older_than_its_oldest_catalog() -> None:
    oldest = RELEASES["0.1.0"]
    assert upgrades_from(f"{int(oldest) - 1:04}") is None
    assert upgrades_from(oldest) is not None


def _path(release: str) -> Path:
    return FOLDER / f"release-{release}.sql"


def _write_catalog(home: Path, path: Path) -> None:
    """Write the catalog of a home with the rows that all of these catalogs have."""
    inst = open_installation(Settings(home=home))
    _, (parser,) = make_classifier(inst, "Invoices", name="Incoming mail")
    upload(inst, inst.team_id, parser.slug, paper("A-1"), "a.txt")
    upload(inst, inst.team_id, parser.slug, mail([("c.txt", paper("A-3"))]), "mail.eml")
    hook, _ = subscribe(inst, parser.id, "https://example.org/hook", ["document.processed"])
    rotate_secret(inst, inst.team_id, parser.id, hook, "test")
    process_queue(inst)
    upload(inst, inst.team_id, parser.slug, paper("A-2"), "b.txt")
    with inst.catalog.read_session() as session:
        first = session.scalars(select(Document.id).where(Document.name == "a.txt")).one()
    set_values(inst, inst.team_id, parser.id, first, {"Number": "A-9"})
    inst.close()
    sql = dumped(home / "catalog.sqlite", without=("home", "reading_homes", "rate_counts"))
    path.write_text(re.sub(rf"'{socket.gethostname()}[^/']*", "'host", sql))


@pytest.mark.parametrize("release", RELEASES)
def test_the_home_of_every_release_is_opened(release: str, tmp_path: Path) -> None:
    path = _path(release)
    if "REGENERATE" in os.environ and _CHANGES[release] == "not released yet":
        _write_catalog(tmp_path / "new", path)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    restore(path.read_text(), home / "catalog.sqlite")
    check_home(Settings(home=home))


def test_a_release_has_the_catalog_that_it_writes() -> None:
    if _CHANGES[_NEWEST] != "not released yet":
        assert f"('{HEAD}')" in _path(_NEWEST).read_text()

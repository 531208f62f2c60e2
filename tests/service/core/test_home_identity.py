"""A catalog belongs to one home."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.service.core.home_identity import FILE_NAME
from docduck.service.core.installation import open_installation
from docduck.settings import Settings
from tests.conftest import MakeInstallation


@pytest.fixture
def shared(make_installation: MakeInstallation, tmp_path: Path) -> str:
    """The address of a catalog that a home at ``first`` uses."""
    address = f"sqlite:///{tmp_path}/shared.sqlite"
    make_installation(home=tmp_path / "first", catalog_url=address)
    return address


def test_another_home_on_the_same_catalog_is_refused(shared: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        open_installation(Settings(home=tmp_path / "second", catalog_url=shared))
    installation_id = (tmp_path / "first" / FILE_NAME).read_text().strip()
    for name in (tmp_path / "first", tmp_path / "second", installation_id, "DOCDUCK_CATALOG_URL"):
        assert str(name) in refused.value.message
    open_installation(Settings(home=tmp_path / "first", catalog_url=shared)).close()


def test_a_moved_home_keeps_its_catalog(shared: str, tmp_path: Path) -> None:
    (tmp_path / "first").rename(tmp_path / "moved")
    open_installation(Settings(home=tmp_path / "moved", catalog_url=shared)).close()
    with pytest.raises(InputError, match="moved"):
        open_installation(Settings(home=tmp_path / "second", catalog_url=shared))


def test_a_home_that_was_restored_without_its_id_takes_it_from_the_message(
    shared: str, tmp_path: Path
) -> None:
    lost = tmp_path / "first" / FILE_NAME
    installation_id = lost.read_text()
    lost.unlink()
    with pytest.raises(InputError, match=installation_id.strip()):
        open_installation(Settings(home=tmp_path / "first", catalog_url=shared))
    lost.write_text(installation_id)
    open_installation(Settings(home=tmp_path / "first", catalog_url=shared)).close()


def test_a_catalog_inside_the_home_is_its_own(make_installation: MakeInstallation, tmp_path: Path) -> None:
    home = tmp_path / "home"
    make_installation(home=home).close()
    (home / FILE_NAME).unlink()
    make_installation(home=home)
    assert (home / FILE_NAME).exists()


def test_an_id_that_cannot_be_read_is_named(make_installation: MakeInstallation, tmp_path: Path) -> None:
    home = tmp_path / "home"
    make_installation(home=home).close()
    (home / FILE_NAME).write_text("mine")
    with pytest.raises(InputError, match=FILE_NAME):
        make_installation(home=home)

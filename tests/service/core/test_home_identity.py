"""A catalog belongs to one home."""

from __future__ import annotations

import datetime as dt
import shutil
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.database import Catalog
from docduck.catalog.models import HomeRecord
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.core.home_identity import FILE_NAME
from docduck.service.core.installation import Installation, open_installation
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.service.core.at_once import at_once
from tests.service.core.documents import add, make_parser
from tests.waiting import wait_for


@pytest.fixture
def shared(make_installation: MakeInstallation, tmp_path: Path) -> str:
    """The address of a catalog that a home at ``first`` uses."""
    address = f"sqlite:///{tmp_path}/shared.sqlite"
    make_installation(home=tmp_path / "first", catalog_url=address).close()
    return address


def test_another_home_on_the_same_catalog_is_refused(shared: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        open_installation(Settings(home=tmp_path / "second", catalog_url=shared))
    for name in (tmp_path / "first", tmp_path / "second", "docduck home adopt", "DOCDUCK_CATALOG_URL"):
        assert str(name) in refused.value.message
    open_installation(Settings(home=tmp_path / "first", catalog_url=shared)).close()
    # A home that is moved keeps it.
    (tmp_path / "first").rename(tmp_path / "moved")
    open_installation(Settings(home=tmp_path / "moved", catalog_url=shared)).close()
    with pytest.raises(InputError, match="moved"):
        open_installation(Settings(home=tmp_path / "second", catalog_url=shared))


@pytest.fixture
def left(shared: str, tmp_path: Path) -> str:
    """The address of a catalog whose home at ``first`` has not been used for long, with one document."""
    inst = open_installation(Settings(home=tmp_path / "first", catalog_url=shared))
    add(inst, make_parser(inst))
    inst.close()
    return shared


def _age(address: str) -> None:
    catalog = Catalog(address, 1)
    with catalog.transaction() as session:
        session.execute(update(HomeRecord).values(used_at=clock.now() - dt.timedelta(minutes=2)))
    catalog.close()


def test_a_catalog_is_adopted_by_a_home_with_its_files_once_its_own_is_not_in_use(
    left: str, tmp_path: Path
) -> None:
    second = Settings(home=tmp_path / "second", catalog_url=left)
    with pytest.raises(Conflict, match=r"first .* is in use\. Stop docduck there, and try again in"):
        open_installation(second, adopt=True)
    _age(left)
    with pytest.raises(InputError, match="has none of the catalog's newest files"):
        open_installation(second, adopt=True)
    open_installation(Settings(home=tmp_path / "first", catalog_url=left)).close()
    shutil.copytree(tmp_path / "first" / "files", tmp_path / "second" / "files", dirs_exist_ok=True)
    _age(left)
    open_installation(second, adopt=True).close()
    open_installation(second).close()
    with pytest.raises(InputError, match=r"belongs to the home .*second"):
        open_installation(Settings(home=tmp_path / "first", catalog_url=left))


def test_a_home_that_lost_its_id_adopts_its_catalog(left: str, tmp_path: Path) -> None:
    (tmp_path / "first" / FILE_NAME).unlink()
    first = Settings(home=tmp_path / "first", catalog_url=left)
    with pytest.raises(InputError, match="docduck home adopt"):
        open_installation(first)
    _age(left)
    open_installation(first, adopt=True).close()
    open_installation(first).close()


def test_an_open_home_notes_that_it_is_in_use(
    shared: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    set_constants: SetConstants,
) -> None:
    set_constants(heartbeat_seconds=1, lease_seconds=10)
    inst = open_installation(Settings(home=tmp_path / "first", catalog_url=shared))
    _age(shared)
    old = _used_at(inst)
    wait_for(lambda: _used_at(inst) > old)
    with inst.catalog.transaction() as session:
        session.execute(update(HomeRecord).values(installation_id=new_id()))
    wait_for(lambda: "Another home has adopted the catalog" in caplog.text)
    inst.close()


def _used_at(inst: Installation) -> dt.datetime:
    with inst.catalog.read_session() as session:
        return session.scalars(select(HomeRecord.used_at)).one() or dt.datetime.min.replace(tzinfo=dt.UTC)


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres_database", "postgres_catalog"])
def test_one_of_two_new_homes_at_the_same_moment_goes_on(
    database: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    address = request.getfixturevalue(database)

    def come_up(name: str) -> str:
        open_installation(Settings(home=tmp_path / name, catalog_url=address)).close()
        return name

    outcomes = at_once(partial(come_up, "one"), partial(come_up, "two"))
    (first,) = (one for one in outcomes if isinstance(one, str))
    (error,) = (one for one in outcomes if isinstance(one, InputError))
    assert f"The catalog belongs to the home {tmp_path / first} on " in error.message


def test_a_catalog_inside_the_home_is_its_own_and_an_id_that_cannot_be_read_is_named(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    make_installation(home=home).close()
    (home / FILE_NAME).unlink()
    make_installation(home=home)
    assert (home / FILE_NAME).exists()
    (home / FILE_NAME).write_text("mine")
    with pytest.raises(InputError, match=FILE_NAME):
        make_installation(home=home)

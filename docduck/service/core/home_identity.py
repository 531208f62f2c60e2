"""The installation's id, which the home and its catalog share.

Two homes on one catalog would fail each other's documents, whose files only one of them has.
"""

from __future__ import annotations

import logging
import math
import os
import socket
import threading
import uuid
from contextlib import suppress
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from docduck import __version__, clock
from docduck.catalog.database import Catalog
from docduck.catalog.migrate import HEAD, version
from docduck.catalog.models import HomeRecord, StoredFile
from docduck.catalog.upsert import insert_missing
from docduck.errors import Conflict, InputError
from docduck.files.store import open_files
from docduck.ids import new_id
from docduck.owner import HEARTBEAT_SECONDS, LEASE_SECONDS
from docduck.settings import Settings

FILE_NAME = "installation-id"

_FILES = 100
"""The newest files of the catalog, of which a home that adopts it has at least one."""

_log = logging.getLogger(__name__)


def place_of(settings: Settings) -> str:
    """Return the home and its machine, as people are told them."""
    return f"{settings.home.absolute()} on {socket.gethostname()}"


def check_home(session: Session, settings: Settings, adopt: bool = False) -> None:
    """Give the home and its catalog the same id, if one of them has none.

    With ``adopt``, the catalog belongs to this home from now on. Raise InputError if the catalog belongs to
    another home, or this one has not its files, Conflict if that is in use. A catalog inside the home is
    always its own.
    """
    home = settings.home.absolute()
    if settings.files_url is not None and next((home / "files").glob("??/*"), None) is not None:
        raise InputError(
            f"{home / 'files'} has stored files, and DOCDUCK_FILES_URL names {settings.files_url}. Copy them "
            "there under the same names, as every tool for buckets can, and move the folder away",
            "DOCDUCK_FILES_URL",
        )
    present = _read(home)
    place = place_of(settings)
    record = session.get(HomeRecord, 1, with_for_update=adopt)
    if record is None:
        mine = present or _write(home, new_id())
        insert_missing(session, HomeRecord, [{"number": 1, "installation_id": mine, "place": place}])
        record = session.get_one(HomeRecord, 1)
        present = mine
    if settings.catalog_url is None:
        present = present or _write(home, record.installation_id)
    elif present != record.installation_id:
        if not adopt:
            raise InputError(
                f"The catalog belongs to the home {record.place}, and {place} is another home. "
                "Point DOCDUCK_HOME at the first, or DOCDUCK_CATALOG_URL at a catalog of this home's own. "
                f"If the first was moved or restored to {home}, run: docduck home adopt",
                "DOCDUCK_HOME",
            )
        _check_adoption(session, settings, record)
        record.installation_id = present or _write(home, new_id())
    if record.place != place:
        record.place = place
    if settings.catalog_url is not None:
        record.used_at = clock.now()


def _check_adoption(session: Session, settings: Settings, record: HomeRecord) -> None:
    """Raise Conflict if the catalog's home is in use, InputError if its files are not in this one."""
    left = 0.0
    if record.used_at is not None:
        left = LEASE_SECONDS - (clock.now() - record.used_at).total_seconds()
    if left > 0:
        raise Conflict(
            f"The home {record.place} is in use. Stop docduck there, and try again in {math.ceil(left)} s"
        )
    if not _has_files(session, settings):
        raise InputError(
            f"{settings.files_url or settings.home.absolute() / 'files'} has none of the catalog's newest "
            f"files: move or restore all of the home {record.place} to {settings.home.absolute()} first",
            "DOCDUCK_HOME",
        )


def check_shared(settings: Settings) -> None:
    """Raise InputError unless the settings name what homes on several machines share."""
    shared = {"DOCDUCK_CATALOG_URL": settings.catalog_url, "DOCDUCK_FILES_URL": settings.files_url}
    for name, value in shared.items():
        if value is None:
            raise InputError(
                f"{name} is not set on {socket.gethostname()}: a home that only reads shares the catalog and "
                "the files of docduck on another machine",
                name,
            )


def check_version(catalog: Catalog) -> None:
    """Raise InputError unless the catalog's tables are those of this docduck; change nothing."""
    present = version(catalog)
    if present != HEAD:
        raise InputError(
            f"The catalog is at version {present}, and docduck {__version__} on {socket.gethostname()} works "
            f"with version {HEAD}: install the same docduck on all machines",
            "DOCDUCK_CATALOG_URL",
        )


def check_reading_home(session: Session, settings: Settings) -> None:
    """Raise InputError if a home can't read the documents of the catalog's home."""
    record = session.get(HomeRecord, 1)
    if record is None:
        raise InputError("The catalog has no home yet: start docduck up first", "DOCDUCK_CATALOG_URL")
    if _read(settings.home.absolute()) is not None:
        raise InputError(
            f"{place_of(settings)} keeps tables: docduck up reads there. Point DOCDUCK_HOME at a folder of "
            "its own for docduck work",
            "DOCDUCK_HOME",
        )
    if not _has_files(session, settings):
        raise InputError(
            f"{settings.files_url} has none of the catalog's newest files: {socket.gethostname()} needs the "
            f"DOCDUCK_FILES_URL of {record.place}",
            "DOCDUCK_FILES_URL",
        )


def _has_files(session: Session, settings: Settings) -> bool:
    """Return whether one of the catalog's newest files is in the store, or there are none."""
    newest = select(StoredFile.sha256).where(StoredFile.released_at.is_(None))
    hashes = session.scalars(newest.order_by(StoredFile.created_at.desc()).limit(_FILES)).all()
    files = open_files(settings)
    return not hashes or any(files.stored_at(sha256) is not None for sha256 in hashes)


class HomeUse:
    """Notes from a thread that the home is in use, so that no other adopts its catalog meanwhile."""

    def __init__(self, catalog: Catalog, settings: Settings) -> None:
        self._catalog = catalog
        self._settings = settings
        self._id = _read(settings.home.absolute())
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="home-use", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(HEARTBEAT_SECONDS):
            try:
                self._note()
            except SQLAlchemyError as error:
                _log.warning("The use of the home is not noted: %s", type(error).__name__)

    def _note(self) -> None:
        mine = update(HomeRecord).where(HomeRecord.installation_id == self._id)
        with self._catalog.transaction() as session:
            number = session.scalar(mine.values(used_at=clock.now()).returning(HomeRecord.number))
        if number is None:
            _log.error("Another home has adopted the catalog: stop docduck on %s", self._settings.home)


def _read(home: Path) -> str | None:
    with suppress(FileNotFoundError):
        words = (home / FILE_NAME).read_text(encoding="ascii", errors="replace").strip()
        try:
            return str(uuid.UUID(words))
        except ValueError as error:
            raise InputError(
                f"{home / FILE_NAME} must hold the installation's id, and nothing else; restore it from a "
                "backup of the home",
                "DOCDUCK_HOME",
            ) from error
    return None


def _write(home: Path, identity: str) -> str:
    """Store the id, complete or not at all; return that of another process that was first."""
    aside = home / f"{FILE_NAME}.{new_id()}"
    aside.write_text(f"{identity}\n", encoding="ascii")
    try:
        with suppress(FileExistsError):
            os.link(aside, home / FILE_NAME)
    finally:
        aside.unlink()
    return _read(home) or identity

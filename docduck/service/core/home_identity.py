"""The installation's id, which the home and its catalog share.

Two homes on one catalog would fail each other's documents, whose files only one of them has.
"""

from __future__ import annotations

import os
import socket
import uuid
from contextlib import suppress
from pathlib import Path

from sqlalchemy.orm import Session

from docduck.catalog.models import HomeRecord
from docduck.catalog.upsert import insert_missing
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.settings import Settings

FILE_NAME = "installation-id"


def check_home(session: Session, settings: Settings) -> None:
    """Give the home and its catalog the same id, if one of them has none.

    Raise InputError if the catalog belongs to another home. A catalog inside the home is always its own.
    """
    home = settings.home.absolute()
    present = _read(home)
    place = f"{home} on {socket.gethostname()}"
    record = session.get(HomeRecord, 1)
    if record is None:
        mine = present or _write(home, new_id())
        insert_missing(session, HomeRecord, [{"number": 1, "installation_id": mine, "place": place}])
        record = session.get_one(HomeRecord, 1)
        present = mine
    if present is None and settings.catalog_url is None:
        present = _write(home, record.installation_id)
    if present != record.installation_id and settings.catalog_url is not None:
        raise InputError(
            f"The catalog belongs to the home {record.place}, and {place} is another home. "
            "Point DOCDUCK_HOME at the first, or DOCDUCK_CATALOG_URL at a catalog of this home's own. "
            f"If the first was moved or restored to {home} and is in use nowhere else, "
            f"write {record.installation_id} into {home / FILE_NAME}",
            "DOCDUCK_HOME",
        )
    if record.place != place:
        record.place = place


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


def _write(home: Path, wanted: str) -> str:
    """Store the id, complete or not at all; return that of another process that was first."""
    aside = home / f"{FILE_NAME}.{new_id()}"
    aside.write_text(f"{wanted}\n", encoding="ascii")
    try:
        with suppress(FileExistsError):
            os.link(aside, home / FILE_NAME)
    finally:
        aside.unlink()
    return _read(home) or wanted

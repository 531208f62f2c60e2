"""Exports to buckets: files are written to a folder first, and leave it once they are in the bucket.

So a file that could not be uploaded, or whose upload was cut off, is uploaded with the next export of that
name. One process at a time writes and uploads the files of a name.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import exists, select, update

from docduck.catalog.models import Export
from docduck.errors import Transient
from docduck.ids import snake_case
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import Bucket, ObjectGone, StoreUnavailable
from docduck.outbound.policy import DOWNLOAD_SECONDS
from docduck.service.core.installation import Installation

_HIDDEN = "."


@contextmanager
def outgoing_folder(inst: Installation, export_name: str) -> Iterator[Path]:
    """Yield the folder of an export's files that are not in the bucket yet, once no other process uses it."""
    folder = inst.settings.exports / ".outgoing" / snake_case(export_name, "export")
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(descriptor)


def is_in_bucket(inst: Installation, url: str | None, name: str) -> bool:
    """Return whether an export has uploaded a file of this name to the bucket, if there is one."""
    if url is None:
        return False
    with inst.catalog.read_session() as session:
        return bool(session.scalar(select(exists().where(Export.location == f"{url.rstrip('/')}/{name}"))))


def upload_files(inst: Installation, folder: Path, endpoint: BucketEndpoint) -> dict[str, str]:
    """Move a folder's files to a bucket; return their URLs by name.

    Raise Transient if the bucket can't be used.
    """
    files = sorted(path for path in folder.iterdir() if not path.name.startswith(_HIDDEN))
    bucket = Bucket(endpoint, DOWNLOAD_SECONDS)
    try:
        bucket.open()
    except StoreUnavailable as error:
        raise Transient(f"Nothing can be written to {endpoint.url}: {error}") from error
    urls: dict[str, str] = {}
    for path in files:
        url = f"{bucket.url}/{path.name}"
        try:
            bucket.write(path.name, path)
        except (StoreUnavailable, ObjectGone) as error:
            words = str(error) or "there is no such bucket"
            raise Transient(f"{path.name} can't be written to {endpoint.url}: {words}") from error
        with inst.catalog.transaction() as session:
            here = Export.location == str(path.absolute())
            session.execute(update(Export).where(here).values(location=url))
        path.unlink()
        urls[path.name] = url
    return urls

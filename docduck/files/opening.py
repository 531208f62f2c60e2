"""The installation's file store: a folder of the home, or a bucket."""

from __future__ import annotations

from docduck.files import FileStore
from docduck.files.local_files import LocalFiles
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.settings import Settings


def open_files(settings: Settings) -> FileStore:
    """Return the file store that the settings name; a bucket is not asked yet."""
    home = settings.home.absolute()
    if settings.files_url is None:
        return LocalFiles(home / "files")
    # Imported late: the client of object stores takes 40 MB.
    from docduck.files.bucket_files import BucketFiles

    endpoint = BucketEndpoint(settings.files_url, settings.files_endpoint)
    return BucketFiles(endpoint, home / "cache" / "files", settings.file_cache_mb << 20)

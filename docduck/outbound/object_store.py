"""Connections to object stores that the operator configured, such as S3 and what is compatible with it.

The operator is trusted, so private addresses are allowed. Without keys, those of the environment are used, as
by other tools (``AWS_ACCESS_KEY_ID``, ``AZURE_STORAGE_ACCOUNT_NAME``, a role of the machine, Google's
application default credentials).
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import obstore
from obstore.exceptions import (
    BaseError,
    NotFoundError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from obstore.store import AzureStore, GCSStore, S3Store

from docduck.outbound.bucket_endpoint import BucketEndpoint

if TYPE_CHECKING:
    from obstore import ObjectMeta

Store = S3Store | GCSStore | AzureStore

_NO_ACCOUNT = (
    "Azure needs the name and key of the account: access_key and secret_key, or AZURE_STORAGE_ACCOUNT_NAME "
    "and AZURE_STORAGE_ACCOUNT_KEY"
)
_MISSING = ("NoSuchBucket", "ContainerNotFound")
_CHUNK = 1024 * 1024


class StoreUnavailable(Exception):
    """The object store can't be used; ``retryable`` is whether trying again may help."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class ObjectGone(Exception):
    """There is no such object."""


class Bucket:
    """A bucket, to which each request takes at most ``seconds``; it is opened when it is first used.

    Every method raises StoreUnavailable, and ObjectGone if there is no such object. Thread-safe.
    """

    def __init__(self, endpoint: BucketEndpoint, seconds: float = 60.0) -> None:
        self.url = endpoint.url.rstrip("/")
        self._endpoint = endpoint
        self._seconds = seconds
        self._lock = threading.Lock()
        self._opened: Store | None = None

    def open(self) -> Store:
        """Return the client; no request is sent."""
        with self._lock:
            if self._opened is None:
                self._opened = open_bucket(self._endpoint, self._seconds)
            return self._opened

    def head(self, name: str) -> ObjectMeta:
        """Return what is known of an object besides its content."""
        with store_errors():
            return obstore.head(self.open(), name)

    def size(self, name: str) -> int:
        """Return the bytes of an object."""
        return self.head(name)["size"]

    def read(self, name: str, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` up to ``end``."""
        with store_errors():
            return bytes(obstore.get_range(self.open(), name, start=start, end=end))

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the content of an object, piece by piece."""
        with store_errors():
            for chunk in obstore.get(self.open(), name).stream(min_chunk_size=_CHUNK):
                yield bytes(chunk)

    def write(self, name: str, content: IO[bytes] | Path) -> None:
        """Store an object."""
        with store_errors():
            obstore.put(self.open(), name, content)

    def copy(self, name: str, to: str) -> None:
        """Copy an object within the bucket."""
        with store_errors():
            obstore.copy(self.open(), name, to)

    def delete(self, name: str) -> None:
        """Delete an object, if it exists."""
        with suppress(ObjectGone), store_errors():
            obstore.delete(self.open(), name)

    def objects(self, prefix: str | None = None) -> Iterator[ObjectMeta]:
        """Yield what is known of the objects whose names begin with ``prefix``, whole parts of them."""
        with store_errors():
            for batch in obstore.list(self.open(), prefix=prefix):
                yield from batch

    def names(self, prefix: str) -> Iterator[str]:
        """Yield the names of the objects that begin with ``prefix``."""
        yield from (meta["path"] for meta in self.objects(prefix))


def open_bucket(endpoint: BucketEndpoint, seconds: float) -> Store:
    """Return the bucket; no request is sent yet. Each takes at most ``seconds``.

    Raise StoreUnavailable if Azure's account is not named, or its key is none.
    """
    retry: Any = {"max_retries": 2, "retry_timeout": dt.timedelta(seconds=seconds)}
    client: Any = {"timeout": dt.timedelta(seconds=seconds), "connect_timeout": dt.timedelta(seconds=10)}
    if endpoint.url.startswith("gs://"):
        key = endpoint.secret_key
        credentials: Any = {"service_account": key} if key else {"skip_signature": endpoint.public}
        return GCSStore.from_url(endpoint.url, config=credentials, client_options=client, retry_config=retry)
    config: Any = {"skip_signature": endpoint.public}
    if endpoint.endpoint is not None:
        config["endpoint"] = endpoint.endpoint.rstrip("/")
        client["allow_http"] = endpoint.endpoint.startswith("http://")
    if endpoint.url.startswith("az://"):
        keys = {"account_name": endpoint.access_key, "account_key": endpoint.secret_key}
        config |= {name: key for name, key in keys.items() if key is not None}
        try:
            return AzureStore.from_url(endpoint.url, config=config, client_options=client, retry_config=retry)
        except BaseError as error:
            raise StoreUnavailable(_NO_ACCOUNT, retryable=False) from error
    if endpoint.region is not None:
        config["region"] = endpoint.region
    if endpoint.access_key is not None:
        config |= {"access_key_id": endpoint.access_key, "secret_access_key": endpoint.secret_key}
    return S3Store.from_url(endpoint.url, config=config, client_options=client, retry_config=retry)


@contextmanager
def store_errors() -> Iterator[None]:
    """Raise StoreUnavailable and ObjectGone for the errors of a store.

    Messages of the store are left out: they may have the request with its signature.
    """
    try:
        yield
    except (NotFoundError, FileNotFoundError) as error:
        raise ObjectGone from error
    except (PermissionDeniedError, UnauthenticatedError, PermissionError) as error:
        words = "access is denied; see access_key and secret_key, or the keys of the environment"
        raise StoreUnavailable(words, retryable=False) from error
    except (BaseError, OSError) as error:
        if any(code in str(error) for code in _MISSING):
            raise StoreUnavailable("there is no such bucket", retryable=False) from error
        raise StoreUnavailable(f"the request failed: {type(error).__name__}", retryable=True) from error

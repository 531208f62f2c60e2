"""Addresses of buckets and the keys to them; ``object_store``, whose client is large, opens them."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.errors import InputError

SCHEMES = ("s3://", "gs://", "az://")


@dataclass(frozen=True, slots=True)
class BucketEndpoint:
    """A bucket at ``s3://bucket/prefix`` or ``gs://bucket/prefix``, or Azure's ``az://container/prefix``.

    ``endpoint`` is the address of an S3-compatible server, or of Azure's account. A ``public`` bucket needs
    no keys. For ``gs://``, ``secret_key`` is the path of a service account's key file; for ``az://``,
    ``access_key`` is the name of the account.
    """

    url: str
    endpoint: str | None = None
    region: str | None = None
    access_key: str | None = None
    secret_key: str | None = None
    public: bool = False


def check_bucket(endpoint: BucketEndpoint) -> None:
    """Raise InputError for a URL that is no bucket's, or keys that don't fit."""
    if not endpoint.url.startswith(SCHEMES) or not endpoint.url.partition("://")[2].strip("/"):
        raise InputError(
            f"must be s3://bucket/prefix, gs://bucket/prefix or az://container/prefix, not {endpoint.url}"
        )
    if endpoint.endpoint is not None and not endpoint.endpoint.startswith(("http://", "https://")):
        raise InputError("must be http://… or https://…", "endpoint")
    match endpoint.url.partition(":")[0]:
        case "s3" if (endpoint.access_key is None) != (endpoint.secret_key is None):
            raise InputError("needs both access_key and secret_key, or neither")
        case "gs" if endpoint.endpoint or endpoint.region or endpoint.access_key:
            raise InputError("of Google has no endpoint, region or access_key; secret_key is a key file")
        case "az" if endpoint.region or (endpoint.secret_key and not endpoint.access_key):
            raise InputError("of Azure has no region; access_key is the account's name, secret_key its key")

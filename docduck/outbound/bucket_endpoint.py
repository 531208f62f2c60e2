"""Addresses of buckets and the keys to them; ``object_store``, whose client is large, opens them."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.errors import InputError

SCHEMES = ("s3://", "gs://")


@dataclass(frozen=True, slots=True)
class BucketEndpoint:
    """A bucket at ``s3://bucket/prefix`` or ``gs://bucket/prefix``.

    ``endpoint`` is the address of an S3-compatible server. A ``public`` bucket needs no keys. For ``gs://``,
    ``secret_key`` is the path of a service account's key file.
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
        raise InputError(f"must be s3://bucket/prefix or gs://bucket/prefix, not {endpoint.url}")
    if endpoint.endpoint is not None and not endpoint.endpoint.startswith(("http://", "https://")):
        raise InputError("must be http://… or https://…", "endpoint")
    is_s3 = endpoint.url.startswith("s3://")
    if is_s3 and (endpoint.access_key is None) != (endpoint.secret_key is None):
        raise InputError("needs both access_key and secret_key, or neither")
    if not is_s3 and (endpoint.endpoint or endpoint.region or endpoint.access_key):
        raise InputError("of Google has no endpoint, region or access_key; secret_key is a key file")

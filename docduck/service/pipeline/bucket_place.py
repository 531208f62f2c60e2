"""A bucket as sources and exports name it."""

from __future__ import annotations

from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.service.pipeline.spec import Spec


class BucketPlace(Spec):
    """A bucket at ``s3://…``, ``gs://…`` or ``az://…``, and how to reach it."""

    endpoint: str | None = None
    region: str | None = None
    access_key: str | None = None
    secret_key: str | None = None
    public: bool = False

    def endpoint_of(self, bucket: str) -> BucketEndpoint:
        """Return the endpoint of ``bucket``, its URL."""
        return BucketEndpoint(
            bucket, self.endpoint, self.region, self.access_key, self.secret_key, self.public
        )

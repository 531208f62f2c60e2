"""What pipeline.yaml's objects are made of: their base, paths, and buckets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo

from docduck.outbound.bucket_endpoint import BucketEndpoint


class Spec(BaseModel):
    """An object in pipeline.yaml: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


def located(path: Path, info: ValidationInfo) -> Path:
    """Return the path below the context of a validation, the folder that the file is in."""
    return path if info.context is None else info.context / path.expanduser()


FilePath = Annotated[Path, AfterValidator(located)]
"""A path in the file, absolute after loading."""


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

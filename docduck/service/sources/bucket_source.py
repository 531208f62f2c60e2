"""Bucket sources of pipeline.yaml."""

from __future__ import annotations

from docduck.service.core.installation import Installation
from docduck.service.pipeline.source_specs import BucketSpec
from docduck.service.sources.remote_source import RemoteSource
from docduck.sources.bucket.reader import BucketReader, BucketSettings


def bucket_source(spec: BucketSpec) -> RemoteSource:
    """Return the source that ``spec`` describes."""

    def connect(inst: Installation) -> BucketReader:
        return BucketReader(
            BucketSettings(
                endpoint=spec.bucket_endpoint,
                most_bytes=inst.settings.max_file_bytes,
                seconds=inst.settings.download_seconds,
                pattern=spec.pattern,
                exclude=spec.exclude,
                recursive=spec.recursive,
                after=spec.after,
                move_to=spec.move_to,
            )
        )

    return RemoteSource(
        name=spec.name,
        kind="bucket",
        place=spec.bucket,
        every=spec.every,
        open=connect,
        document_source="folder",
        parser=spec.parser,
        classifier=spec.classifier,
    )

"""Bucket sources of pipeline.yaml."""

from __future__ import annotations

from docduck.service.core.installation import Installation
from docduck.service.pipeline.source_specs import BucketSpec
from docduck.service.sources.remote_source import RemoteSource
from docduck.sources.remote import SourceReader


def bucket_source(spec: BucketSpec) -> RemoteSource:
    """Return the source that ``spec`` describes."""

    def connect(inst: Installation) -> SourceReader:
        # Imported late: the client of object stores takes 40 MB in each process that looks at any source.
        from docduck.sources.bucket.reader import BucketReader, BucketSettings

        return BucketReader(
            BucketSettings(
                endpoint=spec.bucket_endpoint,
                most_bytes=inst.settings.max_file_bytes,
                look_seconds=inst.settings.look_seconds,
                seconds=min(inst.settings.download_seconds, inst.settings.source_seconds),
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
        folders=spec.folders,
        finishes=spec.after != "keep",
    )

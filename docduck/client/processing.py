"""``client.process``: uploading documents, and getting their values."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from docduck.client.errors import StillProcessing
from docduck.client.transport.encoding import path, present, to_json
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Pause, Steps
from docduck.client.transport.uploads import File, upload
from docduck.client.types import CombinedUploadItem, DocumentData, Operation, UploadItem

_FIRST_PAUSE, _LONGEST_PAUSE, _GROWTH = 0.25, 5.0, 1.5
_FINAL = frozenset({"processed", "failed", "in_review", "approved", "rejected", "skipped"})
"""The statuses of documents that are not being processed."""

_FETCH_SECONDS = 300.0
"""The longest time that a server may take to fetch documents before it answers."""


class UploadOptions(TypedDict, total=False):
    """Options of an upload; ``external_ids`` and ``custom`` have an item for each file.

    The server waits up to ``wait`` seconds, at most 60, for the items' ``data``.
    """

    external_ids: Sequence[str | None] | None
    custom: Sequence[Mapping[str, Any] | None] | None
    wait: float | None
    idempotency_key: str | None


class Processing(Resource[M]):
    """Uploads and their results."""

    @endpoint
    def files(
        self, parser_id: str, *files: File, folder_id: str | None = None, **options: Unpack[UploadOptions]
    ) -> Steps[Sequence[UploadItem]]:
        """Upload files: paths, or pairs of a name and bytes or a binary stream; all are accepted or none.

            item, = client.process.files(parser_id, "invoice.pdf", wait=30)
            print(item["data"])

        Raise OSError for a file that can't be read.
        """
        return self._upload(path("process", parser_id, "files"), files, present(folder_id=folder_id), options)

    @endpoint
    def urls(
        self, parser_id: str, *urls: str, folder_id: str | None = None, **options: Unpack[UploadOptions]
    ) -> Steps[Sequence[UploadItem]]:
        """Have the server fetch documents from public URLs; all are accepted or none.

            client.process.urls(parser_id, "https://example.org/invoice.pdf", external_ids=["A-17"])

        Raise BadRequest for a URL that is not allowed.
        """
        return self._fetch(path("process", parser_id, "urls"), urls, present(folder_id=folder_id), options)

    @endpoint
    def files_to_classifier(
        self, classifier_id: str, *files: File, **options: Unpack[UploadOptions]
    ) -> Steps[Sequence[CombinedUploadItem]]:
        """Upload files that a classifier routes to parsers; ``routing`` has the result."""
        return self._upload("/process/files", files, {"classifierId": classifier_id}, options)

    @endpoint
    def urls_to_classifier(
        self, classifier_id: str, *urls: str, **options: Unpack[UploadOptions]
    ) -> Steps[Sequence[CombinedUploadItem]]:
        """Have the server fetch documents that a classifier routes to parsers."""
        return self._fetch("/process/urls", urls, {"classifierId": classifier_id}, options)

    @endpoint
    def data(
        self, parser_id: str, document_id: str | None = None, *, external_id: str | None = None
    ) -> Steps[DocumentData]:
        """Return a document's values, by its id or external id; empty until it is processed."""
        return _data(self, parser_id, document_id, external_id)

    @endpoint
    def wait(
        self,
        parser_id: str,
        document_id: str | None = None,
        *,
        external_id: str | None = None,
        timeout: float = 300,
    ) -> Steps[DocumentData]:
        """Return a document's values once it is processed or has failed.

            document = client.wait(parser_id, external_id="A-17")
            print(document["metadata"]["status"], document["data"])

        Raise StillProcessing after ``timeout`` seconds.
        """
        until = time.monotonic() + timeout
        pause = _FIRST_PAUSE
        while True:
            document: DocumentData = yield from _data(self, parser_id, document_id, external_id)
            if document["metadata"]["status"] in _FINAL:
                return document
            left = until - time.monotonic()
            if left <= 0:
                name, status = document["metadata"]["name"], document["metadata"]["status"]
                raise StillProcessing(f"{name} is still {status} after {timeout:g} seconds")
            yield Pause(min(pause, left))
            pause = min(_LONGEST_PAUSE, pause * _GROWTH)

    @endpoint
    def operation(self, operation_name: str) -> Steps[Operation]:
        """Return the state of an upload, by its ``operationName``."""
        return self.call("GET", path("operations", operation_name.removeprefix("operations/")))

    def _upload(
        self, place: str, files: Sequence[File], target: Mapping[str, str], options: UploadOptions
    ) -> Steps[Any]:
        items, sending = _split(**options)
        form = {name: to_json(values).decode() for name, values in items.items()}
        response = yield from self.call("POST", place, upload=upload(files, {**target, **form}), **sending)
        return response["result"]

    def _fetch(
        self, place: str, urls: Sequence[str], target: Mapping[str, str], options: UploadOptions
    ) -> Steps[Any]:
        items, sending = _split(**options)
        sending["held_seconds"] += _FETCH_SECONDS
        response = yield from self.call("POST", place, body={"urls": urls, **target, **items}, **sending)
        return response["result"]


def _split(
    *,
    external_ids: Sequence[str | None] | None = None,
    custom: Sequence[Mapping[str, Any] | None] | None = None,
    wait: float | None = None,
    idempotency_key: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of the items, and those of sending the request."""
    items = present(external_ids=external_ids, custom=custom)
    params = present(wait=wait)
    return items, {"params": params, "held_seconds": wait or 0, "idempotency_key": idempotency_key}


def _data(
    resource: Resource[Any], parser_id: str, document_id: str | None, external_id: str | None
) -> Steps[DocumentData]:
    params = present(document_id=document_id, external_id=external_id)
    return resource.call("GET", path("process", parser_id, "files", "data"), params=params)

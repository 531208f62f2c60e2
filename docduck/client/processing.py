"""``client.process``: uploading documents, and getting their values."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

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


class Processing(Resource[M]):
    """Uploads and their results."""

    @endpoint
    def files(
        self,
        parser_id: str,
        *files: File,
        external_ids: Sequence[str | None] | None = None,
        custom: Sequence[Mapping[str, Any] | None] | None = None,
        folder_id: str | None = None,
        wait: float | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Sequence[UploadItem]]:
        """Upload files: paths, or pairs of a name and bytes or a binary stream; all are accepted or none.

        ``external_ids`` and ``custom`` have an item for each file. The server waits up to ``wait``
        seconds, at most 60, for the items' ``data``. Raise OSError for a file that can't be read.
        """
        where = path("process", parser_id, "files")
        return self._upload(where, files, {}, external_ids, custom, folder_id, wait, idempotency_key)

    @endpoint
    def urls(
        self,
        parser_id: str,
        *urls: str,
        external_ids: Sequence[str | None] | None = None,
        custom: Sequence[Mapping[str, Any] | None] | None = None,
        folder_id: str | None = None,
        wait: float | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Sequence[UploadItem]]:
        """Have the server fetch documents from public URLs; all are accepted or none."""
        body = present(urls=urls, external_ids=external_ids, custom=custom, folder_id=folder_id)
        return self._fetch(path("process", parser_id, "urls"), body, wait, idempotency_key)

    @endpoint
    def files_to_classifier(
        self,
        classifier_id: str,
        *files: File,
        external_ids: Sequence[str | None] | None = None,
        custom: Sequence[Mapping[str, Any] | None] | None = None,
        wait: float | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Sequence[CombinedUploadItem]]:
        """Upload files that a classifier routes to parsers; ``routing`` has the result."""
        target = {"classifierId": classifier_id}
        return self._upload(
            "/process/files", files, target, external_ids, custom, None, wait, idempotency_key
        )

    @endpoint
    def urls_to_classifier(
        self,
        classifier_id: str,
        *urls: str,
        external_ids: Sequence[str | None] | None = None,
        custom: Sequence[Mapping[str, Any] | None] | None = None,
        wait: float | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Sequence[CombinedUploadItem]]:
        """Have the server fetch documents that a classifier routes to parsers."""
        body = present(classifier_id=classifier_id, urls=urls, external_ids=external_ids, custom=custom)
        return self._fetch("/process/urls", body, wait, idempotency_key)

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

        Raise StillProcessing after ``timeout`` seconds.
        """
        until = time.monotonic() + timeout
        pause = _FIRST_PAUSE
        while True:
            found: DocumentData = yield from _data(self, parser_id, document_id, external_id)
            if found["metadata"]["status"] in _FINAL:
                return found
            left = until - time.monotonic()
            if left <= 0:
                name, status = found["metadata"]["name"], found["metadata"]["status"]
                raise StillProcessing(f"{name} is still {status} after {timeout:g} seconds")
            yield Pause(min(pause, left))
            pause = min(_LONGEST_PAUSE, pause * _GROWTH)

    @endpoint
    def operation(self, operation_name: str) -> Steps[Operation]:
        """Return the state of an upload, by its ``operationName``."""
        return self.call("GET", path("operations", operation_name.removeprefix("operations/")))

    def _upload(
        self,
        where: str,
        files: Sequence[File],
        target: Mapping[str, str],
        external_ids: Sequence[str | None] | None,
        custom: Sequence[Mapping[str, Any] | None] | None,
        folder_id: str | None,
        wait: float | None,
        idempotency_key: str | None,
    ) -> Steps[Any]:
        fields = {**target, **present(folder_id=folder_id)}
        for name, values in present(external_ids=external_ids, custom=custom).items():
            fields[name] = to_json(values).decode()
        found = yield from self.call(
            "POST",
            where,
            params=present(wait=wait),
            upload=upload(files, fields),
            idempotency_key=idempotency_key,
            held_seconds=wait or 0,
        )
        return found["result"]

    def _fetch(
        self, where: str, body: Mapping[str, Any], wait: float | None, idempotency_key: str | None
    ) -> Steps[Any]:
        found = yield from self.call(
            "POST",
            where,
            params=present(wait=wait),
            body=body,
            idempotency_key=idempotency_key,
            held_seconds=(wait or 0) + _FETCH_SECONDS,
        )
        return found["result"]


def _data(
    resource: Resource[Any], parser_id: str, document_id: str | None, external_id: str | None
) -> Steps[DocumentData]:
    params = present(document_id=document_id, external_id=external_id)
    return resource.call("GET", path("process", parser_id, "files", "data"), params=params)

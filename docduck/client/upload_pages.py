"""``client.upload_pages``: public upload pages of parsers and classifiers."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.client.transport.encoding import UNSET, Unset, path, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import UploadPage
from docduck.errors import InputError


class UploadPages(Resource[M]):
    """Upload pages; each method takes either ``parser_id`` or ``classifier_id``."""

    @endpoint
    def get(self, *, parser_id: str | None = None, classifier_id: str | None = None) -> Steps[UploadPage]:
        """Return the upload page with its link."""
        return self.call("GET", _path(parser_id, classifier_id))

    @endpoint
    def put(
        self,
        *,
        parser_id: str | None = None,
        classifier_id: str | None = None,
        is_active: bool | Unset = UNSET,
        title: str | Unset = UNSET,
        message: str | Unset = UNSET,
        embed_origins: Sequence[str] | Unset = UNSET,
        files_per_hour: int | Unset = UNSET,
    ) -> Steps[UploadPage]:
        """Create the upload page, or replace all of its settings; those left out have their defaults."""
        body = set_values(
            is_active=is_active,
            title=title,
            message=message,
            embed_origins=embed_origins,
            files_per_hour=files_per_hour,
        )
        return self.call("PUT", _path(parser_id, classifier_id), body=body)

    @endpoint
    def renew(
        self,
        *,
        parser_id: str | None = None,
        classifier_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[UploadPage]:
        """Give the upload page a new link; the former one ends."""
        where = f"{_path(parser_id, classifier_id)}/renew"
        return self.call("POST", where, idempotency_key=idempotency_key)

    @endpoint
    def delete(self, *, parser_id: str | None = None, classifier_id: str | None = None) -> Steps[None]:
        """Delete the upload page; its link ends."""
        yield from self.call("DELETE", _path(parser_id, classifier_id))


def _path(parser_id: str | None, classifier_id: str | None) -> str:
    if parser_id is not None and classifier_id is None:
        return path("parsers", parser_id, "upload-page")
    if classifier_id is not None and parser_id is None:
        return path("classifiers", classifier_id, "upload-page")
    raise InputError("Give either parser_id or classifier_id")

"""``client.exports``: documents as files, and saved layouts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docduck.client.transport.downloads import Download, file_name
from docduck.client.transport.encoding import UNSET, Unset, path, present, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import ExportLayout, ExportLink, Page


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An export: at ``path`` if it was saved, otherwise with its ``content``."""

    file_name: str
    content_type: str
    document_count: int
    row_count: int
    skipped: Sequence[str]
    warnings: Sequence[str]
    content: bytes
    path: Path | None


class Exports(Resource[M]):
    """Exports of a parser's documents."""

    @endpoint
    def create(
        self,
        parser_id: str,
        *,
        format: str | None = None,
        scope: str | None = None,
        table_name: str | None = None,
        layout_id: str | None = None,
        document_ids: Sequence[str] | None = None,
        external_ids: Sequence[str] | None = None,
        filters: Sequence[Mapping[str, Any]] | None = None,
        only_new: str | None = None,
        to: str | Path | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[ExportFile]:
        """Return an export; ``to`` is a file or folder that it is saved to while it arrives.

        Without ids, it has all documents that are processed or approved. ``only_new`` is the name of an
        incremental export, which has only documents that it never had.
        """
        body = present(
            format=format,
            scope=scope,
            table_name=table_name,
            layout_id=layout_id,
            document_ids=document_ids,
            external_ids=external_ids,
            filters=filters,
            only_new=only_new,
        )
        download = None if to is None else Download(Path(to))
        response = yield from self.send(
            "POST",
            path("parsers", parser_id, "exports"),
            body=body,
            idempotency_key=idempotency_key,
            download=download,
        )
        headers = response.headers
        skipped = headers.get("x-skipped-documents", "")
        return ExportFile(
            file_name(headers),
            headers.get("content-type", ""),
            int(headers.get("x-document-count", 0)),
            int(headers.get("x-row-count", 0)),
            skipped.split(",") if skipped else [],
            json.loads(headers.get("x-export-warnings", "[]")),
            response.body,
            download.saved if download else None,
        )

    @endpoint
    def link(
        self,
        parser_id: str,
        *,
        format: str | None = None,
        scope: str | None = None,
        table_name: str | None = None,
        layout_id: str | None = None,
        document_ids: Sequence[str] | None = None,
        external_ids: Sequence[str] | None = None,
        filters: Sequence[Mapping[str, Any]] | None = None,
        only_new: str | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[ExportLink]:
        """Write an export, and return a link to it that needs no key and expires."""
        body = present(
            format=format,
            scope=scope,
            table_name=table_name,
            layout_id=layout_id,
            document_ids=document_ids,
            external_ids=external_ids,
            filters=filters,
            only_new=only_new,
        )
        return self.call(
            "POST",
            path("parsers", parser_id, "exports"),
            params={"delivery": "link"},
            body=body,
            idempotency_key=idempotency_key,
        )

    @endpoint
    def layouts_page(self, parser_id: str, *, page: int = 1, limit: int = 50) -> Steps[Page[ExportLayout]]:
        """Return a page of the saved layouts, by name."""
        params = {"page": page, "limit": limit}
        return self.call("GET", path("parsers", parser_id, "export-layouts"), params=params)

    layouts = listing(layouts_page)

    @endpoint
    def layout(self, parser_id: str, layout_id: str) -> Steps[ExportLayout]:
        """Return a saved layout."""
        return self.call("GET", path("parsers", parser_id, "export-layouts", layout_id))

    @endpoint
    def create_layout(
        self,
        parser_id: str,
        name: str,
        *,
        format: str | Unset = UNSET,
        scope: str | None = None,
        table_name: str | None = None,
        columns: Sequence[Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[ExportLayout]:
        """Save a layout; ``columns`` are ``{"field", "header"}``, None for the usual ones."""
        body = set_values(name=name, format=format, scope=scope, table_name=table_name, columns=columns)
        where = path("parsers", parser_id, "export-layouts")
        return self.call("POST", where, body=body, idempotency_key=idempotency_key)

    @endpoint
    def update_layout(
        self,
        parser_id: str,
        layout_id: str,
        *,
        name: str | Unset = UNSET,
        format: str | Unset = UNSET,
        scope: str | Unset | None = UNSET,
        table_name: str | Unset | None = UNSET,
        columns: Sequence[Mapping[str, Any]] | Unset | None = UNSET,
    ) -> Steps[ExportLayout]:
        """Change the properties that are set."""
        body = set_values(name=name, format=format, scope=scope, table_name=table_name, columns=columns)
        return self.call("PATCH", path("parsers", parser_id, "export-layouts", layout_id), body=body)

    @endpoint
    def delete_layout(self, parser_id: str, layout_id: str) -> Steps[None]:
        """Delete a saved layout."""
        yield from self.call("DELETE", path("parsers", parser_id, "export-layouts", layout_id))

"""``client.exports``: documents as files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from docduck.client.transport.downloads import Download, file_name
from docduck.client.transport.encoding import path, present
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import ExportLink


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


class ExportOptions(TypedDict, total=False):
    """What an export has: all documents that are processed or approved, unless they are chosen.

    ``only_new`` is the name of an incremental export, which has only documents that it never had.
    """

    format: str | None
    scope: str | None
    table_name: str | None
    layout_id: str | None
    document_ids: Sequence[str] | None
    external_ids: Sequence[str] | None
    filters: Sequence[Mapping[str, Any]] | None
    only_new: str | None


class ExportFiles(Resource[M]):
    """Exports of a parser's documents as files."""

    @endpoint
    def create(
        self,
        parser_id: str,
        *,
        to: str | Path | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[ExportOptions],
    ) -> Steps[ExportFile]:
        """Return an export; ``to`` is a file or folder that it is saved to while it arrives.

            client.exports.create(parser_id, format="parquet", scope="all_flat", to="invoices.parquet")

        Without ``to``, the export has its ``content``.
        """
        download = None if to is None else Download(Path(to))
        response = yield from self.send(
            "POST",
            path("parsers", parser_id, "exports"),
            body=present(**options),
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
        self, parser_id: str, *, idempotency_key: str | None = None, **options: Unpack[ExportOptions]
    ) -> Steps[ExportLink]:
        """Write an export, and return a link to it that needs no key and expires."""
        return self.call(
            "POST",
            path("parsers", parser_id, "exports"),
            params={"delivery": "link"},
            body=present(**options),
            idempotency_key=idempotency_key,
        )

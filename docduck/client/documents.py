"""``client.documents``: documents and their values."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docduck.client.transport.encoding import UNSET, Unset, path, present, set_values, timestamp
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import (
    BulkUpdated,
    Deleted,
    Document,
    DocumentDetails,
    HistoryEntry,
    Page,
    Reprocessed,
)

if TYPE_CHECKING:
    import polars


class Documents(Resource[M]):
    """Documents of a parser; lists are of all parsers if none is named."""

    @endpoint
    def to_polars(
        self,
        parser_id: str,
        table: str | None = None,
        *,
        filters: Sequence[Mapping[str, Any]] | None = None,
    ) -> Steps[polars.DataFrame]:
        """Return the fields of all processed and approved documents, or the rows of one of their tables.

        The columns are typed as the fields are. ``filters`` are those of an export, which this is.
        """
        # Imported here: it takes long, and nothing else of the client needs it.
        import polars as pl

        scope = "fields_only" if table is None else "table"
        body = present(format="parquet", scope=scope, table_name=table, filters=filters)
        where = path("parsers", parser_id, "exports")
        response = yield from self.send("POST", where, body=body, read_only=True)
        return pl.read_parquet(io.BytesIO(response.body))

    @endpoint
    def page(
        self,
        parser_id: str | None = None,
        *,
        q: str | None = None,
        status: str | None = None,
        folder_id: str | None = None,
        include_subfolders: bool | None = None,
        assignee_id: str | None = None,
        review_stage_id: str | None = None,
        external_id: str | None = None,
        created_from: str | dt.datetime | None = None,
        created_to: str | dt.datetime | None = None,
        sort: str | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[Document]]:
        """Return a page of a parser's documents, or of all; ``folder_id="root"`` for those in no folder."""
        params = present(
            q=q,
            status=status,
            folder_id=folder_id,
            include_subfolders=include_subfolders,
            assignee_id=assignee_id,
            review_stage_id=review_stage_id,
            external_id=external_id,
            created_from=timestamp(created_from),
            created_to=timestamp(created_to),
            sort=sort,
            page=page,
            limit=limit,
        )
        where = path("documents") if parser_id is None else path("parsers", parser_id, "documents")
        return self.call("GET", where, params=params)

    list = listing(page)

    @endpoint
    def search_page(
        self,
        parser_id: str,
        q: str | None = None,
        *,
        filters: Sequence[Mapping[str, Any]] | None = None,
        status: str | None = None,
        folder_id: str | Unset | None = UNSET,
        include_subfolders: bool | None = None,
        assignee_id: str | None = None,
        review_stage_id: str | None = None,
        external_id: str | None = None,
        created_from: str | dt.datetime | None = None,
        created_to: str | dt.datetime | None = None,
        sort: str | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[Document]]:
        """Return a page of a search that includes values; ``folder_id=None`` for documents in no folder.

        A filter is ``{"field": "Total", "operator": "greater_than", "value": 100}``.
        """
        body = present(
            q=q,
            filters=filters,
            status=status,
            include_subfolders=include_subfolders,
            assignee_id=assignee_id,
            review_stage_id=review_stage_id,
            external_id=external_id,
            created_from=timestamp(created_from),
            created_to=timestamp(created_to),
            sort=sort,
            page=page,
            limit=limit,
        ) | set_values(folder_id=folder_id)
        return self.call("POST", path("parsers", parser_id, "documents", "search"), body=body, read_only=True)

    search = listing(search_page)

    @endpoint
    def get(self, parser_id: str, document_id: str) -> Steps[DocumentDetails]:
        """Return a document with its values."""
        return self.call("GET", path("parsers", parser_id, "documents", document_id))

    @endpoint
    def history(
        self, parser_id: str, document_id: str, *, page: int = 1, limit: int = 50
    ) -> Steps[Page[HistoryEntry]]:
        """Return a page of the changes of a document's status, the oldest first."""
        where = path("parsers", parser_id, "documents", document_id, "history")
        return self.call("GET", where, params=present(page=page, limit=limit))

    @endpoint
    def update(
        self,
        parser_id: str,
        document_id: str,
        *,
        name: str | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        custom: Mapping[str, Any] | Unset | None = UNSET,
        folder_id: str | Unset | None = UNSET,
        assignee_id: str | Unset | None = UNSET,
    ) -> Steps[DocumentDetails]:
        """Change the properties that are set; None clears one."""
        body = set_values(
            name=name, external_id=external_id, custom=custom, folder_id=folder_id, assignee_id=assignee_id
        )
        return self.call("PATCH", path("parsers", parser_id, "documents", document_id), body=body)

    @endpoint
    def bulk_update(
        self,
        parser_id: str,
        document_ids: Sequence[str] = (),
        *,
        external_ids: Sequence[str] = (),
        custom: Mapping[str, Any] | Unset | None = UNSET,
        folder_id: str | Unset | None = UNSET,
        assignee_id: str | Unset | None = UNSET,
        idempotency_key: str | None = None,
    ) -> Steps[BulkUpdated]:
        """Change up to 500 documents at once."""
        body = _named(document_ids, external_ids) | set_values(
            custom=custom, folder_id=folder_id, assignee_id=assignee_id
        )
        where = path("parsers", parser_id, "documents", "bulk-update")
        return self.call("POST", where, body=body, idempotency_key=idempotency_key)

    @endpoint
    def update_data(
        self,
        parser_id: str,
        document_id: str,
        data: Mapping[str, Any],
        *,
        reviewer_id: str | None = None,
    ) -> Steps[DocumentDetails]:
        """Correct values, by field name or id. None clears a value; a table is replaced as a whole.

        The parser learns where they are printed on documents that look alike.
        """
        return self.call(
            "PATCH",
            path("parsers", parser_id, "documents", document_id, "data"),
            body={"data": data} | present(reviewer_id=reviewer_id),
        )

    @endpoint
    def replace_data(
        self,
        parser_id: str,
        document_id: str,
        data: Mapping[str, Any],
        *,
        reviewer_id: str | None = None,
    ) -> Steps[DocumentDetails]:
        """Replace all values; fields that ``data`` does not name are cleared."""
        return self.call(
            "PUT",
            path("parsers", parser_id, "documents", document_id, "data"),
            body={"data": data} | present(reviewer_id=reviewer_id),
        )

    @endpoint
    def reprocess(
        self,
        parser_id: str,
        document_id: str | None = None,
        *,
        external_id: str | None = None,
        discard_corrections: bool = False,
        idempotency_key: str | None = None,
    ) -> Steps[Reprocessed]:
        """Read a document again with its parser's current setup.

        Values that people corrected or confirmed stay, unless with ``discard_corrections``.
        """
        return self.call(
            "POST",
            path("process", parser_id, "reprocess"),
            body=present(
                document_id=document_id,
                external_id=external_id,
                discard_corrections=discard_corrections or None,
            ),
            idempotency_key=idempotency_key,
        )

    @endpoint
    def cancel(
        self, parser_id: str, document_id: str, *, idempotency_key: str | None = None
    ) -> Steps[DocumentDetails]:
        """Stop reading a document that is queued or being read; it is ``failed`` then."""
        return self.call(
            "POST",
            path("parsers", parser_id, "documents", document_id, "cancel"),
            idempotency_key=idempotency_key,
        )

    @endpoint
    def undo_split(
        self, parser_id: str, document_id: str, *, idempotency_key: str | None = None
    ) -> Steps[Reprocessed]:
        """Read a split PDF as one document again, given any of its parts; the other parts are deleted."""
        return self.call(
            "POST",
            path("parsers", parser_id, "documents", document_id, "split", "undo"),
            idempotency_key=idempotency_key,
        )

    @endpoint
    def delete(
        self,
        parser_id: str,
        document_ids: Sequence[str] = (),
        *,
        external_ids: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Steps[Deleted]:
        """Delete documents, all or none."""
        where = path("parsers", parser_id, "documents", "delete")
        named = _named(document_ids, external_ids)
        return self.call("POST", where, body=named, idempotency_key=idempotency_key)


def _named(document_ids: Sequence[str], external_ids: Sequence[str]) -> dict[str, Any]:
    """Return the body that names documents; a single id becomes a list."""
    return {
        name: [ids] if isinstance(ids, str) else [*ids]
        for name, ids in (("documentIds", document_ids), ("externalIds", external_ids))
        if ids
    }

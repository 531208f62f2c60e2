"""``client.documents``: operations on several documents at once."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docduck.client.transport.encoding import UNSET, Unset, path, present, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import BulkUpdated, Deleted

if TYPE_CHECKING:
    import polars


class DocumentSets(Resource[M]):
    """Operations on documents that are chosen by their ids, or by filters."""

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
        """Change up to 500 documents at once.

            client.documents.bulk_update(parser_id, external_ids=["A-17", "A-18"], folder_id=None)

        None clears a property; what is not named stays.
        """
        body = _named(document_ids, external_ids) | set_values(
            custom=custom, folder_id=folder_id, assignee_id=assignee_id
        )
        where = path("parsers", parser_id, "documents", "bulk-update")
        return self.call("POST", where, body=body, idempotency_key=idempotency_key)

    @endpoint
    def delete(
        self,
        parser_id: str,
        document_ids: Sequence[str] = (),
        *,
        external_ids: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Steps[Deleted]:
        """Delete documents, all or none.

            client.documents.delete(parser_id, external_ids=["A-17"])

        Raise NotFound, whose ``not_found`` lists the documents that are missing.
        """
        where = path("parsers", parser_id, "documents", "delete")
        named = _named(document_ids, external_ids)
        return self.call("POST", where, body=named, idempotency_key=idempotency_key)

    @endpoint
    def to_polars(
        self,
        parser_id: str,
        table: str | None = None,
        *,
        filters: Sequence[Mapping[str, Any]] | None = None,
    ) -> Steps[polars.DataFrame]:
        """Return the fields of all processed and approved documents, or the rows of one of their tables.

            items = client.documents.to_polars(parser_id, "Line Items")
            print(items.group_by("Description").agg(pl.col("Amount").sum()))

        The columns are typed as the fields are. ``filters`` are those of an export, which this is.
        """
        # Imported here: it takes long, and nothing else of the client needs it.
        import polars as pl

        scope = "fields_only" if table is None else "table"
        body = present(format="parquet", scope=scope, table_name=table, filters=filters)
        where = path("parsers", parser_id, "exports")
        response = yield from self.send("POST", where, body=body, read_only=True)
        return pl.read_parquet(io.BytesIO(response.body))


def _named(document_ids: Sequence[str], external_ids: Sequence[str]) -> dict[str, Any]:
    """Return the body that names documents; a single id becomes a list."""
    return {
        name: [ids] if isinstance(ids, str) else [*ids]
        for name, ids in (("documentIds", document_ids), ("externalIds", external_ids))
        if ids
    }

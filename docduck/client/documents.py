"""``client.documents``: documents of a parser, and what was read of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from docduck.client.calls import UNSET, Unset, given, moment, path, wished
from docduck.client.effects import Steps
from docduck.client.endpoint import M, Resource, endpoint, listing
from docduck.client.types import (
    BulkUpdated,
    Deleted,
    Document,
    DocumentDetails,
    HistoryEntry,
    Page,
    Reprocessed,
)


class Documents(Resource[M]):
    """Documents of a parser (spec.md, Documents; contract C9, C16)."""

    @endpoint
    def page(
        self,
        parser_id: str,
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
        """One page of the documents; ``folder_id`` ``"root"`` for those in no folder."""
        params = wished(
            q=q,
            status=status,
            folder_id=folder_id,
            include_subfolders=include_subfolders,
            assignee_id=assignee_id,
            review_stage_id=review_stage_id,
            external_id=external_id,
            created_from=moment(created_from),
            created_to=moment(created_to),
            sort=sort,
            page=page,
            limit=limit,
        )
        return self.call("GET", path("parsers", parser_id, "documents"), params=params)

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
        """One page of what is found, in values as well; ``folder_id`` None for documents in no folder.

        A filter is ``{"field": "Total", "operator": "greater_than", "value": 100}`` (contract A9).
        """
        body = wished(
            q=q,
            filters=filters,
            status=status,
            include_subfolders=include_subfolders,
            assignee_id=assignee_id,
            review_stage_id=review_stage_id,
            external_id=external_id,
            created_from=moment(created_from),
            created_to=moment(created_to),
            sort=sort,
            page=page,
            limit=limit,
        ) | given(folder_id=folder_id)
        return self.call("POST", path("parsers", parser_id, "documents", "search"), body=body, repeats=True)

    search = listing(search_page)

    @endpoint
    def get(self, parser_id: str, document_id: str) -> Steps[DocumentDetails]:
        """A document whole."""
        return self.call("GET", path("parsers", parser_id, "documents", document_id))

    @endpoint
    def history(
        self, parser_id: str, document_id: str, *, page: int = 1, limit: int = 50
    ) -> Steps[Page[HistoryEntry]]:
        """A page of the changes of a document's state, the oldest first."""
        where = path("parsers", parser_id, "documents", document_id, "history")
        return self.call("GET", where, params=wished(page=page, limit=limit))

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
        """Change what is given; None clears it."""
        body = given(
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
        body = _named(document_ids, external_ids) | given(
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
        """Put values right, by field name or id: None clears one, a table is given whole.

        The parser learns where they are printed on documents that look alike.
        """
        return self.call(
            "PATCH",
            path("parsers", parser_id, "documents", document_id, "data"),
            body={"data": data} | wished(reviewer_id=reviewer_id),
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
        """The same, and fields that ``data`` does not name are cleared."""
        return self.call(
            "PUT",
            path("parsers", parser_id, "documents", document_id, "data"),
            body={"data": data} | wished(reviewer_id=reviewer_id),
        )

    @endpoint
    def reprocess(
        self,
        parser_id: str,
        document_id: str | None = None,
        *,
        external_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[Reprocessed]:
        """Read a document again, as its parser is now; changes made to its values are given up."""
        return self.call(
            "POST",
            path("process", parser_id, "reprocess"),
            body=wished(document_id=document_id, external_id=external_id),
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
    """Documents by ids or external ids; one id alone is a list of one."""
    return {
        name: [ids] if isinstance(ids, str) else [*ids]
        for name, ids in (("documentIds", document_ids), ("externalIds", external_ids))
        if ids
    }

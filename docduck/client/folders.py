"""``client.folders``: folders of a parser's documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.client.transport.encoding import UNSET, Unset, path, present, query, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import Folder, FolderDeleted


class Folders(Resource[M]):
    """Folders of a parser."""

    @endpoint
    def list(
        self,
        parser_id: str,
        *,
        parent_id: str | None = None,
        q: str | None = None,
        flat: bool | None = None,
    ) -> Steps[Sequence[Folder]]:
        """Return the parser's folders, depth-first; ``parent_id="root"`` for those at the top."""
        params = present(parent_id=parent_id, q=q, flat=flat)
        found = yield from self.call("GET", path("parsers", parser_id, "folders"), params=params)
        return found["data"]  # type: ignore[no-any-return]

    @endpoint
    def get(self, parser_id: str, folder_id: str) -> Steps[Folder]:
        """Return a folder."""
        return self.call("GET", path("parsers", parser_id, "folders", folder_id))

    @endpoint
    def create(
        self,
        parser_id: str,
        name: str,
        *,
        color: str | None = None,
        parent_id: str | None = None,
        has_auto_assign: bool | Unset = UNSET,
        auto_assignment: Mapping[str, Any] | bool | Unset | None = UNSET,
        idempotency_key: str | None = None,
    ) -> Steps[Folder]:
        """Create a folder, at the root unless it has a parent."""
        body = set_values(
            name=name,
            color=color,
            parent_id=parent_id,
            has_auto_assign=has_auto_assign,
            auto_assignment=auto_assignment,
        )
        return self.call(
            "POST", path("parsers", parser_id, "folders"), body=body, idempotency_key=idempotency_key
        )

    @endpoint
    def update(
        self,
        parser_id: str,
        folder_id: str,
        *,
        name: str | Unset = UNSET,
        color: str | Unset | None = UNSET,
        parent_id: str | Unset | None = UNSET,
        has_auto_assign: bool | Unset = UNSET,
        auto_assignment: Mapping[str, Any] | bool | Unset | None = UNSET,
    ) -> Steps[Folder]:
        """Change the properties that are set; ``parent_id=None`` moves it to the root."""
        body = set_values(
            name=name,
            color=color,
            parent_id=parent_id,
            has_auto_assign=has_auto_assign,
            auto_assignment=auto_assignment,
        )
        return self.call("PATCH", path("parsers", parser_id, "folders", folder_id), body=body)

    @endpoint
    def delete(
        self, parser_id: str, folder_id: str, *, delete_documents: bool = False
    ) -> Steps[FolderDeleted]:
        """Delete a folder and those below it; their documents stay unless ``delete_documents``."""
        params = query(set_values(delete_documents=delete_documents))
        return self.call("DELETE", path("parsers", parser_id, "folders", folder_id), params=params)

"""``client.fields``: the fields of a parser, named by name or id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.client.transport.encoding import path
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.transport.uploads import File, upload
from docduck.client.types import Field, FieldInput, Fields, SuggestedField


class ParserFields(Resource[M]):
    """Fields of a parser."""

    @endpoint
    def list(self, parser_id: str) -> Steps[Sequence[Field]]:
        """Return the parser's fields, by position."""
        found = yield from self.call("GET", path("parsers", parser_id, "fields"))
        return found["fields"]  # type: ignore[no-any-return]

    @endpoint
    def add(
        self,
        parser_id: str,
        field: FieldInput | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> Steps[Fields]:
        """Add a field, or a table with its columns."""
        return self.call(
            "POST", path("parsers", parser_id, "fields"), body=field, idempotency_key=idempotency_key
        )

    @endpoint
    def update(self, parser_id: str, field: str, changes: FieldInput | Mapping[str, Any]) -> Steps[Fields]:
        """Change the properties in ``changes``; a table's ``columns`` replace all that it has."""
        return self.call("PATCH", path("parsers", parser_id, "fields", field), body=changes)

    @endpoint
    def reorder(self, parser_id: str, fields: Sequence[str]) -> Steps[Fields]:
        """Put all fields in a new order."""
        return self.call(
            "POST", path("parsers", parser_id, "fields", "reorder"), body={"fieldIds": list_of(fields)}
        )

    @endpoint
    def delete(self, parser_id: str, field: str) -> Steps[Fields]:
        """Remove a field; documents keep its values until they are read again."""
        return self.call("DELETE", path("parsers", parser_id, "fields", field))

    @endpoint
    def suggest(
        self, parser_id: str, *, file: File | None = None, document_id: str | None = None
    ) -> Steps[Sequence[SuggestedField]]:
        """Return the fields and tables found on a sample: a file, or an existing document."""
        where = path("parsers", parser_id, "fields", "suggest")
        if document_id is not None:
            found = yield from self.call("POST", where, body={"documentId": document_id}, read_only=True)
        else:
            sample = upload([] if file is None else [file], {})
            found = yield from self.call("POST", where, upload=sample, read_only=True)
        return found["fields"]  # type: ignore[no-any-return]


list_of = list

"""``client.post_processing``: steps that change extracted values, and their lookup tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.client.transport.encoding import path
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.transport.uploads import File, upload
from docduck.client.types import LookupTable, Page


class PostProcessing(Resource[M]):
    """Post-processing of a parser."""

    @endpoint
    def get(self, parser_id: str) -> Steps[Sequence[dict[str, Any]]]:
        """Return the parser's steps, in their order."""
        found = yield from self.call("GET", path("parsers", parser_id, "post-processing"))
        return found["steps"]  # type: ignore[no-any-return]

    @endpoint
    def set(self, parser_id: str, steps: Sequence[Mapping[str, Any]]) -> Steps[Sequence[dict[str, Any]]]:
        """Replace all steps; documents that are processed from now on use them."""
        where = path("parsers", parser_id, "post-processing")
        found = yield from self.call("PUT", where, body={"steps": list(steps)})
        return found["steps"]  # type: ignore[no-any-return]

    @endpoint
    def tables_page(self, parser_id: str, *, page: int = 1, limit: int = 50) -> Steps[Page[LookupTable]]:
        """Return a page of the lookup tables, by name."""
        params = {"page": page, "limit": limit}
        return self.call("GET", path("parsers", parser_id, "lookup-tables"), params=params)

    tables = listing(tables_page)

    @endpoint
    def put_table(self, parser_id: str, name: str, file: File) -> Steps[LookupTable]:
        """Create or replace a lookup table from a CSV file."""
        return self.call("PUT", path("parsers", parser_id, "lookup-tables", name), upload=upload([file], {}))

    @endpoint
    def delete_table(self, parser_id: str, name: str) -> Steps[None]:
        """Delete a lookup table that no step uses."""
        yield from self.call("DELETE", path("parsers", parser_id, "lookup-tables", name))

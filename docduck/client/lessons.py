"""``client.lessons``: what a parser has learned from corrections and approvals."""

from __future__ import annotations

from docduck.client.transport.encoding import path
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import Done, Lesson, Page


class Lessons(Resource[M]):
    """Lessons of a parser."""

    @endpoint
    def page(self, parser_id: str, *, page: int = 1, limit: int = 50) -> Steps[Page[Lesson]]:
        """Return a page of what the parser has learned, the newest first."""
        return self.call("GET", path("parsers", parser_id, "lessons"), params={"page": page, "limit": limit})

    list = listing(page)

    @endpoint
    def remove(self, parser_id: str, lesson_id: str) -> Steps[Done]:
        """Forget a lesson: it counts for no document that is read from now on."""
        return self.call("DELETE", path("parsers", parser_id, "lessons", lesson_id))

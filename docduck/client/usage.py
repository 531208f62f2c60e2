"""``client.usage``: what the team uses."""

from __future__ import annotations

from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import TeamUsage


class Usage(Resource[M]):
    """The team's documents and pages, and its use of language models."""

    @endpoint
    def get(self) -> Steps[TeamUsage]:
        """Return the use by day and parser, and by month and model, of a year."""
        return self.call("GET", "/usage")

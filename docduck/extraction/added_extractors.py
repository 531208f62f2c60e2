"""The extractors that entry points of the group ``docduck.extractors`` name: domains and other packages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from docduck.documents.document import Document
from docduck.errors import DocduckError, PluginFailed
from docduck.extraction.extractor import Extractor, Findings
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.plugins import BrokenPlugin, Plugin, plugins


@dataclass(frozen=True, slots=True)
class _Added:
    """An extractor whose errors name its package."""

    plugin: Plugin
    extractor: Extractor

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return what the extractor found; raise PluginFailed if it raised anything but docduck's errors."""
        try:
            findings: object = self.extractor.find(document, queries, options)
        except (DocduckError, MemoryError):
            raise
        except Exception as error:
            raise PluginFailed(f"The plugin {self.plugin} failed: {type(error).__name__}: {error}") from error
        if not isinstance(findings, Findings):
            raise PluginFailed(
                f"The plugin {self.plugin} returned {type(findings).__name__} instead of Findings"
            )
        return findings


def added_extractors() -> list[Extractor]:
    """Return the extractors that can be loaded, in the order of their names."""
    added: list[Extractor] = []
    for plugin in plugins("extractors"):
        with suppress(BrokenPlugin):
            added.append(_Added(plugin, plugin.load()))
    return added

"""What a project calls docduck's assets: its translation may give them other keys."""

from __future__ import annotations

from collections.abc import Mapping

from dagster import AssetKey


class Names:
    """The keys of assets in a project, and docduck's own; ``renamed`` has those that differ, by the own."""

    def __init__(self, renamed: Mapping[AssetKey, AssetKey] | None = None) -> None:
        self._theirs = dict(renamed or {})
        self._own = {theirs: own for own, theirs in self._theirs.items()}

    def of(self, own: AssetKey) -> AssetKey:
        """Return the project's key of an asset."""
        return self._theirs.get(own, own)

    def own(self, key: AssetKey) -> AssetKey:
        """Return docduck's key of an asset, such as ``[parser, table]``."""
        return self._own.get(key, key)


OWN_NAMES = Names()
"""The names in docduck's own code location."""

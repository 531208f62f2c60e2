"""The releases of docduck, and the catalogs that they upgrade."""

from __future__ import annotations

RELEASES = {
    "0.1.0": "0026",
}
"""By release, the oldest version of a catalog that it upgrades. The last one is the version of this docduck.

Where it carries fewer migrations than the one before, a home that is too old is told which release to begin
with.
"""
THIS_RELEASE = [*RELEASES][-1]


def upgrades_from(version: str) -> str | None:
    """Return the newest release that upgrades a catalog of this version; None if none does."""
    return next((release for release, oldest in reversed(RELEASES.items()) if oldest <= version), None)

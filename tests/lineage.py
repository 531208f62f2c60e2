"""The lineage graph of Dagster's UI in a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.browser import browsing, expect


def expect_in_lineage(address: str, assets: Mapping[str, Sequence[str]]) -> None:
    """Open the graph of what is upstream of each asset; expect the names of these assets to be visible."""
    with browsing(viewport={"width": 1500, "height": 1000}) as (page, _):
        for key, names in assets.items():
            page.goto(f"{address}/assets/{key}?view=lineage&lineageScope=upstream&lineageDepth=5")
            for name in names:
                expect(page.get_by_text(name, exact=True).first).to_be_visible()

"""The lineage graph of Dagster's UI in a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.browser import CHROMIUM, SWITCHES


def expect_in_lineage(address: str, assets: Mapping[str, Sequence[str]]) -> None:
    """Open the graph of what is upstream of each asset; expect the names of these assets to be visible."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        page = browser.new_page(viewport={"width": 1500, "height": 1000})
        page.set_default_timeout(30_000)
        expect.set_options(timeout=30_000)
        for key, names in assets.items():
            page.goto(f"{address}/assets/{key}?view=lineage&lineageScope=upstream&lineageDepth=5")
            for name in names:
                expect(page.get_by_text(name, exact=True).first).to_be_visible()
        browser.close()

"""Chromium, for tests of pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CHROMIUM = Path("/usr/bin/chromium")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def expect(what: Any) -> Any:
    """Playwright's assertions, which wait until they hold, as long as its other calls do."""
    from playwright.sync_api import expect as of_playwright

    of_playwright.set_options(timeout=30_000)
    return of_playwright(what)

"""Chromium, for tests of pages: one for all tests of a process, which takes a second to start."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield the browser; what is opened in it is closed at the end of the block."""
    playwright, browser = _started()
    with _loop_of(playwright):
        before = browser.contexts
        try:
            yield browser
        finally:
            for context in browser.contexts:
                if context not in before:
                    context.close()


@contextmanager
def browsing(**context: Any) -> Iterator[tuple[Any, list[str]]]:
    """Yield a page, without what others have stored in the browser, and what it complains about."""
    complaints: list[str] = []
    with chromium() as browser:
        page = browser.new_context(**context).new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page, complaints


def close_chromium() -> None:
    """End the browser, if a test of this process has started it."""
    if _started.cache_info().currsize:
        playwright, browser = _started()
        with _loop_of(playwright):
            browser.close()
            playwright.stop()
        _started.cache_clear()


def expect(what: Any) -> Any:
    """Playwright's assertions, which wait until they hold, as long as its other calls do."""
    from playwright.sync_api import expect as of_playwright

    of_playwright.set_options(timeout=30_000)
    return of_playwright(what)


@functools.cache
def _started() -> tuple[Any, Any]:
    from playwright.sync_api import sync_playwright

    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
    asyncio._set_running_loop(None)
    return playwright, browser


@contextmanager
def _loop_of(playwright: Any) -> Iterator[None]:
    """Let Playwright's loop be the running one, which it claims to be from its start to its end.

    Outside of the block, other tests can run loops of their own.
    """
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(playwright._loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)

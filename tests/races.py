"""Look for races: delay timers and background work, and keep the processor busy, while tests run.

A plugin of pytest: ``python -m pytest -p tests.races``. Timers of pages, and of docduck in this process and
those that tests start, take ``DELAY_SECONDS`` longer, and ``BUSY_PROCESSES`` compete for the processor.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette import background

from tests.children.delays import delay_tasks, delay_timers

DELAY_SECONDS = 0.5
BUSY_PROCESSES = 4
VARIABLE = "TEST_DELAY_SECONDS"

_BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"
_TIMERS = f"""
for (const name of ["setTimeout", "setInterval"]) {{
  const original = window[name];
  window[name] = (work, after = 0, ...more) => original(work, after + {1000 * DELAY_SECONDS}, ...more);
}}
"""
_busy: list[subprocess.Popen[bytes]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Delay what this process and its children do, and what its browsers do."""
    os.environ[VARIABLE] = str(DELAY_SECONDS)
    os.environ["PYTHONPATH"] = str(Path(__file__).parent / "children")
    delay_timers(DELAY_SECONDS)
    delay_tasks(background, DELAY_SECONDS)
    _delay_pages()
    if not hasattr(config, "workerinput"):
        _busy.extend(
            subprocess.Popen([sys.executable, "-c", _BUSY, str(os.getpid())]) for _ in range(BUSY_PROCESSES)
        )


def pytest_unconfigure() -> None:
    """End the processes that keep the processor busy."""
    for process in _busy:
        process.kill()
        process.wait()


def _delay_pages() -> None:
    from playwright.sync_api import Browser

    new_context = Browser.new_context

    def delayed(browser: Any, **options: Any) -> Any:
        context = new_context(browser, **options)
        context.add_init_script(_TIMERS)
        return context

    setattr(Browser, "new_context", delayed)  # noqa: B010

"""Calls at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from docduck.errors import DocduckError


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Do all at the same time; give what each returned, or the error that it raised."""
    begin = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        begin.wait(30)
        try:
            return call()
        except DocduckError as error:
            return error

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))

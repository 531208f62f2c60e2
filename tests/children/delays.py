"""Delays timers and background work of docduck in this process, which shows what races with them."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from types import ModuleType
from typing import Any


def delay_timers(seconds: float) -> None:
    """Let docduck's threads begin later, and its waits for a time end later."""
    wait, run, sleep, pause = threading.Event.wait, threading.Thread.run, time.sleep, asyncio.sleep

    def delayed_wait(event: threading.Event, timeout: float | None = None) -> bool:
        return wait(event, timeout + seconds if timeout and _is_docduck(_caller()) else timeout)

    def delayed_run(thread: threading.Thread) -> None:
        if _is_docduck(getattr(vars(thread).get("_target"), "__module__", None)):
            sleep(seconds)
        run(thread)

    def delayed_pause(delay: float, result: Any = None) -> Any:
        return pause(delay + seconds if delay and _is_docduck(_caller()) else delay, result)

    for owner, name, value in (
        (threading.Event, "wait", delayed_wait),
        (threading.Thread, "run", delayed_run),
        (asyncio, "sleep", delayed_pause),
    ):
        setattr(owner, name, value)


def delay_tasks(background: ModuleType, seconds: float) -> None:
    """Let the work that is done after responses begin later; ``background`` is Starlette's module."""
    pause, call = asyncio.sleep, background.BackgroundTask.__call__

    async def delayed_call(task: Any) -> None:
        await pause(seconds)
        await call(task)

    background.BackgroundTask.__call__ = delayed_call


def _caller() -> str:
    return str(sys._getframe(2).f_globals.get("__name__"))


def _is_docduck(module: object) -> bool:
    return str(module).startswith(("docduck.", "dagster_docduck."))

"""When the next run starts after some have failed; noted in the home, where documents tell why they wait."""

from __future__ import annotations

import datetime as dt
import os

from docduck import clock
from docduck.service.core.installation import Installation


def note_next_run(inst: Installation, seconds: float) -> None:
    """Note that runs have failed, and that the next one starts in so many ``seconds``."""
    path = inst.settings.home / "run" / "next-run"
    path.parent.mkdir(exist_ok=True)
    path.touch(mode=0o600)
    at = clock.now().timestamp() + seconds
    os.utime(path, (at, at))


def next_run(inst: Installation) -> dt.datetime | None:
    """Return when the next run starts; None unless it is delayed by failed ones."""
    try:
        changed = (inst.settings.home / "run" / "next-run").stat().st_mtime
    except FileNotFoundError:
        return None
    at = clock.milliseconds(dt.datetime.fromtimestamp(changed, dt.UTC))
    return at if at > clock.now() else None

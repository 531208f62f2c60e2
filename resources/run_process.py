"""Which process executes a run, so that a run whose process is gone can be told from a live one.

Dagster's default launcher does not find out when the code server dies together with its runs: they stay
"started" for hours. A run therefore notes its process in its tags.
"""

from __future__ import annotations

from dagster import DagsterInstance, DagsterRun

from docduck.owner import is_dead, this_process

PROCESS_TAG = "docduck/process"


def note_process(instance: DagsterInstance, run: DagsterRun) -> None:
    """Write this process to the run's tags."""
    instance.add_run_tags(run.run_id, {PROCESS_TAG: this_process()})


def is_lost(run: DagsterRun) -> bool:
    """Whether the run's process is known to be gone; False when it can't be seen from here."""
    noted = run.tags.get(PROCESS_TAG)
    return noted is not None and is_dead(noted)

"""Dagster definitions: jobs, sensors, schedules. Begin with ``definitions.py``, which collects everything."""

import multiprocessing

# The child of a code server is a run: what its workers need is imported beside the definitions.
if multiprocessing.parent_process() is not None:
    # Imported here: the other processes of Dagster don't need it.
    from docduck.extraction.jobs.heavy_imports import import_in_advance

    import_in_advance()

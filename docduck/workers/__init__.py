"""Worker processes: isolated, with limits on time and memory, each running one job on a file at a time.

Begin with ``pool``, which also decides what becomes of a document whose worker dies. A job is a module-level
function of a task and a Context; its result and its deliberate errors are returned as data.
"""

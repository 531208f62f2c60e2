"""Isolated processes that do one job with a file each: what happens to one of them, nobody else feels.

Begin with pool.py. A job is a module-level function of a task and a Context; its result, and the errors that
it raises on purpose, come back as data.
"""

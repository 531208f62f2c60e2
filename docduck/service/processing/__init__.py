"""Claiming queued documents, reading them in worker processes and storing the results. Begin with
``processing``.
"""

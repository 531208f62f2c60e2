"""Intake from sources of every kind: what is new, and taking it in, each item exactly once."""

from __future__ import annotations

from docduck.service.core.installation import Installation
from docduck.service.sources import folder_intake, remote_intake
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.report import IntakeReport, SourceState
from docduck.service.sources.sources import Source


def inspect_source(inst: Installation, source: Source, last_signature: str | None = None) -> SourceState:
    """Return the state of a source without reading its items; a remote source is looked at if it is due."""
    if isinstance(source, RemoteSource):
        return remote_intake.look_at(inst, source)
    return folder_intake.inspect_folder(inst, source, last_signature)


def describe_source(inst: Installation, source: Source) -> str:
    """Return what there is to say of a source, without asking a remote one."""
    if isinstance(source, RemoteSource):
        return remote_intake.last_message(inst, source)
    return inspect_source(inst, source).message


def ingest(inst: Installation, source: Source, state: SourceState | None = None) -> IntakeReport:
    """Register all new items of a source, then do with them what the source says.

    Safe to run concurrently, to interrupt and to repeat. A bad item doesn't stop the others. Pass the
    ``state`` of ``inspect_source`` to save another scan.
    """
    if isinstance(source, RemoteSource):
        return remote_intake.take_in(inst, source)
    return folder_intake.ingest_folder(inst, source, state.scan if state else None)

"""Deletion of unreferenced files and expired records, and maintenance of the search index."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import delete, select

from docduck import clock
from docduck.catalog.models import StoredFile
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import STEP
from docduck.service.documents.bin.contents import empty_bin
from docduck.service.documents.cancellation import cancel_orphans
from docduck.service.outputs.file_exports import release_expired_exports
from docduck.service.previews.preview_cache import forget, sweep_cache
from docduck.service.processing.long_documents import forget_pieces
from docduck.service.requests.rate_limits import delete_old_counters
from docduck.service.search import expiry, maintenance
from docduck.service.upkeep.expired_rows import delete_expired_rows
from docduck.service.webhooks.secrets import delete_expired_secrets

FILE_GRACE_SECONDS = 600
"""How long a stored file without a document is kept."""

FIRST_BYTES = [f"{number:02x}" for number in range(256)]
"""The first bytes of hashes: so few files are looked at at a time, however many there are."""


def sweep(inst: Installation) -> int:
    """Delete files unreferenced for the grace period; return how many.

    Expired idempotent requests, sessions, invitations, links to set a password, grants to OAuth clients and
    exports by link, request counters, records of exports and deliveries to webhooks are deleted, too, and
    pieces of long documents that are done. Documents that were in the bin long enough are deleted for good.
    Documents in progress of deleted parsers are cancelled.

    A file is deleted from the catalog first: a crash in between leaves bytes, never a document without its
    file. A file stored again meanwhile is kept, as its time is renewed.
    """
    maintenance.index_stale_documents(inst)
    if inst.settings.search_days is not None:
        expiry.expire_values(inst, inst.settings.search_days)
    maintenance.merge_counters(inst)
    release_expired_exports(inst)
    cancel_orphans(inst)
    empty_bin(inst)
    forget_pieces(inst)
    before = clock.now() - dt.timedelta(seconds=FILE_GRACE_SECONDS)
    removed = 0
    while True:
        with inst.catalog.transaction() as session:
            unused = (StoredFile.refs <= 0, StoredFile.released_at < before)
            rows = select(StoredFile.sha256).where(*unused).limit(STEP).with_for_update(skip_locked=True)
            hashes = session.scalars(rows).all()
            session.execute(delete(StoredFile).where(StoredFile.sha256.in_(hashes)))
        for sha256 in hashes:
            removed += inst.files.remove(sha256, before.timestamp())
            forget(inst, sha256)
        if len(hashes) < STEP:
            break
    sweep_cache(inst)
    delete_old_counters(inst)
    delete_expired_secrets(inst)
    delete_expired_rows(inst)
    return removed + _sweep_unregistered(inst, before) + inst.files.clear_abandoned()


def _sweep_unregistered(inst: Installation, before: dt.datetime) -> int:
    """Delete files that were stored ``before``, but never registered, as a process died; return how many."""
    removed = 0
    for first_byte in FIRST_BYTES:
        known = registered(inst, first_byte)
        removed += sum(
            inst.files.remove(sha256, before.timestamp())
            for sha256 in inst.files.hashes(first_byte)
            if sha256 not in known
        )
    return removed


def registered(inst: Installation, first_byte: str) -> dict[str, int]:
    """Return the hashes that the catalog has and that begin so, with how many references there are."""
    # A range, for which any database uses the index; "g" comes after all hex digits.
    mine = StoredFile.sha256.between(first_byte, f"{first_byte}g")
    statement = select(StoredFile.sha256, StoredFile.refs).where(mine)
    with inst.catalog.read_session() as session:
        return {sha256: refs for sha256, refs in session.execute(statement)}

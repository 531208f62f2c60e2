"""Maintenance of the index after upgrades and changes of fields; merging of counters."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentCount, Parser, SearchEntry
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import view
from docduck.service.search import long_texts, reindexing
from docduck.service.search.entries import index_schema
from docduck.service.search.selection import stale_schemas

_log = logging.getLogger(__name__)
_STEP = 200
_FEW_SHARDS = 50
_MERGE = """
WITH gone AS (
    DELETE FROM document_counts WHERE shard <> 0 AND shard NOT IN (SELECT pid FROM pg_stat_activity)
    RETURNING parser_id, folder_id, status, documents
)
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT parser_id, folder_id, status, 0, sum(documents) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (parser_id, folder_id, status, shard)
DO UPDATE SET documents = document_counts.documents + excluded.documents"""


def index_stale_documents(
    inst: Installation, seconds: float | None = None, parser_ids: Sequence[str] | None = None
) -> int:
    """Index documents that are not indexed by their parser's present fields; return how many.

    ``parser_ids`` limits the parsers. Stop after ``seconds``; finished work is kept. Safe to run
    concurrently.
    """
    end = None if seconds is None else time.monotonic() + seconds
    done = 0
    with inst.catalog.read_session() as session:
        behind = _behind(session, parser_ids)
    for parser_id, shape_ids in behind.items():
        for shape_id in shape_ids:
            while step := _renew(inst, parser_id, shape_id):
                done += step
                if end is not None and time.monotonic() > end:
                    return done
    if done:
        _log.info("indexed %s documents again", done)
    long_texts.write_pending(inst, parser_ids=parser_ids)
    return done


def merge_counters(inst: Installation) -> None:
    """Merge the counters of closed connections."""
    if inst.catalog.is_sqlite:
        return
    with inst.catalog.read_session() as session:
        shards = session.scalars(select(DocumentCount.shard).distinct().limit(_FEW_SHARDS + 1)).all()
    if len(shards) <= _FEW_SHARDS:
        return
    with inst.catalog.transaction() as session:
        # One process at a time, to avoid deadlocks.
        session.execute(text("LOCK TABLE search_shapes IN SHARE ROW EXCLUSIVE MODE"))
        session.execute(text(_MERGE))


def _behind(session: Session, parser_ids: Sequence[str] | None) -> dict[str, list[int]]:
    """Return the stale schema ids by parser."""
    statement = select(Parser).where(Parser.deleted_at.is_(None)).order_by(Parser.created_at)
    if parser_ids is not None:
        statement = statement.where(Parser.id.in_(parser_ids))
    behind = {}
    for row in session.scalars(statement):
        parser = view(row)
        if parser.problem is None and (ids := stale_schemas(session, index_schema(row.id, parser.fields))):
            behind[row.id] = ids
    return behind


def _renew(inst: Installation, parser_id: str, shape_id: int) -> int:
    """Index a batch of documents again; return how many were checked."""
    behind = select(SearchEntry.document_id).where(
        SearchEntry.parser_id == parser_id, SearchEntry.shape_id == shape_id
    )
    with inst.catalog.read_session() as session:
        ids = session.scalars(behind.order_by(SearchEntry.number).limit(_STEP)).all()
        renewal = reindexing.prepare_renewal(session, ids)
    if ids:
        with inst.catalog.transaction() as session:
            reindexing.renew(session, renewal)
    return len(ids)

"""What keeping the index current costs each document: processed with it and without it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from sqlalchemy import text

from docduck.documents.document import Box
from docduck.extraction.result import Extraction, Finding, Location, PageFacts
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.values import named
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from docduck.service.search import index
from tests.benchmarks.catalog_world import made_values
from tests.benchmarks.figures import Figure

_DOCUMENTS, _BATCH, _OWNER = 2000, 200, "bench"


def index_cost(inst: Installation, parser: ParserView, where: str) -> Iterator[Figure]:
    """Milliseconds for each document that is registered, claimed and finished, and the index's share."""
    now = get_parser(inst, parser.team_id, parser.id)
    _spent(inst, now)
    with_index = _spent(inst, now)
    with _without_index(inst):
        without = _spent(inst, now)
    yield Figure(f"{where}: processed, in the catalog", with_index, "ms/document")
    yield Figure(f"{where}: of that the index", with_index - without, "ms/document")


def _spent(inst: Installation, parser: ParserView) -> float:
    """On the processor for SQLite, which works in this thread; on the wall else."""
    clock = time.thread_time if inst.catalog.is_sqlite else time.perf_counter
    chance = random.Random(time.time_ns())
    spent = 0.0
    for start in range(0, _DOCUMENTS, _BATCH):
        names = [f"bench-{chance.getrandbits(60)}.pdf" for _ in range(_BATCH)]
        new = [
            NewDocument(name, inst.files.put_bytes(name.encode()).sha256, len(name), "application/pdf")
            for name in names
        ]
        extractions = [_extraction(parser, chance, start + at) for at in range(_BATCH)]
        begin = clock()
        with inst.catalog.transaction() as session:
            register(session, parser.team_id, parser.id, new, _OWNER)
        claims = claim(inst, [ClaimRequest(parser.id, _BATCH)], _OWNER)
        readings = [
            ExtractionOutcome(one, parser, made) for one, made in zip(claims, extractions, strict=True)
        ]
        store_outcomes(inst, readings, _OWNER)
        spent += clock() - begin
    return 1000 * spent / _DOCUMENTS


def _extraction(parser: ParserView, chance: random.Random, at: int) -> Extraction:
    values, _ = made_values(parser.fields, chance, at)
    data = named(parser.fields, values)
    evidence = Finding("x", 0.9, (Location(1, Box(0.1, 0.2, 0.3, 0.05), "x"),), "x").as_json()
    return Extraction(
        data=data,
        field_metadata={name: evidence for name, value in data.items() if not isinstance(value, list)},
        markdown="",
        pages=[PageFacts(1, 595, 842, "text")],
        page_count=1,
        content_type="application/pdf",
        confidence=0.9,
    )


@contextmanager
def _without_index(inst: Installation) -> Iterator[None]:
    """The service without its index of documents; what is done meanwhile is not in it."""
    dropped: list[str] = []
    with inst.catalog.engine.begin() as connection:
        if inst.catalog.is_sqlite:
            kept = connection.execute(
                text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'documents'")
            ).all()
            for name, made in kept:
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
                dropped.append(made)
        else:
            connection.execute(text("ALTER TABLE documents DISABLE TRIGGER USER"))
    with ExitStack() as stack:
        for name in ("add", "replace_values"):
            stack.enter_context(patch.object(index, name, lambda *_: None))
        yield
    with inst.catalog.engine.begin() as connection:
        for made in dropped:
            connection.exec_driver_sql(made)
        if not inst.catalog.is_sqlite:
            connection.execute(text("ALTER TABLE documents ENABLE TRIGGER USER"))

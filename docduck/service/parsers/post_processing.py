"""The post-processing of parsers: stored by field id, shown by field name.

A stored step that no longer fits the parser, because a field of it was deleted or has another type, is left
out.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Parser, StoredTable
from docduck.errors import InputError
from docduck.extraction.post_processing.steps import LookupStep, PostProcessing, Step
from docduck.fields import Field
from docduck.service.conditions.work_limits import REGEX_WORK
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import find, view
from docduck.service.parsers.post_processing_steps import Tables, parse_step, parse_steps

LOOKUP_COMPARISONS = 5_000_000
"""Of a value with a row, by the fuzzy lookups of one document. Further values are left, with a warning."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredPostProcessing:
    """Steps, and the stored files of the lookup tables that they use, by name."""

    steps: tuple[Step, ...]
    files: Mapping[str, str]


def get_post_processing(inst: Installation, team_id: str, parser_ref: str) -> list[dict[str, Any]]:
    """Return the parser's steps in the API's shape; raise NotFound."""
    with inst.catalog.read_session() as session:
        return _shown(_steps(session, find(session, team_id, parser_ref)))


def set_post_processing(
    inst: Installation, team_id: str, parser_ref: str, raw: Any, actor: str = "user"
) -> list[dict[str, Any]]:
    """Replace the parser's steps; documents that are processed from now on use them.

    Return them in the API's shape. Raise NotFound, and InputError listing all errors.
    """
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        parser_view = view(parser)
        if parser_view.problem:
            raise InputError(parser_view.problem, code="parser_invalid")
        before = _shown(_steps(session, parser))
        steps = parse_steps(raw, parser_view.fields, columns_of_tables(session, parser.id))
        stored = {"steps": [step.as_json(by_id=True) for step in steps]}
        after = _shown(steps)
        if stored != (parser.post_processing or {"steps": []}):
            parser.post_processing = stored
            parser.revision += 1
            details = {"changed": ["post_processing"], "before": before, "after": after}
            audit.record(session, team_id, actor, "parser.updated", "parser", [(parser.id, details)])
        return after


def restore_steps(stored: Any, fields: Sequence[Field], tables: Tables) -> tuple[Step, ...]:
    """Return the stored steps that fit the fields and lookup tables."""
    steps: list[Step] = []
    for raw in stored["steps"] if stored else ():
        try:
            steps.append(parse_step(raw, fields, tables, "steps"))
        except InputError as error:
            _log.info("a step of post-processing is left out: %s", error.message)
    return tuple(steps)


def columns_of_tables(session: Session, parser_id: str) -> dict[str, list[str]]:
    """Return the columns of the parser's lookup tables, by name."""
    rows = session.execute(
        select(StoredTable.name, StoredTable.columns).where(StoredTable.parser_id == parser_id)
    )
    return {name: columns for name, columns in rows}


def post_processing_of(session: Session, parser: Parser) -> StoredPostProcessing | None:
    """Return the parser's post-processing; None if it has no steps."""
    if not parser.post_processing or not (steps := _steps(session, parser)):
        return None
    used = {step.table for step in steps if isinstance(step, LookupStep)}
    rows = session.execute(
        select(StoredTable.name, StoredTable.sha256).where(
            StoredTable.parser_id == parser.id, StoredTable.name.in_(sorted(used))
        )
    )
    return StoredPostProcessing(steps, {name: sha256 for name, sha256 in rows})


def load_post_processing(inst: Installation, stored: StoredPostProcessing) -> PostProcessing:
    """Return the post-processing with the content of its lookup tables; None for missing files."""
    tables: dict[str, bytes | None] = {}
    for name, sha256 in sorted(stored.files.items()):
        try:
            tables[name] = inst.files.read_bytes(sha256)
        except FileNotFoundError as error:
            tables[name] = None
            _log.error("the file of the lookup table %r is missing: %s", name, error.filename)
    return PostProcessing(stored.steps, tables, REGEX_WORK, LOOKUP_COMPARISONS)


def _steps(session: Session, parser: Parser) -> tuple[Step, ...]:
    if not parser.post_processing:
        return ()
    return restore_steps(parser.post_processing, view(parser).fields, columns_of_tables(session, parser.id))


def _shown(steps: Sequence[Step]) -> list[dict[str, Any]]:
    return [step.as_json(by_id=False) for step in steps]

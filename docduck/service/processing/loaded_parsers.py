"""The parsers of a run, reloaded when they have changed."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from sqlalchemy import select

from docduck.catalog.models import Parser
from docduck.extraction.jobs.extraction_job import pack_fields
from docduck.extraction.post_processing.loading import pack
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.learning import layout_versions, learned_layouts
from docduck.service.folders.described_folders import DescribedFolders, described_folders
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserView, view
from docduck.service.parsers.post_processing import (
    StoredPostProcessing,
    load_post_processing,
    post_processing_of,
)
from docduck.service.parsers.settings_schema import ParserSettings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadedParser:
    """A parser at one revision, with all that workers need.

    ``fields`` are the packed fields to extract. ``learned_layouts`` is the file of them, if any;
    ``layouts_version`` is their version. ``post_processing`` is the file of it, if any, with
    the lookup tables. ``folders`` are those that documents are classified for.
    """

    view: ParserView
    settings: ParserSettings
    fields: bytes
    learned_layouts: Path | None
    layouts_version: str | None
    post_processing: Path | None = None
    folders: DescribedFolders | None = None

    @property
    def further_inputs(self) -> list[Path]:
        """The inputs of a task after the document's file."""
        return [path for path in (self.learned_layouts, self.post_processing) if path]


class LoadedParsers:
    """The parsers of a run; files for workers are written to ``folder``."""

    def __init__(self, inst: Installation, folder: Path) -> None:
        self.inst = inst
        self._folder = folder
        self._loaded: dict[str, LoadedParser] = {}
        self._unusable: set[str] = set()
        self._reported: dict[str, str] = {}

    @property
    def ids(self) -> list[str]:
        """The ids of loaded parsers."""
        return list(self._loaded)

    def refresh(self, parser_ids: Collection[str]) -> None:
        """Load parsers that are new or have changed; drop deleted ones.

        Call it after claiming documents: it then sees every change committed before they were queued. The
        problem of a broken parser is logged once.
        """
        versions = layout_versions(self.inst, list(parser_ids))
        with self.inst.catalog.read_session() as session:
            present = select(Parser.id, Parser.revision).where(
                Parser.id.in_(parser_ids), Parser.deleted_at.is_(None)
            )
            revisions = {parser_id: revision for parser_id, revision in session.execute(present)}
            changed = [
                parser_id
                for parser_id, revision in revisions.items()
                if not self._is_current(parser_id, revision, versions.get(parser_id))
            ]
            rows = session.scalars(select(Parser).where(Parser.id.in_(changed))).all() if changed else ()
            loaded = [(view(row), post_processing_of(session, row)) for row in rows]
            known = {key: parser.folders for key, parser in self._loaded.items() if parser.folders}
            folders = described_folders(session, revisions.keys(), known)
        for parser_id in set(parser_ids) - revisions.keys():
            self._loaded.pop(parser_id, None)
            self._unusable.add(parser_id)
        for parser, post_processing in loaded:
            self._load(parser, versions.get(parser.id), post_processing)
        for parser_id in revisions.keys() & self._loaded.keys():
            if self._loaded[parser_id].folders is not folders.get(parser_id):
                self._loaded[parser_id] = replace(self._loaded[parser_id], folders=folders.get(parser_id))

    def is_unusable(self, parser_id: str) -> bool:
        """Return whether the parser was deleted or broken when last loaded."""
        return parser_id in self._unusable

    def forget_unusable(self) -> None:
        """Allow broken parsers to be loaded again, as they may have been repaired."""
        self._unusable.clear()

    def get(self, parser_id: str) -> LoadedParser | None:
        """Return the loaded parser; None if it was deleted or is broken."""
        return self._loaded.get(parser_id)

    def _is_current(self, parser_id: str, revision: int, layouts_version: str | None) -> bool:
        loaded = self._loaded.get(parser_id)
        return loaded is not None and (loaded.view.revision, loaded.layouts_version) == (
            revision,
            layouts_version,
        )

    def _load(
        self, parser: ParserView, layouts_version: str | None, post_processing: StoredPostProcessing | None
    ) -> None:
        if parser.problem:
            self._loaded.pop(parser.id, None)
            self._unusable.add(parser.id)
            if self._reported.get(parser.id) != parser.problem:
                self._reported[parser.id] = parser.problem
                _log.error("%s: its documents wait until it is repaired", parser.problem)
            return
        self._loaded[parser.id] = LoadedParser(
            parser,
            read_settings(parser.settings),
            pack_fields([field for field in parser.fields if field.extract]),
            self._write_layouts(parser.id) if layouts_version else None,
            layouts_version,
            self._write_post_processing(post_processing) if post_processing else None,
        )

    def _write_post_processing(self, stored: StoredPostProcessing) -> Path:
        content = pack(load_post_processing(self.inst, stored))
        path = self._folder / f"post_processing-{sha256(content).hexdigest()}"
        path.write_bytes(content)
        return path

    def _write_layouts(self, parser_id: str) -> Path:
        path = self._folder / f"learned_layouts-{new_id()}.json"
        path.write_text(
            json.dumps([layout.as_json() for layout in learned_layouts(self.inst, parser_id)]), "utf-8"
        )
        return path

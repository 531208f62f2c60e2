"""The parsers of a run, kept up to date while it goes on."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from docduck.extraction.job import pack_fields
from docduck.ids import new_id
from docduck.service.installation import Installation
from docduck.service.learning import lesson_marks, lessons_of
from docduck.service.parser_settings import read_settings
from docduck.service.parsers import ParserView, list_parsers, teams
from docduck.service.setting_objects import ParserSettings

_log = logging.getLogger(__name__)


class WatchedParsers:
    """The run's parsers as they are now; a change between two documents counts from the next one on.

    ``folder`` is the run's own; what the parsers have learned is laid there for the workers.
    """

    def __init__(self, inst: Installation, parser_ids: Sequence[str], folder: Path) -> None:
        self.inst = inst
        self._folder = folder
        self._lesson_marks: dict[str, str] = {}
        self._lessons: dict[str, Path] = {}
        self.ids = list(parser_ids)
        self._by_id: dict[str, ParserView] = {}
        self._packed: dict[str, bytes] = {}
        self._settings: dict[str, ParserSettings] = {}
        self.reload()

    def reload(self) -> None:
        """See what has changed; a broken parser is told once."""
        wanted = set(self.ids)
        views = [p for team in teams(self.inst) for p in list_parsers(self.inst, team) if p.id in wanted]
        old, self._by_id = self._by_id, {parser.id: parser for parser in views}
        for parser in views:
            before = old.get(parser.id)
            if before is not None and (before.revision, before.problem) == (parser.revision, parser.problem):
                continue
            if parser.problem:
                _log.error("%s: its documents wait until it is repaired", parser.problem)
            else:
                self._packed[parser.id] = pack_fields([f for f in parser.fields if f.extract])
                self._settings[parser.id] = read_settings(parser.settings)

        self._reload_lessons()

    def _reload_lessons(self) -> None:
        marks = lesson_marks(self.inst, self.ids)
        for parser_id, mark in marks.items():
            if self._lesson_marks.get(parser_id) == mark:
                continue
            path = self._folder / f"lessons-{new_id()}.json"
            path.write_text(json.dumps([one.as_json() for one in lessons_of(self.inst, parser_id)]), "utf-8")
            self._lessons[parser_id] = path
        self._lessons = {parser_id: path for parser_id, path in self._lessons.items() if parser_id in marks}
        self._lesson_marks = marks

    def lessons(self, parser_id: str) -> Path | None:
        """The file of what the parser has learned, as a ReadTask names it; None if that is nothing."""
        return self._lessons.get(parser_id)

    def all(self) -> list[ParserView]:
        """The parsers that exist, broken ones too."""
        return list(self._by_id.values())

    def usable(self) -> list[str]:
        """Ids of the parsers that documents can be read for."""
        return [parser.id for parser in self._by_id.values() if parser.problem is None]

    def get(self, parser_id: str) -> ParserView:
        return self._by_id[parser_id]

    def packed(self, parser_id: str) -> bytes:
        """The fields to extract, as a ReadTask carries them."""
        return self._packed[parser_id]

    def settings(self, parser_id: str) -> ParserSettings:
        return self._settings[parser_id]

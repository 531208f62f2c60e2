"""The backend of this machine's installation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docduck.cli.backends.local_classifiers import LocalClassifiers
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import correct
from docduck.service.corrections.learning import forget_layouts
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.new_documents import upload
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.queries.finding import ResultPage
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess, reprocess_parser
from docduck.service.documents.unsplitting import undo_split
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser, list_parsers

_ACTOR = "cli"


class LocalBackend:
    """A Backend over an open installation."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._team = inst.team_id
        self.classifiers = LocalClassifiers(inst)

    def parsers(self) -> Sequence[ParserView]:
        return list_parsers(self._inst, self._team)

    def parser(self, ref: str) -> ParserView:
        return get_parser(self._inst, self._team, ref)

    def add_parser(self, new: NewParser) -> ParserView:
        return create_parser(self._inst, self._team, new)

    def upload_hint(self, parser: ParserView) -> str:
        return f"drop documents into {self._inst.settings.inbox / parser.slug}/"

    def forget(self, ref: str) -> int:
        return forget_layouts(self._inst, self._team, ref)

    def documents(
        self, parser: str | None, *, status: str | None, q: str | None, sort: str, page: int, limit: int
    ) -> ResultPage:
        return list_documents(
            self._inst, self._team, parser, status=status, q=q, sort=sort, page=page, limit=limit
        )

    def document(self, document_id: str) -> DocumentView:
        return get_document(self._inst, self._team, document_id)

    def upload(self, parser: str, files: Sequence[Path]) -> Sequence[str]:
        get_parser(self._inst, self._team, parser)
        return [upload(self._inst, self._team, parser, path, source="upload", actor=_ACTOR) for path in files]

    def correct(self, document_id: str, values: Mapping[str, Any]) -> DocumentView:
        return correct(self._inst, self._team, document_id, values, actor=_ACTOR)

    def reprocess(self, document_ids: Sequence[str]) -> int:
        return reprocess(self._inst, self._team, document_ids, actor=_ACTOR)

    def reprocess_parser(self, ref: str, statuses: Sequence[str] | None) -> int:
        return reprocess_parser(self._inst, self._team, ref, statuses, actor=_ACTOR)

    def undo_split(self, document_id: str) -> str:
        parser_id = get_document(self._inst, self._team, document_id).parser_id
        if parser_id is None:
            raise InputError("The document was not split from a PDF", "documentId")
        return undo_split(self._inst, self._team, parser_id, document_id, _ACTOR)

    def delete(self, document_ids: Sequence[str]) -> int:
        return delete_documents(self._inst, self._team, document_ids)

"""Tasks for workers from claimed documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from docduck.documents.detection.content_types import ZIP
from docduck.extraction.jobs.expansion_job import AttachmentOptions, ExpandTask
from docduck.extraction.jobs.extraction_job import ReadTask
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.service.core.installation import Installation
from docduck.service.documents import nesting
from docduck.service.documents.claim import Claim
from docduck.service.parsers.parser_settings import reading_of
from docduck.service.processing.loaded_parsers import LoadedParser
from docduck.service.processing.model_spending import BUDGET_SPENT, ModelBudget


class WorkerTasks:
    """Build the tasks of a run.

    ``model`` is used if the parser's mode asks for it and the team has budget left.
    """

    def __init__(self, inst: Installation, model: ModelOptions | None) -> None:
        self._settings = inst.settings
        self._model = model.for_worker() if model else None
        self._budget = ModelBudget(inst)

    def of(self, claim: Claim, parser: LoadedParser) -> ExpandTask:
        """Return the task for a claimed document."""
        mail = parser.settings.email_parsing
        kept = mail.attachments
        unpack = claim.content_type == ZIP and nesting.may_unpack(claim.source_detail)
        if kept == "apart" and nesting.may_split_mail(claim.source_detail):
            attachment_options = AttachmentOptions(
                mail.parse_email_body,
                tuple(parser.settings.accepted_file_types),
                self._settings.max_attachments,
            )
            return ExpandTask(self._read(claim, parser, kept), attachment_options, unpack)
        whole = self._read(claim, parser, "merged" if kept == "apart" else kept)
        return ExpandTask(whole, unpack=unpack)

    def _read(self, claim: Claim, parser: LoadedParser, kept: Literal["apart", "merged", "only"]) -> ReadTask:
        settings = parser.settings
        locale = settings.reading_locale
        return ReadTask(
            name=claim.name,
            fields=parser.fields,
            learned_layouts=parser.learned_layouts.name if parser.learned_layouts else None,
            document_id=claim.document_id,
            reading=replace(reading_of(settings, self._settings), attachments=kept),
            extraction=self._with_model(
                claim.team_id,
                ExtractOptions(
                    mode=settings.data_extraction_mode,
                    tables=settings.advanced_table_extraction,
                    markdown=settings.markdown_parsing.enabled,
                    locale=ReadingLocale(
                        language=locale.language,
                        decimal_separator=locale.decimal_separator,
                        date_order=locale.date_order,
                        time_zone=locale.time_zone,
                    ),
                ),
            ),
        )

    def _with_model(self, team_id: str, options: ExtractOptions) -> ExtractOptions:
        if options.mode != "accurate" or self._model is None:
            return options
        if self._budget.is_spent(team_id):
            return replace(options, no_model=BUDGET_SPENT)
        return replace(options, model=self._model)

"""Tasks for workers from claimed documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar

from docduck.documents.detection.content_types import PAGED, PDF, ZIP
from docduck.documents.read_options import ReadOptions
from docduck.errors import InputError
from docduck.extraction.extraction_settings import NO_MODEL, model_seconds, read_options
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.jobs.classify_step import CLASSIFIED_PAGES, ClassifyStep, Gate
from docduck.extraction.jobs.expansion_job import AttachmentOptions, ExpandTask, ExpansionResult
from docduck.extraction.jobs.extraction_job import ReadTask, pack_fields
from docduck.extraction.jobs.split_step import SplitStep
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.models import Models
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.triage.classify.labels import Label, with_instructions
from docduck.extraction.triage.split.parts import SplitOptions
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.documents.contained_files import may_split_mail, may_unpack
from docduck.service.documents.file_passwords import password_of
from docduck.service.parsers.parser_settings import reading_of
from docduck.service.parsers.settings_schema import ModelUse, ParserSettings
from docduck.service.processing.loaded_classifiers import LoadedClassifier
from docduck.service.processing.loaded_parsers import LoadedParser
from docduck.service.processing.model_spending import BUDGET_SPENT, ModelBudget
from docduck.workers.pool import WorkerPool

MAX_ATTACHMENTS = 20
"""Attachments of one mail that become documents of their own."""

NO_FIELDS = pack_fields(())

Step = TypeVar("Step", ClassifyStep, SplitOptions)


class WorkerTasks:
    """Build the tasks of a run, with the language models that parsers want and teams have budget for."""

    def __init__(self, inst: Installation, models: Models) -> None:
        self._settings = inst.settings
        self._choice = ModelChoice(inst, models)

    def of(self, claim: Claim, target: LoadedParser | LoadedClassifier) -> ExpandTask:
        """Return the task for a claimed document."""
        settings = target if isinstance(target, LoadedClassifier) else target.settings
        mail = settings.email_parsing
        kept, attachment_options = mail.attachments, None
        if kept == "apart" and may_split_mail(claim.source_detail):
            accepted = tuple(settings.accepted_file_types)
            attachment_options = AttachmentOptions(mail.parse_email_body, accepted, MAX_ATTACHMENTS)
        elif kept == "apart":
            kept = "merged"
        task = ExpandTask(
            self._read(claim, target, kept),
            attachment_options,
            unpack=claim.content_type in (ZIP, PDF) and may_unpack(claim.source_detail),
            keep_text=claim.is_example,
        )
        if settings.split_documents.enabled and claim.content_type == PDF and not claim.is_part:
            task = replace(task, split=self._split_step(claim, target))
        if isinstance(target, LoadedClassifier):
            step = ClassifyStep(target.labels, target.instructions)
            return replace(task, classify=self._choice.for_kinds(claim.team_id, target, step))
        if target.settings.classification_gate.enabled:
            task = replace(task, gate=self._gate(claim, target.settings))
        if target.folders is not None and target.folders.labels and claim.folder_id is None:
            step = ClassifyStep(target.folders.labels)
            task = replace(task, folders=self._choice.for_kinds(claim.team_id, target.settings, step))
        return task

    def reading_again(self, claim: Claim, parser: LoadedParser) -> ReadTask:
        """Return the task that reads a document as its parser would read it now, without splitting it."""
        kept = parser.settings.email_parsing.attachments
        if kept == "apart" and not may_split_mail(claim.source_detail):
            kept = "merged"
        return self._extraction(claim, parser, kept)

    def _split_step(self, claim: Claim, target: LoadedParser | LoadedClassifier) -> SplitStep:
        split = (target if isinstance(target, LoadedClassifier) else target.settings).split_documents
        options = SplitOptions(
            split.mode,
            split.every_x_pages,
            split.page_ranges or "",
            split.instructions or "",
            split.partition_key or "",
            split.partition_key_source,
        )
        if isinstance(target, LoadedClassifier):
            if split.mode == "ai":
                options = self._choice.for_kinds(claim.team_id, target, options)
            return SplitStep(options, self._opened(claim, read_options(self._settings, "fast")))
        settings = target.settings
        if split.mode == "ai":
            options = self._choice.for_kinds(claim.team_id, settings, options)
        # The parts are read again, so pages are read as fast as is enough to tell documents apart.
        mode = settings.data_extraction_mode if split.mode == "partitionKey" else "fast"
        return SplitStep(
            replace(options, fields=target.view.fields, locale=_locale(settings)),
            self._opened(claim, read_options(self._settings, mode)),
        )

    def _gate(self, claim: Claim, settings: ParserSettings) -> Gate:
        gate = settings.classification_gate
        labels = with_instructions([Label(label) for label in gate.labels], gate.instructions or "")
        step = ClassifyStep(labels, gate.instructions or "")
        return Gate(gate.mode, self._choice.for_kinds(claim.team_id, settings, step))

    def _read(
        self,
        claim: Claim,
        target: LoadedParser | LoadedClassifier,
        kept: Literal["apart", "merged", "only"],
    ) -> ReadTask:
        if isinstance(target, LoadedClassifier):
            reading = replace(
                read_options(self._settings, "fast"),
                pages=CLASSIFIED_PAGES,
                attachments=kept,
                attachment_types=tuple(target.email_parsing.attachment_file_types),
            )
            return ReadTask(claim.name, NO_FIELDS, self._opened(claim, reading))
        return self._extraction(claim, target, kept)

    def _extraction(
        self, claim: Claim, parser: LoadedParser, kept: Literal["apart", "merged", "only"]
    ) -> ReadTask:
        settings = parser.settings
        return ReadTask(
            name=claim.name,
            fields=parser.fields,
            learned_layouts=parser.learned_layouts.name if parser.learned_layouts else None,
            document_id=claim.document_id,
            post_processing=parser.post_processing.name if parser.post_processing else None,
            reading=self._opened(claim, replace(reading_of(settings, self._settings), attachments=kept)),
            extraction=self._choice.for_values(
                claim.team_id,
                settings,
                ExtractOptions(
                    mode=settings.data_extraction_mode,
                    tables=settings.advanced_table_extraction,
                    markdown=settings.markdown_parsing.enabled,
                    locale=_locale(settings),
                ),
            ),
        )

    def _opened(self, claim: Claim, reading: ReadOptions) -> ReadOptions:
        """Return how a file is read, with its password if it has one."""
        password = password_of(self._settings, claim.document_id, claim.sealed_password)
        return reading if password is None else replace(reading, password=password)


class ModelChoice:
    """Choose among the models of an installation, for teams that have budget left."""

    def __init__(self, inst: Installation, models: Models) -> None:
        self._models = models
        self._budget = ModelBudget(inst)

    def for_values(self, team_id: str, parser: ParserSettings, options: ExtractOptions) -> ExtractOptions:
        """Return the options with the model that helps to read values, or why there should be one."""
        model, problem = self._named(parser)
        use = _use(parser, model)
        if use == "never":
            return options
        if model is None:
            return replace(options, no_model=problem)
        if self._budget.is_spent(team_id):
            return replace(options, no_model=BUDGET_SPENT)
        return replace(options, model=model.for_worker(), ask=use)

    def for_kinds(self, team_id: str, target: ParserSettings | LoadedClassifier, step: Step) -> Step:
        """Return a step that tells kinds of documents, or where they begin, with the model that helps.

        A classifier always has its model, a parser if it reads accurately or always asks. The step is told
        why there is none, unless none was ever named.
        """
        model, problem = self._named(target)
        if isinstance(target, ParserSettings):
            use = _use(target, model)
            if use == "never" or (use == "unsure" and target.data_extraction_mode != "accurate"):
                return step
        if model is None:
            return step if problem == NO_MODEL else replace(step, no_model=problem)
        if self._budget.is_spent(team_id):
            return replace(step, no_model=BUDGET_SPENT)
        return replace(step, model=model.for_worker())

    def _named(self, target: ParserSettings | LoadedClassifier) -> tuple[ModelOptions | None, str]:
        """Return the model of a parser or classifier, or why there is none."""
        if target.model is None:
            return self._models.default, NO_MODEL
        try:
            return self._models.named(target.model), ""
        except InputError as error:
            owner = "classifier" if isinstance(target, LoadedClassifier) else "parser"
            remedy = f"add it to models.yaml, or choose another in the {owner}'s settings"
            return None, f"{error.message[0].upper()}{error.message[1:]} ({remedy})"


def _use(parser: ParserSettings, model: ModelOptions | None) -> ModelUse:
    """Return what a parser asks a model; None is one that there should be."""
    if parser.model_use is not None:
        return parser.model_use
    if parser.data_extraction_mode == "accurate":
        return "unsure"
    if parser.data_extraction_mode == "fast":
        return "never"
    # Of a model that is gone nobody knows where it ran.
    is_asked = model.is_on_this_machine if model is not None else parser.model is not None
    return "unsure" if is_asked else "never"


def _locale(settings: ParserSettings) -> ReadingLocale:
    locale = settings.reading_locale
    return ReadingLocale(
        language=locale.language,
        decimal_separator=locale.decimal_separator,
        date_order=locale.date_order,
        time_zone=locale.time_zone,
    )


def submit(
    inst: Installation,
    pool: WorkerPool[ExpandTask, ExpansionResult],
    endpoints: Endpoints,
    key: str,
    claim: Claim,
    task: ExpandTask,
    target: LoadedParser | LoadedClassifier,
    pieces: Path | None = None,
) -> None:
    """Submit the task of a claimed document to a pool; a long one has the file of its ``pieces``.

    Without pages, or with all pieces of a long document, it may take very long.
    """
    steps = [
        task.read.extraction.model,
        task.classify.model if task.classify else None,
        task.gate.step.model if task.gate else None,
        task.split.options.model if task.split else None,
        task.folders.model if task.folders else None,
    ]
    models = [model for model in steps if model is not None]
    further = target.further_inputs if isinstance(target, LoadedParser) else ()
    pool.submit(
        key,
        task,
        [inst.files.path(claim.sha256), *further, *([pieces] if pieces else ())],
        more_seconds=sum(model_seconds(model) for model in models),
        slow=claim.slow or pieces is not None,
        lengthy=claim.content_type not in PAGED or pieces is not None,
        responder=endpoints.responder([model.name for model in models], claim.team_id),
    )

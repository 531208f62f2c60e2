"""Which language model reads a parser's documents, and what it is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from docduck.errors import InputError
from docduck.extraction.extraction_settings import NO_MODEL
from docduck.extraction.jobs.classify_step import ClassifyStep
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.models import Models
from docduck.extraction.options import ExtractOptions
from docduck.extraction.triage.split.parts import SplitOptions
from docduck.service.core.installation import Installation
from docduck.service.parsers.settings_schema import ModelUse, ParserSettings
from docduck.service.processing.model_spending import BUDGET_SPENT, ModelBudget

Step = TypeVar("Step", ClassifyStep, SplitOptions)


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

    def for_kinds(self, team_id: str, parser: ParserSettings | None, step: Step) -> Step:
        """Return a step that tells kinds of documents, or where they begin, with the model that helps.

        A classifier (None) has the default model, a parser its own if it reads accurately or always asks. It
        is told why there is none, unless none was ever named.
        """
        if parser is None:
            model, problem = self._models.default, ""
        else:
            model, problem = self._named(parser)
            use = _use(parser, model)
            if use == "never" or (use == "unsure" and parser.data_extraction_mode != "accurate"):
                return step
        if model is None:
            return step if problem == NO_MODEL else replace(step, no_model=problem)
        if self._budget.is_spent(team_id):
            return replace(step, no_model=BUDGET_SPENT)
        return replace(step, model=model.for_worker())

    def _named(self, parser: ParserSettings) -> tuple[ModelOptions | None, str]:
        """Return the parser's model, or why there is none."""
        if parser.model is None:
            return self._models.default, NO_MODEL
        try:
            return self._models.named(parser.model), ""
        except InputError as error:
            remedy = "add it to models.yaml, or choose another in the parser's settings"
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

"""The form of the settings of a parser or a classifier: a control for each, by sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.api.schemas.parsers import ParserUpdate, settings_or_defaults
from docduck.errors import InputError
from docduck.extraction.model_options import DEFAULT, ModelOptions
from docduck.extraction.models import Models
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.parsers.parsers import ParserView
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.web.controls import Control, ControlForm, Raw, Section, controls_of, file_types
from docduck.web.visit import Form

PROPERTIES = ("name", "description", "isActive")
"""What a parser or classifier has beside its settings."""

_SETTINGS = ControlForm(controls_of(ParserSettings))
_DEFAULTS = _SETTINGS.raw(ParserSettings().model_dump(mode="json", by_alias=True))


def controls_for(*keys: str) -> Sequence[Control]:
    """Return the controls of these settings, and of all in those that are objects."""
    controls = _SETTINGS.controls
    return [control for key in keys for control in controls if f"{control.path}.".startswith(f"{key}.")]


class SettingsForm(ControlForm):
    """A form that shows all settings, by sections, and changes those that a person changed."""

    def __init__(self, *sections: Section) -> None:
        super().__init__([control for section in sections for control in section.controls])
        self.sections = sections

    def shown_settings(
        self,
        resource: ParserView | ClassifierView,
        form: Form | None,
        error: InputError | None,
        models: Models,
        fields: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Return what the page shows: what was typed, or is stored; the defaults if the settings are broken.

        ``models`` and ``fields`` are those to choose from.
        """
        settings = settings_or_defaults(resource.settings).model_dump(mode="json", by_alias=True)
        own = {"name": resource.name, "description": resource.description, "isActive": resource.is_active}
        shown = self.shown({**own, **settings}, form)
        return {
            **shown,
            "error": error,
            "sections": self.sections,
            "opened": self._opened(shown["raw"], error),
            "choices": {
                "file_types": file_types(settings["acceptedFileTypes"]),
                "fields": fields,
                "models": _model_choices(models, settings["model"]),
            },
        }

    def _opened(self, typed: Raw, error: InputError | None) -> set[str]:
        """Return the anchors of the sections that are not folded: there something is set, or wrong."""
        wrong = error.path if error is not None else None
        return {
            section.anchor
            for section in self.sections
            if not section.is_advanced
            or any(
                control.path == wrong or typed[control.path] != _DEFAULTS[control.path]
                for control in section.controls
            )
        }


def _model_choices(models: Models, chosen: str | None) -> dict[str, str]:
    """Return the names of models with what one should know of each, and the ``chosen`` one if it is gone.

    The default is among the names only where it was ``chosen`` by its name.
    """
    default = models.default
    choices = {"": f"the default: {_about(default)}" if default else "the default: none is set up"}
    choices |= {
        name: f"{name}: {_about(model)}"
        for name, model in models.by_name.items()
        if name != DEFAULT or name == chosen
    }
    if chosen is not None and chosen not in choices:
        choices[chosen] = f"{chosen}: no longer set up"
    return choices


def _about(model: ModelOptions) -> str:
    parts = [model.model]
    if model.input_price or model.output_price:
        parts.append(f"{model.input_price:g} and {model.output_price:g}")
    parts.append("on this machine" if model.is_on_this_machine else "documents leave this machine")
    if model.vision:
        parts.append("takes pictures")
    return ", ".join(parts)


FORM = SettingsForm(
    Section("General", [control for control in controls_of(ParserUpdate) if control.path in PROPERTIES]),
    Section(
        "Reading",
        controls_for(
            "dataExtractionMode",
            "modelUse",
            "model",
            "advancedTableExtraction",
            "parsePages",
            "acceptedFileTypes",
            "confidenceScores",
            "unsureBelow",
            "markdownParsing",
        ),
    ),
    Section("Numbers and dates", controls_for("readingLocale"), is_advanced=True),
    Section("Files with several documents", controls_for("splitDocuments"), is_advanced=True),
    Section("Kinds of documents", controls_for("classificationGate"), is_advanced=True),
    Section("Mails", controls_for("emailParsing"), is_advanced=True),
    Section("Documents", controls_for("documentNameTemplate", "duplicateKeys", "retentionDays")),
)
"""All settings of a parser, in the order of the page."""

PAGE_FORM = ControlForm(controls_of(UploadPageSettings, "page."))
"""The form of the upload page."""

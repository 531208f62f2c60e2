"""The controls of a classifier's settings."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.service.schemas.classifiers import ClassifierUpdate
from docduck.web.controls import Control, Section, controls_of
from docduck.web.parser_settings.controls import ACCEPTED_FILE_TYPES, MAIL, SPLIT

KEY_SOURCE = "splitDocuments.partitionKeySource"
"""A setting without a control: a classifier has no fields, so that the value is always described in words."""

_KEY = Control(
    "splitDocuments.partitionKey",
    "text",
    "Value that changes",
    "For: where a value changes. Described in words, such as the invoice number at the top right. Pages "
    "without a value belong to the document before.",
)
_GENERAL = (
    *(
        control
        for control in controls_of(ClassifierUpdate)
        if control.path in ("name", "description", "isActive")
    ),
    ACCEPTED_FILE_TYPES,
)

SECTIONS: Sequence[Section] = (
    Section("General", _GENERAL),
    Section(
        "Files with several documents",
        [_KEY if control.path == _KEY.path else control for control in SPLIT if control.path != KEY_SOURCE],
        is_advanced=True,
    ),
    Section("Mails", MAIL, is_advanced=True),
)
CONTROLS: Sequence[Control] = tuple(control for section in SECTIONS for control in section.controls)

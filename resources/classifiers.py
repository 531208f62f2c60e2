"""The classifiers of all teams: Dagster works for every team."""

from __future__ import annotations

from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import teams


def every_classifier(inst: Installation) -> list[ClassifierView]:
    """Return all classifiers of all teams."""
    return [one for team in teams(inst) for one in list_classifiers(inst, team)]

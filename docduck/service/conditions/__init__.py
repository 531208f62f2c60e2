"""Conditions on documents, used by rules of review stages and folders and by filters of searches and exports.

``vocabulary`` lists the operators, ``parsing`` reads conditions from JSON, ``evaluation`` evaluates them.
"""

from docduck.service.conditions.condition import Condition
from docduck.service.conditions.evaluation import all_hold, any_holds, holds, with_iso_dates
from docduck.service.conditions.facts import DocumentFacts, Duplicates, document_properties
from docduck.service.conditions.filters import parse_filters
from docduck.service.conditions.parsing import Scope, parse_condition, restore_condition
from docduck.service.conditions.rules import Rule, parse_rules, refuse_code_rules, restore_rules
from docduck.service.conditions.targets import ASSIGNMENT_PROPERTIES, FILTER_PROPERTIES, ConditionTarget, Kind
from docduck.service.conditions.vocabulary import Aspect, Operator
from docduck.service.conditions.work_limits import Effort, OutOfTime

__all__ = [
    "ASSIGNMENT_PROPERTIES",
    "FILTER_PROPERTIES",
    "Aspect",
    "Condition",
    "ConditionTarget",
    "DocumentFacts",
    "Duplicates",
    "Effort",
    "Kind",
    "Operator",
    "OutOfTime",
    "Rule",
    "Scope",
    "all_hold",
    "any_holds",
    "document_properties",
    "holds",
    "parse_condition",
    "parse_filters",
    "parse_rules",
    "refuse_code_rules",
    "restore_condition",
    "restore_rules",
    "with_iso_dates",
]

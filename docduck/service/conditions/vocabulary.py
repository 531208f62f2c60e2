"""The vocabulary of conditions: aspects and operators."""

from __future__ import annotations

from enum import StrEnum


class Aspect(StrEnum):
    """What a condition tests; the API calls it ``condition``."""

    EXTRACTED_VALUE = "extracted_value"
    CONFIDENCE = "confidence"
    EXISTS = "exists"
    NOT_EXISTS = "not_exists"
    IS_VALID_DATE = "is_valid_date"
    IS_NOT_VALID_DATE = "is_not_valid_date"
    IS_FUTURE_DATE = "is_future_date"
    IS_PAST_DATE = "is_past_date"
    CONTENT_LENGTH = "content_length"
    MATCHES_FIELD = "matches_field"
    IS_DUPLICATE = "is_duplicate"


class Operator(StrEnum):
    """How a value is compared."""

    EQUALS = "equals"
    NOT_EQUALS = "not_equals"
    GREATER_THAN = "greater_than"
    GREATER_THAN_OR_EQUAL = "greater_than_or_equal"
    LESS_THAN = "less_than"
    LESS_THAN_OR_EQUAL = "less_than_or_equal"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    STARTS_WITH = "starts_with"
    ENDS_WITH = "ends_with"
    MATCHES_REGEX = "matches_regex"
    IN = "in"
    NOT_IN = "not_in"
    BETWEEN = "between"


SYMBOLS = {
    "=": Operator.EQUALS,
    "==": Operator.EQUALS,
    "!=": Operator.NOT_EQUALS,
    ">": Operator.GREATER_THAN,
    ">=": Operator.GREATER_THAN_OR_EQUAL,
    "<": Operator.LESS_THAN,
    "<=": Operator.LESS_THAN_OR_EQUAL,
}
"""Accepted synonyms of operators."""

COMPARISONS = (
    Operator.EQUALS,
    Operator.NOT_EQUALS,
    Operator.GREATER_THAN,
    Operator.GREATER_THAN_OR_EQUAL,
    Operator.LESS_THAN,
    Operator.LESS_THAN_OR_EQUAL,
)

OPERATORS: dict[Aspect, tuple[Operator, ...]] = {
    Aspect.EXTRACTED_VALUE: tuple(Operator),
    Aspect.CONFIDENCE: COMPARISONS,
    Aspect.CONTENT_LENGTH: COMPARISONS,
    Aspect.MATCHES_FIELD: COMPARISONS,
}
"""The operators of each aspect; aspects that are missing have neither operator nor value."""

OPPOSITE = {
    Operator.NOT_EQUALS: Operator.EQUALS,
    Operator.NOT_CONTAINS: Operator.CONTAINS,
    Operator.NOT_IN: Operator.IN,
}
"""The positive operator that each negative operator denies. Negative operators hold for incomparable values.
"""

OF_TEXT = (
    Operator.CONTAINS,
    Operator.NOT_CONTAINS,
    Operator.STARTS_WITH,
    Operator.ENDS_WITH,
    Operator.MATCHES_REGEX,
)
"""Operators on a value's text, whatever its type."""

OF_SEVERAL = (Operator.IN, Operator.NOT_IN, Operator.BETWEEN)
"""Operators whose value is an array."""

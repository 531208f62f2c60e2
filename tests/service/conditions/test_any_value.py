"""Whatever a document holds, and whatever a rule asks, there is an answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docduck.errors import InputError
from docduck.service.conditions import (
    Aspect,
    DocumentFacts,
    Operator,
    holds,
    parse_condition,
    restore_condition,
)
from docduck.service.conditions.vocabulary import OPERATORS, OPPOSITE
from tests.service.conditions.cases import FIELDS, SCOPE

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(
        ["NaN", "1e999999", "2024-02-30", "-0", "٣", "１２", "İ", "ß", "9999-12-31T23:59:59-23:59", "$"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(
    st.dictionaries(st.sampled_from(["c_sku", "c_amount", "c_net"]), VALUES, max_size=3), max_size=3
)
NAMES = [
    *[field.name for field in FIELDS],
    *[f"Line Items.{column.name}" for field in FIELDS for column in field.columns],
    *("$name", "$createdAt", "$custom.a"),
]
WANTED = SCALARS | st.lists(SCALARS, max_size=3) | st.sampled_from(NAMES)


@st.composite
def documents(draw: st.DrawFn) -> DocumentFacts:
    values: dict[str, Any] = {str(field.id): draw(VALUES) for field in FIELDS}
    if draw(st.booleans()):
        values["f_items"] = draw(ROWS)
    evidence = {str(field.id): draw(VALUES) for field in FIELDS}
    properties = {"$name": draw(VALUES), "$createdAt": draw(VALUES | st.datetimes())}
    custom = {"a": draw(VALUES)}
    return DocumentFacts(values, evidence, properties, custom, lambda _target, value: bool(value))


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(documents(), st.sampled_from(NAMES), st.sampled_from(Aspect), st.sampled_from(Operator), WANTED)
def test_there_is_always_an_answer(
    facts: DocumentFacts, name: str, aspect: Aspect, operator: Operator, value: Any
) -> None:
    raw: dict[str, Any] = {"field": name, "condition": aspect, "operator": None, "value": None}
    if aspect in OPERATORS:
        raw |= {"operator": operator, "value": value}
    try:
        condition = parse_condition(raw, SCOPE, "rule")
    except InputError as error:
        assert error.path is not None and error.path.startswith("rule.")
        return
    answer = holds(condition, facts)
    assert answer in (True, False)
    assert holds(restore_condition(condition.as_json(by_id=True), FIELDS), facts) is answer
    single = condition.target.column_id is None and aspect is Aspect.EXTRACTED_VALUE
    if single and operator in OPPOSITE:
        positive = parse_condition({**raw, "operator": OPPOSITE[operator]}, SCOPE, "")
        assert holds(positive, facts) is not answer

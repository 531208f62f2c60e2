"""The form of a review stage: what it shows, and what was changed in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from docduck.errors import InputError
from docduck.extraction.values.typed_values import text_of
from docduck.fields import Field
from docduck.service.conditions import Aspect, Operator, Rule
from docduck.service.conditions.vocabulary import OF_SEVERAL
from docduck.service.core.schema import Values
from docduck.service.reviews.review_stages import StageSetup
from docduck.service.schemas.review_stages import NewStage, StageUpdate
from docduck.web.controls import SHOWN, shown_before
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import Form, as_sent, form_value, lines_of, number_of, numbered

RawRule = Mapping[str, str]
"""What the controls of a rule hold, by their names."""

_KEYS = ("id", "field", "condition", "operator", "value", "name")
NO_RULE: RawRule = dict.fromkeys(_KEYS, "")


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage as its form shows it; ``before`` is what a form showed that was sent, as JSON."""

    id: str
    name: str = ""
    instructions: str = ""
    review_type: str = "mandatory"
    on_failed_checks: str = "ask"
    reviewer_id: str = ""
    rules: Sequence[RawRule] = ()
    before: str = ""

    @property
    def shown(self) -> str:
        """What the form shows before it is changed, as JSON."""
        return self.before or json.dumps(asdict(self))


def stored_stage(stage: StageSetup) -> ShownStage:
    """Return the form of a stage."""
    return ShownStage(
        stage.id,
        stage.name,
        as_sent(stage.reviewer_instructions or ""),
        stage.review_type,
        stage.on_failed_checks,
        stage.reviewer.id if stage.reviewer else "",
        [_raw(rule) for rule in stage.rules],
    )


def typed_stage(form: Form, stage_id: str) -> ShownStage:
    """Return the form as it was sent; a rule without a field is left out."""
    numbers = numbered(form, "rules.#.field")
    rows = [{key: form_value(form, f"rules.{number}.{key}") for key in _KEYS} for number in numbers]
    return ShownStage(
        stage_id,
        form_value(form, "name"),
        form_value(form, "instructions"),
        form_value(form, "reviewType"),
        form_value(form, "onFailedChecks"),
        form_value(form, "reviewer"),
        [row for row in rows if row["field"]],
        form_value(form, SHOWN),
    )


def stage_changes(typed: ShownStage, old: StageSetup | None) -> Values:
    """Return what a form changes of what it showed of a stage, or all of a new one for None.

    What was changed elsewhere meanwhile stays. Raise InputError.
    """
    before = _before(typed) if old else ShownStage("")
    body: dict[str, Any] = {}
    if typed.name != before.name or old is None:
        body["name"] = typed.name
    if typed.instructions != before.instructions:
        body["reviewerInstructions"] = typed.instructions or None
    if typed.review_type != before.review_type:
        body["reviewType"] = typed.review_type
    if typed.on_failed_checks != before.on_failed_checks:
        body["onFailedChecks"] = typed.on_failed_checks
    if typed.reviewer_id != before.reviewer_id:
        body["reviewerId"] = typed.reviewer_id or None
    if list(typed.rules) != list(before.rules):
        known = {rule.id: rule for rule in old.rules} if old else {}
        body["rules"] = [_parsed(row, known.get(row["id"])) for row in typed.rules]
    return checked_body(StageUpdate if old else NewStage, body).sent_values()


def _before(typed: ShownStage) -> ShownStage:
    try:
        return ShownStage(**shown_before(typed.before))
    except TypeError as error:
        raise InputError("The form can't be read. Load the page again") from error


def targets(fields: Sequence[Field]) -> list[str]:
    """Return what rules can test: fields, and columns as ``Table.Column``."""
    return [
        name
        for field in fields
        for name in (field.name, *(f"{field.name}.{column.name}" for column in field.columns))
    ]


def _raw(rule: Rule) -> dict[str, str]:
    form = rule.shown()
    value = form["value"]
    lines = value if isinstance(value, list) else [] if value is None else [value]
    return {
        "id": rule.id,
        "field": form["field"],
        "condition": form["condition"],
        "operator": form["operator"] or "",
        "value": as_sent("\n".join(text_of(line) or "" for line in lines)),
        # A title that was made from the rule is not its name.
        "name": rule.condition.name or "",
    }


def _parsed(row: RawRule, old: Rule | None) -> dict[str, Any]:
    if old is not None and row == _raw(old):
        return {**old.shown(), "name": old.condition.name}
    text, operator = row["value"], row["operator"]
    value: Any = text
    if row["condition"] in (Aspect.CONFIDENCE, Aspect.CONTENT_LENGTH):
        value = _share(text.strip())
    elif operator in OF_SEVERAL:
        value = lines_of(text)
    elif operator != Operator.MATCHES_REGEX:
        value = text.strip()
    return {
        "id": row["id"] or None,
        "field": row["field"],
        "condition": row["condition"],
        "operator": operator or None,
        "value": value if operator or text.strip() else None,
        "name": row["name"].strip() or None,
    }


def _share(text: str) -> int | float | str:
    """Return a number, ``90 %`` as 0.9."""
    number = number_of(text.removesuffix("%"))
    return number / 100 if text.endswith("%") and not isinstance(number, str) else number

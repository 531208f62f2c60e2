"""Labels: what a document may be, and the result of choosing one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from docduck.errors import InputError
from docduck.extraction.model_usage import ModelUsage
from docduck.validation_messages import problem_message

MOST_EXAMPLES = 50


@dataclass(frozen=True, slots=True)
class Label:
    """A kind of document: its name, instructions, and texts of example documents."""

    name: str
    instructions: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Classification:
    """The label's name, None when none fits; the probability, 0–1, that this is right; a sentence on why.

    ``scores`` are the probabilities of all labels; what they lack to 1 is that none fits.
    """

    label: str | None
    confidence: float
    reason: str
    scores: dict[str, float]
    usage: ModelUsage | None = None
    warnings: tuple[str, ...] = ()

    @property
    def reasoning(self) -> str:
        """The warnings and the reason, as documents show them."""
        return " ".join([*self.warnings, self.reason])


def with_instructions(labels: Sequence[Label], instructions: str) -> tuple[Label, ...]:
    """Return the labels with the lines of ``instructions`` that begin with their names and a colon.

    ``Invoice: bills of suppliers, with an amount due`` is an instruction for the label ``Invoice``.
    """
    lines = [line.strip(" -*•\t").partition(":") for line in instructions.splitlines()]
    said = {name.strip().casefold(): text.strip() for name, colon, text in lines if colon}
    return tuple(
        replace(label, instructions=" ".join(filter(None, (label.instructions, text))))
        if (text := said.get(label.name.casefold()))
        else label
        for label in labels
    )


class _Label(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: str
    instructions: str | None = None
    description: str | None = None
    examples: tuple[str, ...] = ()


def parse_labels(raw: Any) -> list[Label]:
    """Return labels from parsed JSON: an array of names or of ``{name, instructions, examples}``.

    Raise InputError with the place (``labels.2.name``) and what is wrong there.
    """
    items = raw.get("labels") if isinstance(raw, dict) else raw
    if not isinstance(items, list) or not items:
        raise InputError('Labels must be a JSON array of labels, or {"labels": [...]}', "labels")
    labels: list[Label] = []
    for index, item in enumerate(items):
        try:
            label = _Label.model_validate({"name": item} if isinstance(item, str) else item)
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(str(part) for part in ("labels", index, *first["loc"]))
            raise InputError(f"{path}: {problem_message(first)}", path) from error
        said = " ".join(part for part in (label.description, label.instructions) if part)
        labels.append(Label(label.name, said, label.examples[:MOST_EXAMPLES]))
    names = [label.name.casefold() for label in labels]
    if not all(names) or len(set(names)) < len(names):
        raise InputError("Each label needs a name of its own", "labels")
    return labels

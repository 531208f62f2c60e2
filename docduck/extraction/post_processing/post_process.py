"""Application of a parser's post-processing to an extraction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from docduck import regex
from docduck.errors import PostProcessingFailed
from docduck.extraction.confidence import mean_confidence
from docduck.extraction.post_processing.field_values import Key, Keying, fitted
from docduck.extraction.post_processing.lookup_table import FoundRow, LookupTable
from docduck.extraction.post_processing.records import Record, records
from docduck.extraction.post_processing.steps import (
    LookupStep,
    PostProcessing,
    Step,
    Transform,
    TransformStep,
)
from docduck.extraction.post_processing.transforms import TEXT_TRANSFORMS, format_date, format_number
from docduck.extraction.result import Extraction
from docduck.extraction.values.dates import DateOrder
from docduck.extraction.values.typed_values import date_of, decimal_of, text_of
from docduck.fields import Field

LONGEST_TEXT = 10_000
"""Most characters of a text that a regular expression changes or makes."""
_SHOWN = 100

Tables = Callable[[str], LookupTable]


def post_process(
    extraction: Extraction, processing: PostProcessing, tables: Tables, order: DateOrder = "auto"
) -> Extraction:
    """Apply all steps in order; values that can't be written are left and reported as warnings.

    ``tables`` returns a lookup table by name. Printed dates are read in ``order``.

    Raise PostProcessingFailed.
    """
    run = _Run(processing, tables, order)
    for step in processing.steps:
        for record in records(extraction, _table_of(step)):
            if isinstance(step, TransformStep):
                run.transform(step, record)
            else:
                run.look_up(step, record)
    warnings = [*extraction.warnings, *run.warnings()]
    confidence = mean_confidence(extraction.data, extraction.field_metadata)
    return replace(extraction, warnings=warnings, confidence=confidence)


def _table_of(step: Step) -> Field | None:
    """Return the table whose rows the step changes; None if it changes fields outside of tables."""
    return step.target.table if isinstance(step, TransformStep) else step.write[0].field.table


@dataclass(slots=True)
class _Run:
    """The state of post-processing one document; equal problems of a step become one warning."""

    processing: PostProcessing
    tables: Tables
    order: DateOrder
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    comparisons: int = 0
    similar: dict[tuple[int, tuple[Key, ...]], FoundRow | None] = field(default_factory=dict)

    def warnings(self) -> list[str]:
        """Return the problems as sentences."""
        return [
            f"Post-processing, {title}: {self.examples[title, words]}{words}"
            + (f" ({count} times)" if count > 1 else "")
            for (title, words), count in self.problems.items()
        ]

    def transform(self, step: TransformStep, record: Record) -> None:
        """Apply a transform to one record."""
        target, value = step.target, record.value(step.target)
        if step.transform is Transform.DEFAULT:
            if value is None:
                record.write(target, fitted(target.field, step.options["value"]), "transform", 1.0)
            return
        source = step.source or target
        before = record.value(source)
        after: str | list[str] | None
        if before is None:
            return
        if step.transform in (Transform.DATE_FORMAT, Transform.NUMBER_FORMAT):
            after = self._formatted(step, before)
        elif isinstance(before, list):
            after = [text for item in before if (text := self._changed(step, item))]
        else:
            after = self._changed(step, text_of(before) or "")
        if after is None or after == value:
            return
        if not after:
            record.clear(target, "transform")
        else:
            record.write(target, after, "transform", record.confidence(source))

    def _formatted(self, step: TransformStep, value: Any) -> str | None:
        if step.transform is Transform.DATE_FORMAT:
            day = date_of(value, self.order)
            if day is not None:
                return format_date(day, step.options["format"])
            self._report(step, value, " is not a date")
            return None
        number = decimal_of(value)
        text = None if number is None else format_number(number, step.options)
        if text is None:
            self._report(step, value, " is not a number")
        return text

    def _changed(self, step: TransformStep, text: str) -> str | None:
        if step.transform is not Transform.REGEX_REPLACE:
            return TEXT_TRANSFORMS[step.transform](text)
        options = step.options
        changed = None
        if len(text) <= LONGEST_TEXT:
            changed = regex.replace_all(
                options["pattern"], options["replacement"], text, self.processing.regex_work
            )
        if changed is None or len(changed) > LONGEST_TEXT:
            self._report(step, text, " is or becomes too long for a regular expression")
            return text
        return changed

    def look_up(self, step: LookupStep, record: Record) -> None:
        """Apply a lookup to one record."""
        table = self.tables(step.table)
        if unknown := [column for column in step.columns if column not in table.columns]:
            raise PostProcessingFailed(f"the lookup table '{step.table}' has no column '{unknown[0]}'")
        row = self._find(step, record, table)
        known = [matched for pair in step.match if (matched := record.confidence(pair.field)) is not None]
        for pair in step.write:
            cell = row.cells[table.columns.index(pair.column)] if row else ""
            if row is None or not cell:
                if step.on_missing == "clear":
                    record.clear(pair.field, "lookup")
                continue
            value = fitted(pair.field.field, cell, self.order)
            if value is None:
                self._report(step, cell, f" does not fit the {pair.field.field.type} '{pair.field.name}'")
            else:
                confidence = min(known) * row.similarity if known else None
                record.write(pair.field, value, "lookup", confidence)

    def _find(self, step: LookupStep, record: Record, table: LookupTable) -> FoundRow | None:
        values = [record.value(pair.field) for pair in step.match]
        if any(value is None for value in values):
            return None
        keyings = tuple(
            Keying(pair.column, pair.field.field.type, pair.field.field.options, self.order)
            for pair in step.match
        )
        keys = tuple(keying.key(value) for keying, value in zip(keyings, values, strict=True))
        if "" in keys:
            return None
        row = table.find(keyings, keys)
        if row is not None or step.mode == "exact" or step.threshold is None:
            return row
        known = (id(step), keys)
        if known not in self.similar:
            self.comparisons += len(table.rows)
            if self.comparisons > self.processing.comparisons:
                self._report(step, keys[0], " was not compared: the document needs too many comparisons")
                return None
            self.similar[known] = table.find_similar(keyings, keys, step.threshold)
        return self.similar[known]

    def _report(self, step: Step, value: Any, words: str) -> None:
        problem = (step.title, words)
        self.problems[problem] += 1
        self.examples.setdefault(problem, f"'{(text_of(value) or '')[:_SHOWN]}'")

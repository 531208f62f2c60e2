"""Reads windows of pages with a language model, and locates the values that it returns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from docduck.documents.document import Document
from docduck.documents.page_ranges import ranges_of
from docduck.extraction.extractors.model import prompt
from docduck.extraction.extractors.model.answer_values import normalised
from docduck.extraction.extractors.model.asking.client import ModelClient, NoAnswer, Refused, TooMuch
from docduck.extraction.extractors.model.evidence import Evidence, Place
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.pictures import picture_tokens
from docduck.extraction.extractors.model.relevant_pages import relevant_pages
from docduck.extraction.extractors.model.rows import Row, compared, joined, parse_rows
from docduck.extraction.extractors.model.schema import Keyed, keyed, schema_of
from docduck.extraction.extractors.model.windows import Window, windows
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, locale_of
from docduck.fields import Field, FieldType

_LEAST_ROOM = 400
"""Tokens below which no page can be read."""


@dataclass(slots=True)
class Candidate:
    """A value that a model returned for a field, the places that show it, and in how many windows."""

    value: Any
    places: list[Place]
    votes: int = 1


@dataclass(slots=True)
class ModelReading:
    """What a model read: candidates by field, in the order of their windows, and rows by table.

    ``read`` is whether any page was read, ``whole`` whether all were; ``warnings`` are about those that could
    not be, ``is_excerpt`` is whether some were left out because the fields' words are not on them.
    """

    usage: ModelUsage
    candidates: dict[str, list[Candidate]] = field(default_factory=dict)
    tables: dict[str, list[Row]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    read: bool = False
    is_excerpt: bool = False

    @property
    def whole(self) -> bool:
        return self.read and not self.warnings and not self.is_excerpt


@dataclass(frozen=True, slots=True)
class _Part:
    """An answer about some pages."""

    pages: frozenset[int]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Questions:
    """The fields that are asked for at once."""

    fields: tuple[Keyed, ...]
    numbers_as_text: bool

    @property
    def schema(self) -> dict[str, Any]:
        return schema_of(self.fields, self.numbers_as_text)

    def left_by(self, parts: Sequence[_Part]) -> _Questions:
        """Return the questions that these answers leave open: rows may go on, and items of lists."""
        answered = {key for part in parts for key, value in part.values.items() if value is not None}
        go_on = (FieldType.TABLE, FieldType.LIST)
        open_ = [each for each in self.fields if each.field.type in go_on or each.key not in answered]
        return replace(self, fields=tuple(open_))


@dataclass(frozen=True, slots=True)
class _Answered:
    """The answers about a window; several if the window was split."""

    window: Window
    parts: tuple[_Part, ...]


class ModelExtractor:
    """Reads documents with one model."""

    def __init__(self, options: ModelOptions, model_context: ModelContext) -> None:
        self._options = options
        self._aids = model_context

    def read(
        self, document: Document, fields: Sequence[Field], evidence: Evidence, options: ExtractOptions
    ) -> ModelReading:
        """Return the model's answers for ``fields``. A failing model is a warning, never an error."""
        keyed_fields = keyed(fields)
        locale = locale_of(document.text, options.locale)
        questions = _Questions(keyed_fields, numbers_as_text=locale.decimal == ",")
        with ModelClient(self._options, self._aids) as client:
            reading = ModelReading(client.usage)
            room = self._options.context_tokens - client.answer_tokens - prompt.overhead(questions.schema)
            if room < _LEAST_ROOM:
                reading.warnings.append(
                    "The fields alone fill the language model's context; the document was read without it"
                )
                return reading
            pages = relevant_pages(document.pages, fields, room)
            reading.is_excerpt = len(pages) < len(document.pages)
            is_shown = self._options.vision and self._aids.draw is not None
            pictures = picture_tokens(pages, self._options.picture_width) if is_shown else {}
            cut = windows(pages, room, pictures)
            answered = self._ask_all(client, cut, questions, reading) if cut else []
            reading.usage = client.usage
        reading.read = bool(answered)
        self._collect(reading, answered, keyed_fields, evidence, locale)
        return reading

    def _ask_all(
        self, client: ModelClient, cut: Sequence[Window], questions: _Questions, reading: ModelReading
    ) -> list[_Answered]:
        def ask(window: Window) -> _Answered | NoAnswer:
            try:
                return _Answered(window, self._ask(client, window, questions))
            except NoAnswer as error:
                if not isinstance(error, Refused):
                    client.stop()
                return error

        with ThreadPoolExecutor(min(len(cut), self._options.max_concurrent)) as pool:
            outcomes = list(pool.map(ask, cut))
        answered = [outcome for outcome in outcomes if isinstance(outcome, _Answered)]
        failures = [
            (window, outcome)
            for window, outcome in zip(cut, outcomes, strict=True)
            if isinstance(outcome, NoAnswer)
        ]
        if failures:
            pages = {number for window, _ in failures for number in window.pages}
            pages -= {number for answer in answered for number in answer.window.pages}
            reading.warnings.append(_warning(failures[0][1].message, sorted(pages) if answered else []))
        return answered

    def _ask(self, client: ModelClient, window: Window, questions: _Questions) -> tuple[_Part, ...]:
        """Return the answers about a window, in halves if it is too large.

        The second half is asked for tables, and for what the first has not answered.
        """
        mark = prompt.new_mark()
        schema = questions.schema

        def messages(pictures: bool) -> list[dict[str, Any]]:
            width = self._options.picture_width if pictures else 0
            return prompt.messages(window, schema, self._aids, width, mark)

        try:
            return (_Part(window.pages, client.ask(messages, schema, window.is_pictured)),)
        except TooMuch as error:
            halves = window.halves()
            if halves is None:
                raise NoAnswer(error.message) from error
            first = self._ask(client, halves[0], questions)
            left = questions.left_by(first)
            return first + self._ask(client, halves[1], left) if left.fields else first

    def _collect(
        self,
        reading: ModelReading,
        answered: Sequence[_Answered],
        keyed_fields: Sequence[Keyed],
        evidence: Evidence,
        locale: Locale,
    ) -> None:
        for target in keyed_fields:
            if target.field.type is not FieldType.TABLE:
                parts = [part for window in answered for part in window.parts]
                reading.candidates[target.field.name] = _candidates(target, parts, evidence, locale)
                continue
            seen = []
            before = None
            for now in answered:
                rows = [
                    row
                    for part in now.parts
                    for row in parse_rows(target, part.values.get(target.key), evidence, locale, part.pages)
                ]
                seen.append((rows, now.window.shared(before)))
                before = now.window
            reading.tables[target.field.name] = joined(seen)


def _candidates(target: Keyed, parts: Sequence[_Part], evidence: Evidence, locale: Locale) -> list[Candidate]:
    candidates: dict[str, Candidate] = {}
    lists: dict[str, list[Place]] = defaultdict(list)
    for part in parts:
        value = normalised(target.field, part.values.get(target.key), locale)
        if value is None:
            continue
        if target.field.type is FieldType.LIST:
            for item in value:
                lists[item] += evidence.places(target.field, item, part.pages)
            continue
        value = evidence.as_printed(target.field, value, part.pages)
        places = evidence.places(target.field, value, part.pages)
        known = candidates.get(compared(value))
        if known is None:
            candidates[compared(value)] = Candidate(value, list(places))
        else:
            known.votes += 1
            known.places += [place for place in places if place not in known.places]
    if lists:
        return [Candidate(list(lists), [places[0] for places in lists.values() if places])]
    return list(candidates.values())


def _warning(reason: str, pages: Sequence[int]) -> str:
    if not pages:
        return f"The language model could not be used ({reason}); the document was read without it"
    named = ", ".join(ranges_of(pages, "–"))
    return f"The language model could not be used for pages {named} ({reason}); they were read without it"

"""The model of pipeline.yaml: parsers, classifiers, sources and exports."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, PrivateAttr, ValidationError, model_validator
from pydantic import Field as PydanticField
from pydantic.alias_generators import to_snake

from docduck import templates
from docduck.errors import InputError
from docduck.fields import Field
from docduck.ids import snake_case
from docduck.located_yaml import LocatedYaml, read_located_yaml
from docduck.service.classifiers.classifiers import merge_intake_settings
from docduck.service.classifiers.routing_settings import merge_routing
from docduck.service.core.schema import Values, problem_place
from docduck.service.parsers.parser_settings import merge_settings
from docduck.service.pipeline.export_specs import ExportSpec, LayoutSpec
from docduck.service.pipeline.source_kinds import source_kind
from docduck.service.pipeline.source_specs import SourceSpec
from docduck.service.pipeline.spec import FilePath, Spec
from docduck.service.schemas.upload_pages import UploadPageOrigins, UploadPageSettings
from docduck.service.schemas.webhooks import WebhookProperties
from docduck.validation_messages import problem_message
from docduck.warehouse.names import check_schema

_ANY_ID = str(UUID(int=0))
RESERVED_SOURCES = frozenset({"inbox"})


class FieldSpec(Field):
    """A field in pipeline.yaml, without id, in the order of the file.

    ``was`` is its former name, for renames.
    """

    columns: tuple[FieldSpec, ...] = ()
    was: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_place(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            for key in ("id", "position"):
                if key in value:
                    raise ValueError(f"leave out '{key}': name and order in this file count")
        return value


class BoundsSpec(Spec):
    """Bounds of a number ``field`` (``Items.Quantity`` in a table), or of a table's number of ``rows``.

    ``rows`` is ``documents`` or the name of a table field. Exports after each run are not written while a
    ``blocking`` check fails.
    """

    field: str | None = None
    rows: str | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    blocking: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> BoundsSpec:
        if (self.field is None) == (self.rows is None):
            raise ValueError("needs either field or rows, what is to be checked")
        if self.minimum is None and self.maximum is None:
            raise ValueError("needs minimum, maximum or both")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError("minimum is above maximum")
        return self


class UploadPageSpec(UploadPageSettings, Spec):
    """An upload page; ``embed`` are the origins of web pages that may embed it."""

    is_active: bool = PydanticField(True, alias="active")
    embed_origins: UploadPageOrigins = PydanticField([], alias="embed")


_NESTED: Mapping[int | str, type[BaseModel]] = {
    "fields": FieldSpec,
    "columns": FieldSpec,
    "uploadPage": UploadPageSpec,
    "checks": BoundsSpec,
}
"""Keys whose values are objects of another kind."""


def _not_blank(name: str) -> str:
    if not name.strip():
        raise ValueError("must not be empty")
    return name


_Name = Annotated[str, AfterValidator(_not_blank)]


class ReviewStageSpec(Spec):
    """A review stage; it is conditional if it has ``rules``. ``reviewer`` is an e-mail address."""

    name: _Name
    reviewer: str | None = None
    instructions: str | None = None
    on_failed_checks: Literal["ask", "block"] = PydanticField("ask", alias="onFailedChecks")
    rules: tuple[dict[str, Any], ...] = ()


class WebhookSpec(WebhookProperties, Spec):
    """A webhook, found by its name. ``secret`` and the values of ``headers`` are environment variables."""

    name: _Name
    secret: str | None = None
    is_active: bool | None = PydanticField(None, alias="active")  # type: ignore[assignment]


class ParserSpec(Spec):
    """A parser, complete or based on a ``template``.

    ``post_processing`` replaces all steps. ``lookup_tables`` are CSV files by the names of their tables; the
    paths are absolute after loading. ``layouts`` are export layouts. ``partitions_from`` is the first day of
    the daily partitions of its tables.
    """

    template: str | None = None
    name: str | None = None
    slug: str | None = None
    description: str | None = None
    active: bool | None = None
    settings: dict[str, Any] = PydanticField({})
    fields: tuple[FieldSpec, ...] | None = None
    review: tuple[ReviewStageSpec, ...] | None = None
    webhooks: tuple[WebhookSpec, ...] = ()
    lookup_tables: dict[str, FilePath] = PydanticField({}, alias="lookupTables")
    post_processing: list[dict[str, Any]] | None = PydanticField(None, alias="postProcessing")
    fresh_within_hours: float | None = PydanticField(None, alias="freshWithinHours", gt=0)
    partitions_from: dt.date | None = PydanticField(None, alias="partitionsFrom")
    layouts: tuple[LayoutSpec, ...] = ()
    checks: tuple[BoundsSpec, ...] = ()
    upload_page: UploadPageSpec | None = PydanticField(None, alias="uploadPage")

    @property
    def key(self) -> str:
        """The parser's slug."""
        if self.slug is None and self.template and not self.name:
            return templates.load(self.template).slug
        return self.slug or snake_case(self.name or "", otherwise="parser")


class ClassifierSpec(Spec):
    """A classifier: ``rules`` maps labels to parsers; without ``fallback``, other documents are skipped."""

    name: str
    rules: dict[str, str]
    fallback: str | None = None
    instructions: str = ""
    description: str | None = None
    is_active: bool | None = PydanticField(None, alias="active")
    model: str | None = None
    split_documents: dict[str, Any] = PydanticField({}, alias="split")
    email_parsing: dict[str, Any] = PydanticField({}, alias="email")
    upload_page: UploadPageSpec | None = PydanticField(None, alias="uploadPage")

    @property
    def values(self) -> Values:
        """The properties of the classifier that are in the file, but for its name and its routing."""
        names = ("description", "is_active", "model", "split_documents", "email_parsing")
        return {name: value for name in names if (value := getattr(self, name)) not in (None, {})}

    @property
    def targets(self) -> list[tuple[str, str]]:
        """The parsers, with the key in the file that names each."""
        named = [(f"rules.{label}", parser) for label, parser in self.rules.items()]
        return named if self.fallback is None else [*named, ("fallback", self.fallback)]


class Pipeline(Spec):
    """The content of pipeline.yaml."""

    parsers: tuple[ParserSpec, ...] = ()
    classifiers: tuple[ClassifierSpec, ...] = ()
    sources: tuple[SourceSpec, ...] = ()
    exports: tuple[ExportSpec, ...] = ()
    _marked: LocatedYaml = PrivateAttr(default_factory=lambda: LocatedYaml("pipeline.yaml"))

    def error(self, problems: Sequence[tuple[str, str]]) -> InputError:
        """Return one error for problems found later, as (``parsers[0].slug``, message)."""
        return LocatedYaml(self._marked.name, None, self._marked.lines, list(problems)).error()


_Item = TypeVar("_Item", bound=Spec)


def load_pipeline(path: Path) -> Pipeline:
    """Read and check the file at ``path``.

    Raise InputError with a line ``pipeline.yaml:12: sources[0].after: …`` per problem.
    """
    return _pipeline(read_located_yaml(path), path.absolute().parent)


def pipeline_of(content: Mapping[str, Any], name: str, base: Path) -> Pipeline:
    """Check the content of a file called ``name``, with paths relative to ``base``; raise InputError."""
    return _pipeline(LocatedYaml(name, dict(content)), base)


def _pipeline(marked: LocatedYaml, base: Path) -> Pipeline:
    raw = marked.value if marked.value is not None else {}
    if not isinstance(raw, dict):
        raise InputError(f"{marked.name}:1: must have the keys parsers, classifiers, sources and exports")
    for key in raw:
        if key not in Pipeline.model_fields:
            marked.problems.append((key, _unknown(key, Pipeline)))
    parsers = _read(marked, raw, base, "parsers", lambda _: ParserSpec)
    classifiers = _read(marked, raw, base, "classifiers", lambda _: ClassifierSpec)
    sources: dict[int, SourceSpec] = _read(marked, raw, base, "sources", source_kind)
    exports = _read(marked, raw, base, "exports", lambda _: ExportSpec)
    slugs: dict[int, str] = {}
    for index, parser in parsers.items():
        problems = [(f"parsers[{index}]{at}", words) for at, words in _check_parser(parser)]
        marked.problems += problems
        if not problems:
            slugs[index] = parser.key
    marked.problems += _doubled("parsers", "slug", slugs)
    for index, classifier in classifiers.items():
        marked.problems += [
            (f"classifiers[{index}]{at}", words) for at, words in _check_classifier(classifier)
        ]
    names = {index: classifier.name.strip() for index, classifier in classifiers.items()}
    marked.problems += _doubled("classifiers", "name", names)
    for index, source in sources.items():
        if snake_case(source.name) in RESERVED_SOURCES:
            marked.problems.append((f"sources[{index}].name", f"'{source.name}' is the inbox's own name"))
    for key, items in (("sources", sources), ("exports", exports)):
        marked.problems += _doubled(key, "name", {i: snake_case(item.name) for i, item in items.items()})
    if marked.problems:
        raise marked.error()
    pipeline = Pipeline(
        parsers=tuple(parsers.values()),
        classifiers=tuple(classifiers.values()),
        sources=tuple(sources.values()),
        exports=tuple(exports.values()),
    )
    pipeline._marked = marked
    return pipeline


def _read(
    marked: LocatedYaml, raw: Mapping[str, Any], base: Path, key: str, kind_of: Callable[[Any], type[_Item]]
) -> dict[int, _Item]:
    """Return the valid items of a list by index; add the others to the problems."""
    items = raw.get(key)
    if items is None:
        return {}
    if not isinstance(items, list):
        marked.problems.append((key, "must be a list, each item beginning with '-'"))
        return {}
    read: dict[int, _Item] = {}
    unreadable = {path for path, _ in marked.problems}
    for index, item in enumerate(items):
        try:
            kind = kind_of(item)
        except ValueError as error:
            marked.problems.append((f"{key}[{index}]", str(error)))
            continue
        try:
            read[index] = kind.model_validate(item, context=base)
        except ValidationError as error:
            for problem in error.errors():
                path = f"{key}[{index}]" + _path(problem_place(problem))
                if path in unreadable:
                    continue
                nested = [_NESTED[part] for part in problem["loc"][:-1] if part in _NESTED]
                marked.problems.append((path, _words(dict(problem), nested[-1] if nested else kind)))
    return read


def _check_parser(parser: ParserSpec) -> Iterator[tuple[str, str]]:
    if parser.template is None and not (parser.name or "").strip():
        yield "", "needs a name or a template"
        return
    known = templates.keys()
    if parser.template is not None and parser.template not in known:
        yield ".template", f"there is no '{parser.template}'; known are {', '.join(known)}"
        return
    try:
        check_schema(parser.key)
    except InputError as error:
        yield ".slug", error.message
    try:
        merge_settings({}, parser.settings)
    except InputError as error:
        yield f".{error.path}", error.message.removeprefix(f"{error.path}: ")
    names = {
        "fields": [field.name for field in parser.fields or ()],
        "layouts": [layout.name for layout in parser.layouts],
        "review": [spec.name for spec in parser.review or ()],
        "webhooks": [webhook.name for webhook in parser.webhooks],
    }
    for key, listed in names.items():
        folded = [name.strip() if key == "layouts" else name.strip().casefold() for name in listed]
        for index, first in _repeated(enumerate(folded)):
            yield f".{key}[{index}].name", f"'{listed[index]}' is also the name of {key}[{first}]"


def _check_classifier(spec: ClassifierSpec) -> Iterator[tuple[str, str]]:
    if not spec.name.strip() or spec.name != spec.name.strip():
        yield ".name", "must not be blank, nor begin or end with a space"
    rules = [{"label": label, "targetParserId": _ANY_ID} for label in spec.rules]
    try:
        merge_routing({}, {"rules": rules, "instructions": spec.instructions}, "")
    except InputError as error:
        part, *inside = str(error.path).strip(".").split(".")
        at = f".rules.{[*spec.rules][int(inside[0])]}" if part == "rules" and inside else f".{part}"
        yield at, error.message.removeprefix(f"{error.path}: ")
    try:
        merge_intake_settings({}, spec.values)
    except InputError as error:
        setting, dot, inside_ = str(error.path).partition(".")
        yield (
            f".{ClassifierSpec.model_fields[to_snake(setting)].alias or setting}{dot}{inside_}",
            error.message.removeprefix(f"{error.path}: "),
        )


def _doubled(key: str, attribute: str, names: Mapping[int, str]) -> list[tuple[str, str]]:
    return [
        (f"{key}[{index}].{attribute}", f"'{names[index]}' is that of {key}[{first}] already")
        for index, first in _repeated(names.items())
    ]


def _repeated(names: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield the index of each name that was there before, and the index of the first."""
    seen: dict[str, int] = {}
    for index, name in names:
        first = seen.setdefault(name, index)
        if first != index:
            yield index, first


def _path(location: Sequence[int | str]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)


def _words(error: Mapping[str, Any], kind: type[BaseModel]) -> str:
    match error["type"]:
        case "date_parsing" | "date_type" | "date_from_datetime_parsing":
            return "must be a date such as 2026-01-31"
        case "literal_error" | "enum":
            return f"must be {error['ctx']['expected'].replace(chr(39), '')}"
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return _unknown(str(error["loc"][-1]), kind)
        case "string_type" | "path_type":
            return "must be text; put it in quotes"
        case "bool_type" | "bool_parsing":
            return "must be true or false"
        case "tuple_type" | "list_type":
            return "must be a list"
        case "model_type" | "dict_type" | "model_attributes_type":
            return "must be keys with values"
        case _:
            return problem_message(error)


def _unknown(key: str, kind: type[BaseModel]) -> str:
    fields = kind.model_fields.items()
    known = [field.alias or name for name, field in fields if name not in ("id", "position")]
    close = difflib.get_close_matches(key, known, n=1)
    return f"unknown key; did you mean {close[0]}?" if close else f"unknown key; known are {', '.join(known)}"

"""Setting up a parser from samples in one call."""

from __future__ import annotations

from functools import partial
from typing import Any

from pydantic import Field

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lanes import Evaluations
from docduck.api.route import require
from docduck.api.schemas.base import ResponseModel
from docduck.errors import Forbidden, InputError, TooLarge
from docduck.evaluation.score import SuiteScore
from docduck.extraction.result import Extraction
from docduck.fields import Field as ParserField
from docduck.mcp.sent_files import Base64, decoded, keep_file
from docduck.mcp.tool import ADD, tool
from docduck.mcp.views import QUOTED
from docduck.service.core.property_types import Many, Name
from docduck.service.core.schema import Schema
from docduck.service.previews.field_suggestions import found_value
from docduck.service.previews.parser_setup import MAX_SAMPLES, TOO_LARGE, NewSetup, ParserSetUp, setup_parser

_DIGITS = 3


class SampleFile(Schema):
    """A file."""

    file_name: Name
    content_base64: Base64


class SetupInput(Schema):
    """Samples of one kind of documents, and what is known of them."""

    name: Name
    samples: Many[SampleFile] = Field(
        min_length=1,
        max_length=MAX_SAMPLES,
        description="At most 5, each {fileName, contentBase64}; 10 MB each, 20 MB together",
    )
    truth: Many[dict[str, Any]] | None = Field(
        None, description='Right values of each sample by field, e.g. {"Total": 9.5, "Items": [{"Qty": 2}]}'
    )
    template_key: str | None = None


class SeenValue(ResponseModel):
    """What a sample has for a field; of a table, the first row and the number of rows."""

    value: Any
    page: int | None
    row_count: int | None


class FieldSetUp(ResponseModel):
    """A field, and what each sample that was read has for it, in their order.

    ``accuracy`` is the share of right values.
    """

    name: str
    type: str
    labels: list[str]
    columns: list[str]
    seen: list[SeenValue | None]
    accuracy: float | None


class SampleSetUp(ResponseModel):
    """A sample that is a document of the parser now."""

    document_id: str
    name: str


class WrongSampleValue(ResponseModel):
    """A value that is read wrong; ``field`` is ``Table.Column`` for a cell of a row, from 1."""

    document_id: str
    field: str
    row: int | None
    expected: Any
    got: Any


class SetUpParser(ResponseModel):
    """A new parser."""

    parser_id: str
    slug: str
    fields: list[FieldSetUp]
    documents: list[SampleSetUp]
    accuracy: float | None
    wrong: list[WrongSampleValue]
    wrong_count: int
    warnings: list[str]


@tool("setup_parser", "Set up a parser from samples", "parsers:write", ADD, QUOTED)
async def setup(body: SetupInput, call: CurrentCall, lane: Evaluations) -> SetUpParser:
    """Make a parser from samples of one kind, in one call: fields found on them, or those of truth or
    templateKey. The samples are read at once, and become its first documents. With truth, it learns where
    values are printed, and accuracy and wrong values are told. Takes up to 45 s.
    """
    for permission in ("fields:write", "documents:write"):
        require(call.caller, permission)
    if call.caller.parser_ids is not None:
        raise Forbidden
    made = await lane.run(call.team_id, partial(_set_up, call, body))
    return SetUpParser(
        parser_id=made.parser.id,
        slug=made.parser.slug,
        fields=[_field(field, made) for field in made.parser.fields],
        documents=[SampleSetUp(document_id=each.id, name=each.name) for each in made.documents],
        accuracy=None if made.score is None else round(made.score.total.share, _DIGITS),
        wrong=[WrongSampleValue.of(each) for each in made.wrong],
        wrong_count=made.wrong_count,
        warnings=list(made.warnings),
    )


def _set_up(call: Call, body: SetupInput) -> ParserSetUp:
    samples = [keep_file(call.inst, sample.file_name, _content(sample)) for sample in body.samples]
    new = NewSetup(body.name, samples, body.truth, body.template_key, source="mcp")
    return setup_parser(*call.team, new, call.actor)


def _field(field: ParserField, made: ParserSetUp) -> FieldSetUp:
    return FieldSetUp(
        name=field.name,
        type=field.type.value,
        labels=list(field.labels),
        columns=[column.name for column in field.columns],
        seen=[_seen(reading, field.name) for reading in made.readings],
        accuracy=None if made.score is None else _accuracy(made.score, field.name),
    )


def _content(sample: SampleFile) -> bytes:
    try:
        return decoded(sample.content_base64)
    except TooLarge as error:
        raise InputError(f"{sample.file_name}: {TOO_LARGE}", "samples") from error
    except InputError as error:
        raise InputError(f"{sample.file_name}: {error.message}", error.path) from error


def _seen(reading: Extraction, name: str) -> SeenValue | None:
    read = found_value(reading, name)
    if read.value in (None, []):
        return None
    value = read.value if read.row_count is None else read.value[0]
    return SeenValue(value=value, page=read.page, row_count=read.row_count)


def _accuracy(score: SuiteScore, name: str) -> float | None:
    """Return the share of right values of a field, of a table those of its cells; None without any."""
    own = [each for key, each in score.fields.items() if key == name or key.startswith(f"{name}.")]
    values = sum(each.values for each in own)
    return round(sum(each.right for each in own) / values, _DIGITS) if values else None


TOOLS = (setup,)

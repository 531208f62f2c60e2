"""The fields of a parser: adding, changing, ordering and deleting them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from starlette.responses import Response

from docduck.errors import InputError
from docduck.fields import Field, FieldType
from docduck.service.documents.reprocessing import reprocess_parser
from docduck.service.parsers.field_editing import add_field, delete_field, reorder_fields, update_field
from docduck.web.controls import SHOWN
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.parsers.field_form import changed_field, shown_field
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/fields")

_EMPTY_COLUMNS = 2
_NEW = "new"

Writer = Annotated[ParserVisit, of_parser("fields:write")]


@router.get("")
def list_(at: Annotated[ParserVisit, of_parser("parsers:read")], changed: bool = False) -> Response:
    """Return the parser's fields; after a change of them, with the offer to read its documents again."""
    return _page(at, changed=changed)


@router.post("")
def add(form: UserForm, at: Writer) -> Response:
    """Add a field."""
    with shown_on(partial(_page, at, form, None)):
        done = add_field(*at.of_parser, changed_field(form, None), at.user.actor)
    return _back(at, done.reprocess_recommended)


@router.post("/{field_id}")
def change(field_id: str, form: UserForm, at: Writer) -> Response:
    """Change, move or delete a field."""
    fields = {str(field.id): field for field in at.parser.fields}
    if field_id not in fields:
        raise InputError("This field is gone. Load the page again")
    match form_value(form, "action"):
        case "save":
            old = fields[field_id]
            with shown_on(partial(_page, at, form, old)):
                done = update_field(*at.of_parser, field_id, changed_field(form, old), at.user.actor)
        case "delete":
            done = delete_field(*at.of_parser, field_id, at.user.actor)
        case "up" | "down" as direction:
            ids = list(fields)
            place = ids.index(field_id)
            ids.insert(max(0, place + (1 if direction == "down" else -1)), ids.pop(place))
            done = reorder_fields(*at.of_parser, ids, at.user.actor)
        case _:
            raise InputError("Choose what to do with the field")
    return _back(at, done.reprocess_recommended)


@router.post("/all/read-again")
def read_again(form: UserForm, at: Annotated[ParserVisit, of_parser("documents:write")]) -> Response:
    """Read the parser's documents again, with its fields as they are now."""
    discard = form_value(form, "discard_corrections") == "yes"
    reprocess_parser(*at.of_parser, actor=at.user.actor, discard_corrections=discard)
    return see_other("/documents", parser=at.parser.slug)


def _page(
    at: ParserVisit,
    form: Form | None = None,
    old: Field | None = None,
    error: InputError | None = None,
    changed: bool = False,
) -> Response:
    """Return the page; ``form`` is that of a field that is wrong, or of a new one for None."""
    return at.page(
        "parsers/fields.html.j2",
        error=error_at_top(error),
        types=[field_type.value for field_type in FieldType],
        column_types=[field_type.value for field_type in FieldType if field_type is not FieldType.TABLE],
        empty=Field.model_construct(name=""),
        empty_columns=_EMPTY_COLUMNS,
        changed=changed,
        typed={}
        if form is None
        else {str(old.id) if old else _NEW: (shown_field(form, old), form_value(form, SHOWN))},
        new=_NEW,
        may_write=at.may("fields:write"),
    )


def _back(at: ParserVisit, reprocess: bool) -> Response:
    return at.back("fields", changed="true" if reprocess else "")

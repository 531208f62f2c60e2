"""The fields of a parser: adding, changing, ordering and deleting them."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.fields import Field, FieldType
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.documents.reprocessing import reprocess_parser
from docduck.service.parsers.field_editing import add_field, delete_field, reorder_fields, update_field
from docduck.service.parsers.parsers import get_parser
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.parsers.field_form import changed_field, shown_field
from docduck.web.rest_bodies import error_at_top
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(prefix="/parsers/{parser_ref}/fields", include_in_schema=False, route_class=PageRoute)

_EMPTY_COLUMNS = 2
_NEW = "new"


@router.get("")
def list_(
    parser_ref: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember, changed: bool = False
) -> Response:
    """Return the parser's fields; after a change of them, with the offer to read its documents again."""
    require(user, "parsers:read")
    return _page(inst, signed_in, user, parser_ref, changed=changed)


@router.post("")
def add(parser_ref: str, form: UserForm, signed_in: CurrentUser, inst: Inst, user: CurrentMember) -> Response:
    """Add a field."""
    require(user, "fields:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    try:
        done = add_field(inst, user.team_id, parser.id, changed_field(form, None), user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(inst, signed_in, user, parser_ref, error=error, typed={_NEW: shown_field(form, None)})
    return _back(parser.slug, done.reprocess_recommended)


@router.post("/{field_id}")
def change(
    parser_ref: str, field_id: str, form: UserForm, signed_in: CurrentUser, inst: Inst, user: CurrentMember
) -> Response:
    """Change, move or delete a field."""
    require(user, "fields:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    fields = {str(field.id): field for field in parser.fields}
    if field_id not in fields:
        raise InputError("This field is gone. Load the page again")
    match form_value(form, "action"):
        case "save":
            old = fields[field_id]
            try:
                done = update_field(
                    inst, user.team_id, parser.id, field_id, changed_field(form, old), user.actor
                )
            except (Forbidden, NotFound):
                raise
            except InputError as error:
                typed = {field_id: shown_field(form, old)}
                return _page(inst, signed_in, user, parser_ref, error=error, typed=typed)
        case "delete":
            done = delete_field(inst, user.team_id, parser.id, field_id, user.actor)
        case "up" | "down" as direction:
            ids = list(fields)
            place = ids.index(field_id)
            ids.insert(max(0, place + (1 if direction == "down" else -1)), ids.pop(place))
            done = reorder_fields(inst, user.team_id, parser.id, ids, user.actor)
        case _:
            raise InputError("Choose what to do with the field")
    return _back(parser.slug, done.reprocess_recommended)


@router.post("/all/read-again")
def read_again(parser_ref: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Read the parser's documents again, with its fields as they are now."""
    require(user, "documents:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    discard = form_value(form, "discard_corrections") == "yes"
    reprocess_parser(inst, user.team_id, parser.id, actor=user.actor, discard_corrections=discard)
    return RedirectResponse(f"/documents?parser={parser.slug}", 303)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    *,
    changed: bool = False,
    error: InputError | None = None,
    typed: Mapping[str, Field] | None = None,
) -> Response:
    """Return the page; ``typed`` is the field that is wrong, by its id, as it was typed."""
    return page(
        "parsers/fields.html.j2",
        signed_in,
        error=None if error is None else error_at_top(error),
        parser=get_parser(inst, user.team_id, parser_ref),
        tab="fields",
        types=[field_type.value for field_type in FieldType],
        column_types=[field_type.value for field_type in FieldType if field_type is not FieldType.TABLE],
        empty=Field.model_construct(name=""),
        empty_columns=_EMPTY_COLUMNS,
        changed=changed,
        typed=typed or {},
        new=_NEW,
        may_write="fields:write" in user.permissions,
    )


def _back(parser_ref: str, reprocess: bool) -> Response:
    return RedirectResponse(f"/parsers/{parser_ref}/fields{'?changed=true' if reprocess else ''}", 303)

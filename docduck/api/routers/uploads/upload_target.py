"""The target and the sender of an upload."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from docduck.api.request.current_caller import Call, caller_of
from docduck.api.route import may_use, refuse_parser, require_classifier
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.accounts.caller import Operator

_CONNECTOR = "X-Source"
_LONGEST_CONNECTOR = 64


def chosen_target(
    call: Call, parser_id: str | None, classifier_id: str | None
) -> tuple[str | None, str | None]:
    """Return the parser's or the classifier's id that a body names, and None for the other.

    Raise InputError, NotFound, or Forbidden for a limited key.
    """
    if (parser_id is None) == (classifier_id is None):
        raise InputError("Provide exactly one of parserId or classifierId", "parserId")
    for name, value in (("parserId", parser_id), ("classifierId", classifier_id)):
        if value is not None and not is_uuid(value):
            raise InputError(f"Invalid {name}", name, code="invalid_id")
    if parser_id is not None:
        if not may_use(call.caller, parser_id):
            refuse_parser(*call.team, parser_id)
        return parser_id.lower(), None
    require_classifier(call.inst, call.caller, str(classifier_id))
    return None, str(classifier_id).lower()


def sender(request: Request) -> tuple[str, dict[str, Any] | None]:
    """Return the source of a document, and its detail: a connector sends its name in X-Source."""
    if isinstance(caller_of(request), Operator):
        return "upload", None
    name = request.headers.get(_CONNECTOR, "").strip()
    if not name:
        return "api", None
    if len(name) > _LONGEST_CONNECTOR or not name.isascii() or not name.isprintable():
        raise InputError(f"{_CONNECTOR} must have at most {_LONGEST_CONNECTOR} printable ASCII characters")
    return "integration", {"connector": name.lower()}

"""What scripts of pages send as JSON, with the session's form token in a header."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, ValidationError

from docduck.api.request.body import parse_body, read_body
from docduck.errors import InputError
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.web.visit import check_form_token, check_own_site


class Sent(BaseModel):
    """What a script sends; nothing else is accepted."""

    model_config = ConfigDict(extra="forbid")


SentT = TypeVar("SentT", bound=Sent)


async def read_sent(kind: type[SentT], request: Request, inst: Installation, signed_in: SignedIn) -> SentT:
    """Return what a script sent; raise Forbidden without the session's form token, InputError."""
    check_own_site(request, inst.settings)
    check_form_token(signed_in, request.headers.get("x-form-token", ""))
    body: Any = await parse_body(await read_body(request))
    try:
        return kind.model_validate(body, strict=False)
    except ValidationError as error:
        raise InputError("The changes can't be read. Load the page again") from error

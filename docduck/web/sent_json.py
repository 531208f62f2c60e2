"""What scripts of pages send as JSON, with the session's form token in a header."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, ValidationError

from docduck.api.request.body import parse_body, read_body
from docduck.api.request.current_caller import Inst
from docduck.errors import InputError
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.web.visit import CurrentUser, check_form_token, check_own_site


class Sent(BaseModel):
    """What a script sends; nothing else is accepted."""

    model_config = ConfigDict(extra="forbid")


SentT = TypeVar("SentT", bound=Sent)
_REFUSAL = "The changes can't be read. Load the page again"


async def read_sent(
    kind: type[SentT],
    request: Request,
    inst: Installation,
    signed_in: SignedIn,
    refusal: str = _REFUSAL,
) -> SentT:
    """Return what a script sent; raise Forbidden without the session's form token, InputError."""
    check_own_site(request, inst.settings)
    check_form_token(signed_in, request.headers.get("x-form-token", ""))
    body: Any = await parse_body(await read_body(request))
    try:
        return kind.model_validate(body, strict=False)
    except ValidationError as error:
        raise InputError(refusal) from error


def sent(kind: type[SentT], refusal: str = _REFUSAL) -> Any:
    """Return the dependency that reads what a script sent; see ``read_sent``."""

    async def read(request: Request, inst: Inst, signed_in: CurrentUser) -> SentT:
        return await read_sent(kind, request, inst, signed_in, refusal)

    return Depends(read)

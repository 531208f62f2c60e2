"""What scripts of pages send as JSON, with the session's form token in a header."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, ValidationError

from docduck.api.request.body import parse_body, read_body
from docduck.api.request.current_caller import Inst
from docduck.errors import InputError
from docduck.web.visit import CurrentUser, check_form_token, check_own_site


class Sent(BaseModel):
    """What a script sends; nothing else is accepted."""

    model_config = ConfigDict(extra="forbid")


SentT = TypeVar("SentT", bound=Sent)


def sent(kind: type[SentT], refusal: str = "The changes can't be read. Load the page again") -> Any:
    """Return the dependency that reads what a script sent; it raises Forbidden without the form token."""

    async def read(request: Request, inst: Inst, signed_in: CurrentUser) -> SentT:
        check_own_site(request, inst.settings)
        check_form_token(signed_in, request.headers.get("x-form-token", ""))
        body: Any = await parse_body(await read_body(request))
        try:
            return kind.model_validate(body, strict=False)
        except ValidationError as error:
            raise InputError(refusal) from error

    return Depends(read)

"""Checks of forms: what REST refuses, pages refuse with the same words."""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

from pydantic import ValidationError

from docduck.errors import InputError
from docduck.service.core.schema import Schema, input_error

BodyT = TypeVar("BodyT", bound=Schema)


def checked_body(kind: type[BodyT], values: Any) -> BodyT:
    """Return what a form holds as the body of a REST request; raise InputError listing all errors."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise input_error(error.errors()) from error


def error_at_top(error: InputError) -> InputError:
    """Return the error as one of the whole form, for forms that don't tell it at the field."""
    return error_at(error, None)


def error_at(error: InputError, place: str | None) -> InputError:
    """Return the error as one of the control ``place``; its kind stays, and so does the response's status."""
    input_error = copy(error)
    input_error.path = place
    return input_error

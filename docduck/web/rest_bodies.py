"""Checks of forms: what REST refuses, pages refuse with the same words, on the page of the form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.responses import Response

from docduck.errors import BodyTooSlow, DocduckError, Forbidden, InputError, NotFound
from docduck.service.core.schema import Schema, input_error

BodyT = TypeVar("BodyT", bound=Schema)


class FormRefused(Exception):
    """A form is shown again, by ``show``, with the error that is wrong with it."""

    def __init__(self, error: InputError, show: Callable[[InputError], Response]) -> None:
        super().__init__(error.message)
        self.error = error
        self.show = show


@contextmanager
def shown_on(
    show: Callable[[InputError], Response],
    *,
    apart: tuple[type[DocduckError], ...] = (BodyTooSlow, Forbidden, NotFound),
) -> Iterator[None]:
    """Have errors of a form told on its page, which ``show`` returns; those ``apart`` have their own page.

    Raise FormRefused, which ``PageRoute`` answers with the page.
    """
    try:
        yield
    except apart:
        raise
    except InputError as error:
        raise FormRefused(error, show) from error


def checked_body(kind: type[BodyT], values: Any) -> BodyT:
    """Return what a form holds as the body of a REST request; raise InputError listing all errors."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise input_error(error.errors()) from error


def error_at_top(error: InputError | None) -> InputError | None:
    """Return an error as one of the whole form, for forms that don't tell it at the field."""
    return error_at(error, None)


def error_at(error: InputError | None, place: str | None) -> InputError | None:
    """Return an error as one of the control ``place``; its kind stays, and so does the response's status."""
    if error is None:
        return None
    input_error = copy(error)
    input_error.path = place
    return input_error

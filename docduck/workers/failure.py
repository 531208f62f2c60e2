"""Errors as data: nothing that a worker sends is executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from docduck.error_codes import known_code
from docduck.errors import Defect, DiskFull, DocduckError, DocumentError, InputError, Transient

_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class Failure:
    """An error: class name, message and other text attributes.

    ``trace`` is the traceback of a defect.
    """

    kind: str
    message: str
    details: dict[str, str] = field(default_factory=dict)
    trace: str | None = None

    @staticmethod
    def of(error: DocduckError, trace: str | None = None) -> Failure:
        """Return ``error`` as data.

        ``kind`` is its nearest class in ``docduck.errors``, because other modules may be unknown to the
        receiver.
        """
        details = {name: value for name, value in vars(error).items() if isinstance(value, str)}
        details.pop("message", None)
        details["code"] = error.code
        kind = next(kind for kind in type(error).__mro__ if kind.__module__ == DocduckError.__module__)
        return Failure(kind.__name__, error.message, details, trace)

    def error(self) -> DocduckError:
        """Return the error; of an unknown class, a Defect."""
        kind = _known(self.kind)
        error = kind.__new__(kind)
        DocduckError.__init__(error, self.message[:_LONGEST], code=known_code(self.details.get("code")))
        for name, value in self.details.items():
            if name in ("detail", "content_type"):
                setattr(error, name, value[:_LONGEST])
        if isinstance(error, InputError):
            error.path, error.details, error.known = self.details.get("path"), (), ()
        return error


def _known(name: str) -> type[DocduckError]:
    kinds: list[type[DocduckError]] = [Transient, DiskFull, InputError, *_below(DocumentError)]
    return next((kind for kind in kinds if kind.__name__ == name), Defect)


def _below(kind: type[DocduckError]) -> Iterator[type[DocduckError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _below(child)

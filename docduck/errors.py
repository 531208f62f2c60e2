"""Every error docduck raises on purpose.

    DocduckError                 anything below; ``message`` is written for its reader
    ├── InputError               what was given is wrong: a field, a file, a setting
    │   ├── NotFound             the named thing is not there (or belongs to another team)
    │   ├── Forbidden            whoever asks may not do this
    │   ├── TooLarge             more bytes than the limit
    │   ├── UnsupportedType      a type of file that is not taken
    │   └── Conflict             the thing's present state does not allow it
    │       └── IllegalMove      a document can't go from its status by this event
    ├── DocumentError            this document can't be read; the message goes on the document
    ├── Transient                trying again helps: a lock, a lease, a service that is away
    │   └── TooMany              the team has as much under way as it may
    └── Defect                   docduck's own mistake: logged with a trace, told plainly

``retryable`` says whether trying the same thing again can help.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class DocduckError(Exception):
    """Base of all errors raised on purpose; ``message`` names the thing, the place and the remedy."""

    retryable = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by what it holds, so that each kind may have arguments of its own."""
        return _revived, (type(self), self.args, self.__dict__)


def _revived(kind: type[DocduckError], args: tuple[Any, ...], state: dict[str, Any]) -> DocduckError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(DocduckError):
    """What was given is wrong; ``path`` names the place inside it, dotted (``settings.parsePages``).

    ``details`` lists every place with its message, where several are wrong.
    """

    def __init__(
        self, message: str, path: str | None = None, details: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__(message)
        self.path = path
        self.details = tuple(details) or (((path, message),) if path else ())


class NotFound(InputError):
    """A named thing does not exist for this team; ``kind`` is contract F1's type (``parserId`` …).

    ``more`` lists further (kind, value) that are missing, too.
    """

    def __init__(self, message: str, kind: str, value: str, more: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.value = value
        self.missing = ((kind, value), *more)


class Forbidden(InputError):
    """Whoever asks may not do this."""

    def __init__(self, message: str = "Access denied") -> None:
        super().__init__(message)


class TooLarge(InputError):
    """More bytes than the limit (contract G2)."""


class UnsupportedType(InputError):
    """A type of file that is not taken; ``content_type`` is what it was recognised as."""

    def __init__(self, content_type: str) -> None:
        super().__init__(f"Unsupported file type: {content_type}")
        self.content_type = content_type


class Conflict(InputError):
    """The present state of a thing does not allow what was asked."""


class InvalidTransition(Conflict):
    """A document can't leave ``status`` by ``event`` (contract B1)."""

    def __init__(self, message: str, status: str | None, event: str) -> None:
        super().__init__(message)
        self.status = status
        self.event = event


class DocumentError(DocduckError):
    """This document can't be processed; ``message`` is one of contract F2's processing errors."""


class EmptyFile(DocumentError):
    """The file has no bytes."""

    def __init__(self) -> None:
        super().__init__("File is empty")


class DamagedFile(DocumentError):
    """The file is not readable as what it says it is; ``detail`` is for the log."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("File is damaged or not readable")
        self.detail = detail


class EncryptedFile(DocumentError):
    """The file needs a password that docduck does not have."""

    def __init__(self) -> None:
        super().__init__("File is password protected")


class UnsupportedFile(DocumentError):
    """No reader takes this type of file; ``content_type`` is what it was recognised as."""

    def __init__(self, content_type: str = "") -> None:
        super().__init__("Unsupported file type")
        self.content_type = content_type


class NoPagesMatch(DocumentError):
    """The parser's ``parsePages`` leaves no page of this document."""

    def __init__(self) -> None:
        super().__init__("No pages match parsePages")


class TooManyPages(DocumentError):
    """More pages are to be read than the limit allows (contract K3)."""

    def __init__(self, page_count: int, most: int) -> None:
        super().__init__(
            f"Document has {page_count} pages; at most {most} can be read (choose some with parsePages)"
        )


class TimedOut(DocumentError):
    """Reading the document took longer than its limit."""

    def __init__(self) -> None:
        super().__init__("Timed out while processing document")


class Transient(DocduckError):
    """Something is away or held by another process for the moment; trying again helps."""

    retryable = True


class TooMany(Transient):
    """The team has as much of one kind of work under way as it may; trying again later helps."""


class Defect(DocduckError):
    """docduck's own mistake."""


class BodyTooSlow(InputError):
    """The client stopped sending in the middle of its body."""

    def __init__(self) -> None:
        super().__init__("The request body did not arrive in time")

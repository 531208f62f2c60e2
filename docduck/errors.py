"""The errors that docduck raises on purpose.

    DocduckError                 base class; ``message`` is written for its reader
    ├── InputError               invalid input: a field, a file, a setting
    │   ├── NotFound             the named resource doesn't exist (or belongs to another team)
    │   ├── Forbidden            the caller may not do this
    │   ├── TooLarge             more bytes than the limit
    │   ├── UnsupportedType      a type of file that is not accepted
    │   └── Conflict             the resource's present state doesn't allow it
    │       ├── InvalidTransition    a document's status doesn't allow this event
    │       └── PreconditionFailed   it is not in the state that the request depends on
    ├── DocumentError            the document can't be processed; stored as its error
    ├── Transient                temporary: a lock, a lease, a service that can't be reached
    │   ├── DiskFull             there is no room for what is to be written
    │   ├── WorkerEnded          a worker process ended without a result
    │   └── TooMany              the team has reached a limit
    └── Defect                   a bug in docduck: logged with a traceback

``retryable`` says whether trying again can help, and ``code`` is a word of ``docduck.error_codes``, by which
programs tell errors apart: that of the class, or of the place that raises it.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Any

from docduck.error_codes import Code


class DocduckError(Exception):
    """Base class of errors raised on purpose; ``message`` names the object, the place and the remedy."""

    retryable = False
    code: str = "internal_error"

    def __init__(self, message: str, *, code: Code | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the attributes, so that subclasses may have arguments of their own."""
        return _revived, (type(self), self.args, self.__dict__)


def _revived(kind: type[DocduckError], args: tuple[Any, ...], state: dict[str, Any]) -> DocduckError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(DocduckError):
    """Invalid input; ``path`` is the dotted path inside it (``settings.parsePages``).

    ``details`` lists (path, message) if there are several errors, ``known`` the names that there are if one
    is unknown.
    """

    code = "invalid_request"

    def __init__(
        self,
        message: str,
        path: str | None = None,
        details: Sequence[tuple[str, str]] = (),
        known: Sequence[str] = (),
        *,
        code: Code | None = None,
    ) -> None:
        super().__init__(message, code=code)
        self.path = path
        self.known = tuple(known)
        self.details = tuple(details) or (((path, message),) if path else ())


class NotFound(InputError):
    """A resource doesn't exist for this team; ``kind`` is the error type in the API (``parserId`` …).

    ``more`` lists further missing (kind, value).
    """

    code = "not_found"

    def __init__(
        self,
        message: str,
        kind: str,
        value: str,
        more: Sequence[tuple[str, str]] = (),
        known: Sequence[str] = (),
    ) -> None:
        super().__init__(message, known=known)
        self.kind = kind
        self.value = value
        self.missing = ((kind, value), *more)


class Forbidden(InputError):
    """The caller may not do this."""

    code = "forbidden"

    def __init__(self, message: str = "Access denied", *, code: Code | None = None) -> None:
        super().__init__(message, code=code)


class NotSignedIn(Forbidden):
    """The caller has no session, or it has ended."""

    code = "not_signed_in"


class TooLarge(InputError):
    """More bytes than the limit."""

    code = "too_large"


class UnsupportedType(InputError):
    """A type of file that is not accepted; ``content_type`` is the detected type."""

    code = "unsupported_type"

    def __init__(self, content_type: str) -> None:
        super().__init__(f"Unsupported file type: {content_type}")
        self.content_type = content_type


class Conflict(InputError):
    """The resource's present state doesn't allow the request."""

    code = "conflict"


class InvalidTransition(Conflict):
    """A document's ``status`` doesn't allow ``event``."""

    code = "invalid_transition"

    def __init__(self, message: str, status: str | None, event: str, *, code: Code | None = None) -> None:
        super().__init__(message, code=code)
        self.status = status
        self.event = event


class PreconditionFailed(Conflict):
    """The resource is not in the state that the request depends on."""

    code = "precondition_failed"


class DocumentError(DocduckError):
    """The document can't be processed; ``message`` is shown as the document's error."""


class EmptyFile(DocumentError):
    """The file is empty."""

    def __init__(self) -> None:
        super().__init__("File is empty")


class DamagedFile(DocumentError):
    """The file can't be parsed as its type; ``detail`` is for the log."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("File is damaged or not readable")
        self.detail = detail


class EncryptedFile(DocumentError):
    """The file needs a password."""

    def __init__(self) -> None:
        super().__init__("File is password protected")


class WrongPassword(EncryptedFile):
    """The file needs another password than the one that was given."""

    def __init__(self) -> None:
        DocumentError.__init__(self, "The password does not open the file")


class EncryptedMail(DocumentError):
    """A mail, or a file like one, is encrypted for its recipient."""

    def __init__(self) -> None:
        super().__init__("The mail is encrypted; only its recipient's key opens it")


class UnsupportedFile(DocumentError):
    """No reader supports this type of file; ``content_type`` is the detected type.

    ``causes`` tell which readers might, but can't be loaded.
    """

    def __init__(self, content_type: str = "", causes: Sequence[str] = ()) -> None:
        super().__init__(". ".join(["Unsupported file type", *causes]))
        self.content_type = content_type


class UnsupportedForm(DocumentError):
    """The PDF is a dynamic form (XFA) whose values can't be read."""

    def __init__(self) -> None:
        super().__init__("The PDF is a dynamic XFA form without readable values; print it to a PDF")


class NoPagesMatch(DocumentError):
    """The parser's ``parsePages`` selects no page of this document."""

    def __init__(self) -> None:
        super().__init__("No pages match parsePages")


class TooManyPages(DocumentError):
    """The document has more pages than the limit."""

    def __init__(self, page_count: int, most: int) -> None:
        super().__init__(
            f"Document has {page_count} pages; at most {most} can be read (choose some with parsePages)"
        )


class PostProcessingFailed(DocumentError):
    """A step of the parser's post-processing can't run."""

    def __init__(self, message: str) -> None:
        super().__init__(f"Post-processing failed: {message}")


class PluginFailed(DocumentError):
    """A plugin of another package failed on the document, or on an export."""


class TimedOut(DocumentError):
    """Processing the document took longer than the limit."""

    def __init__(self) -> None:
        super().__init__("Timed out while processing document")


class TooMuchMemory(DocumentError):
    """Processing the document took more memory than the limit, of ``most_bytes``."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(f"Reading the document takes more than {most_bytes >> 20} MiB of memory")


class GivenUp(DocumentError):
    """The process that read the document ended in each of several attempts."""

    def __init__(self) -> None:
        super().__init__("Reading was given up: its process ended without a result in each attempt")


class Transient(DocduckError):
    """A temporary failure: something can't be reached or is locked; trying again helps."""

    retryable = True
    code = "unavailable"


NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The numbers of errors of the system for a full disk, or a used up quota."""


class DiskFull(Transient):
    """A disk has no room for what is to be written."""

    code = "disk_full"


class WorkerEnded(Transient):
    """A worker ended without a result, by itself or by a signal that docduck did not send; or what it sent
    is no result.

    ``how`` says which; ``detail`` is for the log.
    """

    def __init__(self, how: str, detail: str = "") -> None:
        super().__init__(f"The process that was reading ended without a result ({how})")
        self.how = how
        self.detail = detail


class TooMany(Transient):
    """The team has reached a limit; trying again later helps, after ``retry_after`` seconds if known."""

    code = "too_many_requests"

    def __init__(self, message: str, retry_after: int | None = None, *, code: Code | None = None) -> None:
        super().__init__(message, code=code)
        self.retry_after = retry_after


class Defect(DocduckError):
    """A bug in docduck."""


class BodyTooSlow(InputError):
    """The client stopped sending its body."""

    code = "body_too_slow"

    def __init__(self) -> None:
        super().__init__("The request body did not arrive in time")

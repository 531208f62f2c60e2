"""The one model of a document, whatever its format: pages of words with boxes.

All geometry is in fractions of the page, 0–1, origin top-left, after the page was turned upright.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page; ``left``, ``top``, ``width``, ``height`` in 0–1 of the page."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> float:
        """The vertical centre."""
        return self.top + self.height / 2

    @property
    def centre(self) -> float:
        """The horizontal centre."""
        return self.left + self.width / 2

    def holds_middle_of(self, other: Box) -> bool:
        """Return whether the middle of another box is in this one."""
        return self.left <= other.centre <= self.right and self.top <= other.middle <= self.bottom

    @staticmethod
    def around(boxes: Iterable[Box]) -> Box:
        """Return the smallest box that holds all of ``boxes`` (at least one)."""
        some = list(boxes)
        left, top = min(b.left for b in some), min(b.top for b in some)
        return Box(left, top, max(b.right for b in some) - left, max(b.bottom for b in some) - top)


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without white space.

    ``source`` is where it was read; ``score`` is that of OCR (1.0 for a text layer).
    """

    text: str
    box: Box
    source: Literal["text", "ocr"] = "text"
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one baseline, left to right, without a column gap between them.

    ``heading`` and ``item`` are set where the format has them: the heading's level (1–6, 0 for none), and the
    depth of the list item that begins with this line (from 1, 0 for none). A list item's label ("•", "3.") is
    its first word.
    """

    words: tuple[Word, ...]
    box: Box
    heading: int = 0
    item: int = 0

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Rule:
    """A drawn straight line, horizontal or vertical, from (x0, y0) to (x1, y1), in 0–1."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def horizontal(self) -> bool:
        return abs(self.y1 - self.y0) <= abs(self.x1 - self.x0)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a ``Grid``; its text may have several lines.

    A merged cell is repeated in every position that it covers, with the whole text and box; all but the upper
    left one are marked ``merged``. An empty cell has a box, too. ``date`` is that of a cell that the format
    says is a date, ISO 8601; its text may show less of it.
    """

    text: str
    box: Box
    header: bool = False
    merged: bool = False
    date: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table that the format defines, its part on one page: rows of equally many cells.

    The words of its cells are among the page's lines. ``continued``: it continues a table of the page before,
    without its header rows.
    """

    rows: tuple[tuple[Cell, ...], ...]
    box: Box
    continued: bool = False


@dataclass(frozen=True, slots=True)
class Barcode:
    """A code printed on a page, decoded: ``kind`` is its symbology's name (``QRCode``, ``EAN13`` …)."""

    kind: str
    text: str
    box: Box


@dataclass(slots=True)
class Page:
    """One page; ``number`` counts from 1 in the file; ``width``, ``height`` in points (1/72 inch).

    ``lines`` are in reading order. ``grids`` are the tables that the format defines (office files, HTML), top
    to bottom; a table in a table's cell is part of that cell's text. ``turn`` is by how many degrees
    clockwise the page as a viewer shows it was turned to be upright (see ``render_page``). ``barcodes`` are
    found only if ``ReadOptions.barcodes`` is set.
    """

    number: int
    width: float
    height: float
    lines: Sequence[Line] = ()
    rules: Sequence[Rule] = ()
    turn: float = 0.0
    grids: Sequence[Grid] = ()
    barcodes: Sequence[Barcode] = ()

    @property
    def words(self) -> list[Word]:
        return [word for line in self.lines for word in line.words]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(slots=True)
class Attachment:
    """A file inside the document (an e-invoice's XML in a PDF, a mail's attachment).

    ``inline``: it is part of the text, as a picture or a signature is.
    """

    name: str
    content_type: str
    data: bytes
    inline: bool = False


@dataclass(frozen=True, slots=True)
class MailAddress:
    """One mailbox; ``name`` and ``address`` are empty where the header has none."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class MailHeaders:
    """The decoded headers of a mail.

    ``date`` is in the sender's own zone (naive without a zone), ``date_text`` as written. ``attachments`` are
    the names of the attached files.
    """

    subject: str | None = None
    from_: tuple[MailAddress, ...] = ()
    to: tuple[MailAddress, ...] = ()
    cc: tuple[MailAddress, ...] = ()
    bcc: tuple[MailAddress, ...] = ()
    reply_to: tuple[MailAddress, ...] = ()
    date: datetime | None = None
    date_text: str = ""
    message_id: str | None = None
    in_reply_to: str | None = None
    attachments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form at one of its places; the buttons of one radio group share their ``name``.

    ``value`` is the text of a ``text`` field, the chosen entry of a ``choice`` (several are separated by
    newlines), and the export value of a ``check`` box or ``radio`` button; only the latter two are
    ``checked``. ``title`` is the form's label of the field.
    """

    name: str
    kind: Literal["text", "choice", "check", "radio"]
    value: str
    page: int
    box: Box
    title: str = ""
    checked: bool = False


@dataclass(slots=True, weakref_slot=True)
class Document:
    """The content of a file. ``page_count`` counts the file's pages, read or not.

    ``mail`` is set for mails only; ``form`` holds the fields of a fillable form.
    """

    content_type: str
    pages: list[Page]
    page_count: int
    attachments: list[Attachment] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    mail: MailHeaders | None = None
    form: Sequence[FormField] = ()

    @property
    def text(self) -> str:
        return "\n\f\n".join(page.text for page in self.pages)

"""Made-up batches: files of several documents of many kinds, and the pages on which these begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from docduck.documents.document import Box, Document, Page, Word
from docduck.documents.geometry.lines import build_lines
from docduck.documents.reader import read
from tools.samples import drafts

Kind = Callable[[Random], list[Page]]
"""Draws a document."""

WIDTH, HEIGHT = 595.0, 842.0

PEOPLE = ("Ruth Calloway", "Owen Tarrant", "Ines Valdor", "Jonas Brettner", "Claire Aumont", "Tom Ashdown")
FIRMS = (
    "Northgate Tools",
    "Calloway & Finch",
    "Brettner Logistik GmbH",
    "Maison Aumont",
    "Pier 9 Traders Ltd.",
    "Valdor Textiles",
    "Green Lantern Café",
    "Ashdown Garden Centre",
)
STREETS = ("12 Harbour Road", "4 Mill Lane", "88 Station Street", "7 Orchard Close", "231 Canal Walk")
TOWNS = ("Bristol BS1 4ND", "Leeds LS2 7EW", "York YO1 9QL", "Derby DE1 3AH", "Hull HU1 1NQ")
GOODS = (
    "Steel bracket 40 mm",
    "Copy paper A4",
    "Oak shelf",
    "Hinges, pair",
    "Garden hose 25 m",
    "Tea towels",
    "Cable ties",
    "LED lamp 9 W",
    "Wall paint white",
    "Coffee beans 1 kg",
)
PROSE = (
    "we had a long winter behind us and the garden has only now begun to show what it wants to be.",
    "The matter that you raised in March has been looked into by two of our colleagues, who agree with you.",
    "It would help us a good deal if you could let us know by the end of the month how you want to go on.",
    "Our neighbours moved away in spring, and the house beside ours has been empty ever since.",
    "None of this changes what we agreed when we last met, and I shall come back to it when I hear from you.",
    "The roof was mended in time, the children are well, and we hope to see all of you in the summer.",
    "We have asked the carrier for a statement, and will pass on what they say as soon as it reaches us.",
    "There is one more thing that should be said about the delay, which was nobody's fault in particular.",
)


@dataclass(frozen=True)
class Batch:
    """A file, the numbers of the pages on which its documents begin, and the documents' names."""

    document: Document
    starts: tuple[int, ...]
    names: tuple[str, ...]


def page(*lines: str) -> Page:
    """Return a page of lines: large ones begin with ``#``, two spaces or more part columns."""
    placed: list[Word] = []
    top = 48.0
    for line in lines:
        size = 16.0 if line.startswith("#") else 9.5
        left = 60.0
        for number, column in enumerate(line.removeprefix("#").strip().split("  ")):
            left = max(left, 60.0 + 130.0 * number)
            for text in column.split():
                width = 0.5 * size * len(text)
                placed.append(Word(text, Box(left / WIDTH, top / HEIGHT, width / WIDTH, size / HEIGHT)))
                left += width + 0.3 * size
        top += size * 1.5
    return Page(1, WIDTH, HEIGHT, build_lines(placed, WIDTH, HEIGHT, ()))


def _address(rng: Random) -> list[str]:
    return [rng.choice(STREETS), rng.choice(TOWNS)]


def _date(rng: Random) -> str:
    return f"{rng.randint(1, 28)} {rng.choice(('March', 'April', 'June', 'October'))} 2024"


def _rows(rng: Random, count: int) -> list[str]:
    return [
        f"{rng.choice(GOODS)}  {rng.randint(1, 40)}  {rng.randint(1, 90)}.50  {rng.randint(100, 900)}.00"
        for _ in range(count)
    ]


def _letter(rng: Random, pages: int, greeting: str, closing: str) -> list[Page]:
    sender, receiver = rng.sample(PEOPLE, 2)
    head = [sender, *_address(rng), "", receiver, *_address(rng), "", _date(rng), ""]
    last = ["", closing, "", sender]
    opening = [f"{greeting} {receiver.split()[0]},", ""]
    texts = [list(rng.sample(PROSE, 5)) for _ in range(pages)]
    texts[0] = [*head, *opening, *texts[0]]
    texts[-1] += last
    return [page(*text) for text in texts]


def letter(rng: Random) -> list[Page]:
    ways = (
        ("Dear", "Yours sincerely"),
        ("Dear", "Kind regards"),
        ("Liebe", "Herzliche Grüße"),
        ("Sehr geehrte", "Mit freundlichen Grüßen"),
        ("Chère", "Cordialement"),
    )
    return _letter(rng, rng.choice((1, 1, 2)), *rng.choice(ways))


def company_letter(rng: Random) -> list[Page]:
    """Return a letter of a firm, with a subject and the firm's footer on each page."""
    firm, receiver = rng.choice(FIRMS), rng.choice(PEOPLE)
    foot = ["", f"{firm}, {rng.choice(STREETS)}, {rng.choice(TOWNS)}"]
    first = [
        f"# {firm}",
        *_address(rng),
        "",
        receiver,
        *_address(rng),
        "",
        _date(rng),
        "",
        rng.choice(("Your enquiry about opening hours", "Our move to new premises", "Your complaint")),
        "",
        "Dear Sir or Madam,",
        "",
        *rng.sample(PROSE, 4),
    ]
    rest = [f"# {firm}", "", *rng.sample(PROSE, 4)]
    end = ["", "Yours faithfully", "", rng.choice(PEOPLE)]
    texts = [first, rest] if rng.random() < 0.5 else [first]
    texts[-1] = [*texts[-1], *end]
    return [page(*text, *foot) for text in texts]


def receipt(rng: Random) -> list[Page]:
    shop = rng.choice(FIRMS)
    total = f"{rng.randint(8, 90)}.40"
    rows = [f"{name}  {rng.randint(1, 30)}.20" for name in rng.sample(GOODS, 4)]
    title = rng.choice(([], [], ["RECEIPT"], [f"Receipt No {rng.randint(1000, 9999)}"]))
    return [
        page(
            shop,
            *_address(rng),
            *title,
            f"{_date(rng)}  {rng.randint(8, 19)}:{rng.randint(10, 59)}",
            "",
            *rows,
            "",
            f"TOTAL  {total}",
            f"{rng.choice(('Cash', 'Card payment', 'VISA'))}  {total}",
            f"Change  0.00  Cashier {rng.randint(1, 9)}",
            "Thank you for your visit",
        )
    ]


def order(rng: Random) -> list[Page]:
    """Return an order, whose table may go on over pages without a number."""
    buyer = rng.choice(FIRMS)
    number = f"PO-{rng.randint(10000, 99999)}"
    head = [
        f"# {buyer}",
        *_address(rng),
        "",
        rng.choice(("# PURCHASE ORDER", "Purchase Order", "# ORDER")),
        "",
    ]
    facts = [
        *rng.choice(([f"Order number  {number}"], [f"PO No.  {number}"], [])),
        f"Order date  {_date(rng)}",
    ]
    columns = "Description  Quantity  Unit price  Amount"
    end = [
        "",
        f"Total  {rng.randint(1000, 9000)}.00",
        "Please deliver to the address above",
        "Authorized by",
        rng.choice(PEOPLE),
    ]
    first = [*head, *facts, f"Supplier  {rng.choice(FIRMS)}", "", columns]
    if rng.random() < 0.5:
        return [page(*first, *_rows(rng, 8), *end)]
    counted = rng.random() < 0.4
    middle = rng.choice(([columns], [f"# {buyer}", columns], [*facts, columns]))
    return [
        page(*first, *_rows(rng, 25), *(["", "Page 1 of 2"] if counted else [])),
        page(*middle, *_rows(rng, 9), *end, *(["", "Page 2 of 2"] if counted else [])),
    ]


def statement(rng: Random) -> list[Page]:
    bank, account = f"{rng.choice(TOWNS).split()[0]} Bank", str(rng.randint(10**7, 10**8))
    columns = "Date  Details  Amount  Balance"

    def bookings(count: int) -> list[str]:
        return [
            f"{rng.randint(1, 28):02}/04/2024  {rng.choice(FIRMS)}  {rng.randint(1, 99)}.10  612.00"
            for _ in range(count)
        ]

    first = [
        f"# {bank}",
        *_address(rng),
        "",
        rng.choice(("# Bank statement", "Statement of account", "# STATEMENT")),
        "",
        f"Account number  {account}",
        "Statement period  1 April 2024 to 30 April 2024",
        "",
        columns,
        "Opening balance  612.00",
        *bookings(12),
    ]
    pages = rng.randint(1, 3)
    heads = rng.choice(([f"# {bank}"], [f"# {bank}", f"Account number  {account}"], []))
    texts = [first] + [[*heads, columns, *bookings(14)] for _ in range(pages - 1)]
    texts[-1] = [*texts[-1], "Closing balance  803.00"]
    if rng.random() < 0.3:
        texts = [[*text, "", f"{number}"] for number, text in enumerate(texts, 1)]
    return [page(*text) for text in texts]


def invoice(rng: Random) -> list[Page]:
    firm, number = rng.choice(FIRMS), f"INV-{rng.randint(1000, 9999)}"
    columns = "Description  Quantity  Unit price  Amount"
    end = ["", f"Amount due  {rng.randint(100, 900)}.00", "Payment terms 30 days"]
    first = [
        f"# {firm}",
        *_address(rng),
        "",
        "Bill to",
        rng.choice(PEOPLE),
        *_address(rng),
        "",
        "# INVOICE",
        f"Invoice number  {number}",
        f"Invoice date  {_date(rng)}",
        "",
        columns,
    ]
    if rng.random() < 0.5:
        return [page(*first, *_rows(rng, 6), *end)]
    middle = rng.choice(
        ([], [f"Invoice number  {number}"], [f"# {firm}", "# INVOICE", f"Invoice number  {number}"])
    )
    return [page(*first, *_rows(rng, 20)), page(*middle, columns, *_rows(rng, 7), *end)]


def contract(rng: Random) -> list[Page]:
    one, other = rng.sample(FIRMS, 2)
    first = [
        "# SERVICE AGREEMENT",
        "",
        f"by and between {one}, hereinafter the Provider,",
        f"and {other}, hereinafter the Client.",
        "",
        "1. Subject",
        *rng.sample(PROSE, 4),
    ]
    more = [
        [f"{number}. {title}", *rng.sample(PROSE, 5)]
        for number, title in ((2, "Fees and invoices"), (3, "Orders and delivery"))
    ]
    end = ["4. Governing law", *rng.sample(PROSE, 2), "", f"{one}  {other}"]
    return [page(*text) for text in [first, *more[: rng.randint(0, 2)], end]]


def delivery_note(rng: Random) -> list[Page]:
    return [
        page(
            f"# {rng.choice(FIRMS)}",
            *_address(rng),
            "",
            rng.choice(("# Delivery note", "PACKING SLIP")),
            "",
            f"Delivery note number  {rng.randint(10000, 99999)}",
            "",
            "Description  Quantity",
            *[f"{name}  {rng.randint(1, 9)}" for name in rng.sample(GOODS, 5)],
            "",
            "Goods received in good condition",
        )
    ]


def short_letter(rng: Random) -> list[Page]:
    one, other = (name.split()[0] for name in rng.sample(PEOPLE, 2))
    ends = ("Love", "With best wishes", "Yours sincerely", "Best regards")
    return [page(_date(rng), f"Dear {one},", *rng.sample(PROSE, 3), rng.choice(ends), other)]


def short_receipt(rng: Random) -> list[Page]:
    rows = [f"{name}  {rng.randint(1, 30)}.20" for name in rng.sample(GOODS, 2)]
    return [
        page(
            rng.choice(FIRMS),
            _date(rng),
            *rows,
            f"Total  {rng.randint(8, 60)}.40",
            "Cash  60.40",
            "Change  0.00",
        )
    ]


def short_order(rng: Random) -> list[Page]:
    title = rng.choice(("Purchase Order", "Order", f"Purchase order {rng.randint(1000, 9999)}"))
    return [page(title, rng.choice(FIRMS), f"Ship to  {rng.choice(TOWNS)}", *_rows(rng, 3), "Total  812.00")]


def _sample(id: str) -> Kind:
    def pages(rng: Random) -> list[Page]:
        return list(sample_pages(id))

    pages.__name__ = id
    return pages


@cache
def sample_pages(id: str) -> tuple[Page, ...]:
    """Return the pages of a sample document; narrow ones are on sheets of the common size."""
    (draft,) = (draft for draft in drafts() if draft.id == id)
    found = read(draft.render(), draft.file).pages
    return tuple(page if page.width > 400 else _on_sheet(page) for page in found)


def _on_sheet(page: Page) -> Page:
    """Return a till receipt as it looks when it is scanned on a sheet."""
    across, down = page.width / WIDTH, min(1.0, page.height / HEIGHT)

    def moved(box: Box) -> Box:
        return Box(
            0.3 + box.left * across,
            0.02 + box.top * down * 0.96,
            box.width * across,
            box.height * down * 0.96,
        )

    words = [replace(word, box=moved(word.box)) for line in page.lines for word in line.words]
    return Page(page.number, WIDTH, HEIGHT, build_lines(words, WIDTH, HEIGHT, ()))


MADE = (
    letter,
    company_letter,
    receipt,
    order,
    statement,
    invoice,
    contract,
    delivery_note,
    short_letter,
    short_receipt,
    short_order,
)
SAMPLES = tuple(_sample(draft.id) for draft in drafts() if draft.kind == "digital")


def batch(seed: int) -> Batch:
    """Return three to seven documents as one file."""
    rng = Random(seed)
    chosen: list[Kind] = []
    for _ in range(rng.randint(3, 7)):
        # A sample is always the same document, which can't be told from itself.
        chosen.append(rng.choice([*MADE, *MADE, *(kind for kind in SAMPLES if kind not in chosen)]))
    return joined(chosen, rng)


def joined(kinds: Sequence[Kind], rng: Random) -> Batch:
    """Return a document of each of ``kinds`` as one file."""
    pages: list[Page] = []
    starts = []
    for kind in kinds:
        starts.append(len(pages) + 1)
        pages += kind(rng)
    numbered = [replace(page, number=number) for number, page in enumerate(pages, 1)]
    names = tuple(kind.__name__ for kind in kinds)
    return Batch(Document("application/pdf", numbered, len(numbered)), tuple(starts), names)


def score(found: Sequence[tuple[set[int], set[int]]]) -> tuple[float, float]:
    """Return precision and recall of the boundaries, from pairs of those found and those meant."""
    right = sum(len(one & meant) for one, meant in found)
    return right / max(1, sum(len(one) for one, _ in found)), right / max(
        1, sum(len(meant) for _, meant in found)
    )

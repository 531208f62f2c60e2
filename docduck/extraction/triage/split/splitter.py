"""The modes of splitting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docduck.documents.document import Document
from docduck.documents.page_ranges import parse_item
from docduck.errors import InputError
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.triage.split.boundaries import Boundary, boundaries
from docduck.extraction.triage.split.keys import key_field, key_of_page
from docduck.extraction.triage.split.model_opinion import ask_model, needs_opinion, without_model
from docduck.extraction.triage.split.parts import Part, Split, SplitOptions

_NEEDS_MODEL = "The instructions need a language model"


def split(
    document: Document, options: SplitOptions | None = None, model_context: ModelContext | None = None
) -> Split:
    """Return where a file divides; ``model_context`` is for the language model of ``options``.

    Raise InputError when the mode's option is missing or wrong.
    """
    options = options or SplitOptions()
    match options.mode:
        case "everyXPages":
            return _every(document, options.every_x_pages)
        case "pageRanges":
            return _ranges(document, options.page_ranges)
        case "partitionKey":
            return _by_key(document, options)
        case "ai":
            return _by_look(document, options, model_context or ModelContext())


def _every(document: Document, size: int | None) -> Split:
    if size is None or size < 1:
        raise InputError("splitDocuments.everyXPages must be at least 1", "splitDocuments.everyXPages")
    numbers = range(1, document.page_count + 1)
    chunks = [tuple(numbers[at : at + size]) for at in range(0, len(numbers), size)]
    return Split(tuple(Part(chunk, f"Every {size} pages") for chunk in chunks))


def _ranges(document: Document, expression: str) -> Split:
    items = [item.strip() for item in expression.split(",")]
    if not any(items):
        raise InputError("splitDocuments.pageRanges names no pages", "splitDocuments.pageRanges")
    parts, warnings = [], []
    for item in items:
        try:
            pages = parse_item(item).select(document.page_count)
        except InputError as error:
            raise InputError(
                f"splitDocuments.pageRanges: {error.message}", "splitDocuments.pageRanges"
            ) from error
        if pages:
            parts.append(Part(tuple(pages), f"Pages {item}"))
        else:
            warnings.append(f"There are no pages {item}; the file has {document.page_count}")
    taken = {page for part in parts for page in part.pages}
    left = tuple(page for page in range(1, document.page_count + 1) if page not in taken)
    return Split(tuple(parts), left, tuple(warnings))


def _by_key(document: Document, options: SplitOptions) -> Split:
    """Begin a part at each page whose key differs from the one before; pages without a key join the part."""
    field, column = key_field(options)
    parts: list[Part] = []
    for page in document.pages:
        key, sure = key_of_page(document, page, field, column, options.locale)
        current = parts[-1].key if parts else None
        if not parts or (key is not None and current is not None and key != current):
            parts.append(Part((page.number,), "", sure, key))
        else:
            parts[-1] = replace(parts[-1].plus(page.number, sure), key=key if current is None else current)
    name = options.partition_key
    return Split(
        tuple(
            replace(part, reason=f"No page shows {name}" if part.key is None else f"{name} is {part.key}")
            for part in parts
        )
    )


def _by_look(document: Document, options: SplitOptions, model_context: ModelContext) -> Split:
    if not document.pages:
        return Split(())
    page_boundaries = boundaries(document.pages)
    warnings: tuple[str, ...] = ()
    usage = None
    is_unsure = len(document.pages) > 1 and needs_opinion(page_boundaries, options.instructions)
    why_not = options.no_model or (options.instructions and _NEEDS_MODEL)
    if is_unsure and options.model is not None:
        said = ask_model(document, options, model_context)
        usage, warnings = said.usage, said.warnings
        page_boundaries = said.weighed(page_boundaries)
    elif is_unsure and why_not:
        warnings = (without_model(why_not),)
    return replace(_cut(document, page_boundaries), warnings=warnings, usage=usage)


def _cut(document: Document, boundaries: Sequence[Boundary]) -> Split:
    """Return parts from what speaks for a boundary before each page but the first."""
    first, *others = document.pages
    parts = [Part((first.number,), "The file begins")]
    for page, boundary in zip(others, boundaries, strict=True):
        sure = boundary.probability
        if boundary.is_one:
            parts[-1] = replace(parts[-1], confidence=min(parts[-1].confidence, sure))
            parts.append(Part((page.number,), boundary.reason, sure))
        else:
            parts[-1] = parts[-1].plus(page.number, 1 - sure)
    return Split(tuple(replace(part, confidence=round(part.confidence, 4)) for part in parts))

"""Templates of document names, such as ``Invoice {Invoice Number}`` (``documentNameTemplate``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from docduck.extraction.values import typed_values
from docduck.files.names import clean_name

LONGEST_NAME = 255
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def placeholders(template: str) -> list[str]:
    """Return the names between braces."""
    return [name.strip() for name in _PLACEHOLDER.findall(template)]


def is_template(text: str) -> bool:
    """Return whether every brace in ``text`` encloses a name."""
    return not re.search("[{}]", _PLACEHOLDER.sub("", text)) and all(placeholders(text))


def with_placeholders(template: str, replace: Callable[[str], str]) -> str:
    """Return the template with the names between braces replaced."""
    return _PLACEHOLDER.sub(lambda match: f"{{{replace(match[1])}}}", template)


def document_name(template: str, data: Mapping[str, Any]) -> str | None:
    """Return the name made from values by field name; None if a value is missing.

    Path separators become dashes, control characters become spaces; long names are cut.
    """
    texts = {name.strip().casefold(): _text(value) for name, value in data.items()}
    values = [texts.get(name.casefold()) for name in placeholders(template)]
    if not all(values):
        return None
    made = _PLACEHOLDER.sub(lambda match: str(texts[match[1].strip().casefold()]), template)
    name = clean_name(re.sub(r"[/\\]", "-", made))[:LONGEST_NAME].strip()
    return name if name.strip(".") else None


def _text(value: Any) -> str:
    return " ".join((typed_values.text_of(value) or "").split())

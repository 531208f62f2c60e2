"""Unique, clean names for suggested fields."""

from __future__ import annotations

from docduck.extraction.normal_text import key, squeeze

_EDGES = " \t:;*•·-–—_.,=()[]|/"
_LONGEST = 60
_LONGEST_ACRONYM = 4


def cleaned(label: str) -> str:
    """Return a printed label as a name: without punctuation at its ends and not in capitals."""
    text = squeeze(label).lstrip(_EDGES).rstrip(_EDGES + "#")[:_LONGEST].strip()
    return text.title() if text.isupper() and len(text) > _LONGEST_ACRONYM else text


class Names:
    """Hands out unique names; two spellings of a name are one name."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def is_free(self, name: str) -> bool:
        """Whether ``name`` is one and not taken."""
        return bool(key(name)) and key(name) not in self._taken

    def take(self, name: str) -> str:
        """Return ``name``, or it with a number if it is taken."""
        fresh, number = name, 2
        while not self.is_free(fresh):
            fresh, number = f"{name or 'Field'} {number}", number + 1
        self._taken.add(key(fresh))
        return fresh

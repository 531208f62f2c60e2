"""Comparing the name of a field with a printed label by what both mean, across languages.

A text is read as atoms of the thesaurus, in one or more ways: "Förfallodatum" is *due* and *date*, "Von" may
be the beginning of a period or a sender. Two texts are as alike as the closest of their readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial
from itertools import islice, product
from math import fsum

from rapidfuzz import fuzz

from docduck.extraction.lexicon.thesaurus import Reading, thesaurus
from docduck.extraction.normal_text import acronyms, fold, key

_IMPLIED, _GENERIC, _COMMON, _SPECIFIC = 0.1, 0.3, 0.6, 1.0
"""What an atom counts: one that the field's type says, *date* or *number*, *total* or *invoice*, others."""
_RELATED = 0.7
"""What two atoms share that are near to each other, as *supplier* and *seller*."""
_CLASH = 0.35
"""The factor for texts that ask for different kinds of values: an invoice's number and its date."""
_LIMITS = frozenset({"begin", "end"})
"""Atoms that ask for a date, even of a period."""
_COMPANY = frozenset({"company"})
_NAMES = _COMPANY | {"name", "person"}
_WHOSE = frozenset({"contact", "customer", "person", "number", "our", "your"})
"""Atoms that say whose a phone number is, or that it is a number."""
_SENT = frozenset({"sent"})
"""What is printed beside the date of a message, though a field may ask for it besides another date."""
_NOTHING: frozenset[str] = frozenset()
_SPELLED_ALIKE, _SHARED_LETTERS = 88, 4
_LONGEST_PHRASE, _MOST_READINGS, _SHORTEST_PART, _SHORTEST_TAIL = 5, 24, 3, 2
_UNKNOWN = "?"
"""The first character of a word that the thesaurus doesn't have, among the atoms of a reading."""

_CAMEL = re.compile(r"(?<=[a-z]{3})(?=[A-Z])")
_WORD = re.compile(r"[a-z#%]+|[0-9]+[a-z]*")


@lru_cache(maxsize=16384)
def meanings_of(text: str) -> frozenset[str]:
    """Return the keys of all atoms that a label or a field's name may mean."""
    return frozenset(atom for reading in _readings(text) for atom in reading if not atom.startswith(_UNKNOWN))


@lru_cache(maxsize=16384)
def share_known(text: str) -> float:
    """Return the share of what a text says that the thesaurus has, 0–1, in the reading that it knows best."""
    shares = (
        sum(not atom.startswith(_UNKNOWN) for atom in reading) / len(reading)
        for reading in _readings(text)
        if reading
    )
    return max(shares, default=0.0)


@lru_cache(maxsize=65536)
def likeness(name: str, label: str, implied: frozenset[str] = _NOTHING) -> float:
    """Return how much a printed label says what a field's name asks for, 0–1.

    It is the share of the atoms of both that they have in common, each with its weight, in the closest
    readings; 0 if these are opposites. The type of the field says the atoms ``implied``, which count little.
    """
    if key(name) == key(label):
        return 1.0 if key(name) else 0.0
    first, second = sorted((name, label))
    pairs = [_alike(a, b, implied) for a in _readings(first) for b in _readings(second)]
    score, agree = max(pairs, default=(0.0, False))
    return score if agree else 0.0


@lru_cache(maxsize=65536)
def left_out(name: str, label: str, implied: frozenset[str] = _NOTHING) -> frozenset[str] | None:
    """Return the atoms of a field's name that a label leaves out, None if the label says anything else.

    It is *invoice* of "Invoice date" and "Date", and nothing of "Kunde" and "Customer". A label may also say
    atoms ``implied`` by the type of the field.
    """
    readings = product(_readings(name), _readings(label))
    rests = [rest for a, b in readings if (rest := _rest(a, b, implied)) is not None]
    return min(rests, key=lambda rest: (fsum(map(_weight, rest)), sorted(rest)), default=None)


@lru_cache(maxsize=65536)
def disagree(name: str, label: str, *, related: bool = True) -> bool:
    """Return whether a name and a label each say something that the other doesn't, however they are read.

    With ``related``, words of related meanings don't disagree.
    """
    pairs = [(_specific(a), _specific(b)) for a, b in product(_readings(name), _readings(label))]
    return bool(pairs) and all(
        a and b and not any(text == other or (related and _near(text, other)) for text in a for other in b)
        for a, b in pairs
    )


def _specific(reading: Reading) -> Reading:
    return frozenset(text for text in reading if not text.startswith(_UNKNOWN) and _weight(text) == _SPECIFIC)


def may_mean(text: str, atoms: frozenset[str]) -> bool:
    """Return whether a text can mean one of ``atoms`` and, besides, only that it is somebody's name."""
    return any(reading & atoms and reading - atoms <= _NAMES for reading in _readings(text))


def says_made(text: str) -> bool:
    """Return whether a text can say just that something is a document or was made: "signed", "order"."""
    readings = _readings(text)
    return not readings or any(are_made(reading - _SENT) for reading in readings)


@lru_cache(maxsize=16384)
def names_document(word: str) -> bool:
    """Return whether a word, or a compound of words, names a kind of document: "Leiekontrakt".

    However it is read, and without inflection, as "Certas" is a name; short words are too often names.
    """
    form = fold(word)
    if len(form) <= _SHARED_LETTERS or not (_known([form]) or _parts(form)):
        return False
    return all(reading & thesaurus().documents for reading in _readings(word))


def may_ask_for_name(text: str) -> bool:
    """Return whether a text can ask for somebody's name: "Driver", but no "Driver no."."""
    return any(_kinds(reading) == {"name"} for reading in _readings(text))


def asks_for_name(text: str) -> bool:
    """Return whether a text asks for somebody's name, whatever its words mean."""
    kinds = [_kinds(reading) for reading in _readings(text)]
    return bool(kinds) and all(texts == {"name"} for texts in kinds)


@lru_cache(maxsize=16384)
def asks_for_number(text: str) -> bool:
    """Return whether a text asks for a number or code that identifies something, whatever its words mean.

    It may be that of a company.
    """
    kinds = [_kinds(reading - _COMPANY) for reading in _readings(text)]
    return bool(kinds) and all(texts == {"identifier"} for texts in kinds)


def contact_asked(text: str) -> str | None:
    """Return the atom of contacts that a text asks for, besides whose it is: *phone*, *email*."""
    known = [reading for reading in _readings(text) if not any(atom.startswith(_UNKNOWN) for atom in reading)]
    contacts = [reading - _WHOSE for reading in known]
    same = bool(contacts) and all(len(contact) == 1 and contact == contacts[0] for contact in contacts)
    atom = next(iter(contacts[0])) if same else ""
    return atom if thesaurus().kinds.get(atom) == "contact" else None


def may_ask_for_number(text: str) -> bool:
    """Return whether a text can ask for a number or code that identifies something."""
    return any("identifier" in _kinds(reading) for reading in _readings(text))


def are_made(atoms: frozenset[str]) -> bool:
    """Return whether atoms say just that something is a document or was made."""
    return atoms <= thesaurus().made


def is_generic(atoms: frozenset[str]) -> bool:
    """Return whether atoms say little more than what kind of value is meant."""
    return atoms <= thesaurus().generic


def _rest(whole: Reading, part: Reading, implied: frozenset[str]) -> frozenset[str] | None:
    kinds = _kinds(whole | implied), _kinds(part)
    if not part or (kinds[1] and kinds[0].isdisjoint(kinds[1])):
        return None
    rest = set(whole)
    part = part - (implied - whole)
    for atom in sorted(part, key=lambda text: text not in whole):
        held = atom if atom in rest else next((limit for limit in _LIMITS & rest if _near(atom, limit)), None)
        if held is None:
            return None
        rest.remove(held)
    return frozenset(rest)


def _alike(reading: Reading, other: Reading, implied: frozenset[str]) -> tuple[float, bool]:
    """Return how alike two readings are, with opposites as if they were equal, and whether there are none.

    ``fsum`` is exact: the sum of a set must not depend on the order of its items, which differs by process.
    """
    if _reach(reading).isdisjoint(_reach(other)):
        return 0.0, True
    words, weight = thesaurus(), partial(_weight, implied=implied)
    shared, agree = fsum(map(weight, reading & other)), True
    left = sorted(other - reading)
    for atom in sorted(reading - other):
        against = words.opposites.get(atom, frozenset())
        opposite = next((b for b in left if b in against and other.isdisjoint(words.opposites[b])), None)
        if not reading.isdisjoint(against):
            opposite = None
        near = opposite or next((b for b in left if _near(atom, b)), None)
        if near is not None:
            left.remove(near)
            shared += (1.0 if opposite else _RELATED) * min(weight(atom), weight(near))
            agree = agree and not opposite
    score = shared / (fsum(map(weight, reading)) + fsum(map(weight, other)) - shared)
    kinds = _kinds(reading), _kinds(other)
    clash = kinds[0] and kinds[1] and kinds[0].isdisjoint(kinds[1])
    return score * _CLASH if clash else score, agree


@lru_cache(maxsize=16384)
def _reach(reading: Reading) -> frozenset[str]:
    """Return all atoms that may match one of a reading; unknown words may match each other."""
    links = (thesaurus().related, thesaurus().opposites)
    near = (link.get(atom, ()) for atom in reading for link in links)
    unknown = {_UNKNOWN} if any(atom.startswith(_UNKNOWN) for atom in reading) else ()
    return reading.union(unknown, *near)


@lru_cache(maxsize=16384)
def _kinds(reading: Reading) -> frozenset[str]:
    """Return the kinds of values that a reading may ask for, by its generic atoms if it has any."""
    words = thesaurus()
    heads = reading & words.generic
    if heads:
        kinds = frozenset(words.kinds.get(atom, atom) for atom in heads)
        return kinds if _LIMITS.isdisjoint(reading) else kinds | {"date"}
    return frozenset(words.kinds[atom] for atom in reading if atom in words.kinds)


def _weight(atom: str, implied: frozenset[str] = _NOTHING) -> float:
    words = thesaurus()
    if atom in implied:
        return _IMPLIED
    return _GENERIC if atom in words.generic else _COMMON if atom in words.common else _SPECIFIC


def _near(text: str, other: str) -> bool:
    if not text.startswith(_UNKNOWN) or not other.startswith(_UNKNOWN):
        return other in thesaurus().related.get(text, ())
    short, long = sorted((text[1:], other[1:]), key=len)
    return (len(short) >= _SHARED_LETTERS and long.startswith(short)) or (
        fuzz.ratio(short, long) >= _SPELLED_ALIKE
    )


@lru_cache(maxsize=16384)
def _readings(text: str) -> tuple[Reading, ...]:
    """Return the ways to read a text, each as its atoms and its unknown words."""
    words = _WORD.findall(fold(_CAMEL.sub(" ", text)))
    idle = thesaurus().idle - _acronyms(text)
    if idle.issuperset(words):
        return thesaurus().readings.get("".join(words), ())
    return _together(_phrases(words, idle))


def _acronyms(text: str) -> frozenset[str]:
    """Return the known words in capitals of a text that has others: "EIN" of "Operator EIN", no article."""
    if text.isupper():
        return _NOTHING
    return frozenset(map(fold, acronyms(text))) & thesaurus().readings.keys()


def _phrases(words: list[str], idle: frozenset[str]) -> Iterable[tuple[Reading, ...]]:
    """Yield what each phrase or word may mean, the longest phrases that are known first."""
    at = 0
    while at < len(words):
        end = next(
            (n for n in range(min(len(words), at + _LONGEST_PHRASE), at + 1, -1) if _known(words[at:n])),
            at + 1,
        )
        apart = [some for word in words[at:end] if word not in idle for some in _word(word)]
        if end == at + 1:
            yield from apart
        elif idle.isdisjoint(words[at:end]):
            yield tuple(dict.fromkeys((*_known(words[at:end]), *_together(apart))))
        else:
            yield _known(words[at:end])
        at = end


def _known(words: list[str]) -> tuple[Reading, ...]:
    return thesaurus().readings.get("".join(words), ())


def _together(parts: Iterable[tuple[Reading, ...]]) -> tuple[Reading, ...]:
    """Return the readings of a text from those of its parts."""
    ways = islice(product(*parts), _MOST_READINGS)
    return tuple(dict.fromkeys(reading for way in ways if (reading := frozenset[str]().union(*way))))


@lru_cache(maxsize=16384)
def _word(word: str) -> tuple[tuple[Reading, ...], ...]:
    """Return what a word may mean: several readings of each of its parts if it is a compound."""
    known = _known([word])
    if known:
        parts = _parts(word)
        headed = parts and any(reading <= thesaurus().generic for reading in _known([parts[-1]]))
        apart = _together(_known([part]) for part in parts) if headed else ()
        return (tuple(dict.fromkeys((*known, *apart))),)
    inflected = _inflected(word)
    if inflected:
        return (inflected,)
    parts = _parts(word)
    if parts:
        return tuple(thesaurus().readings[part] for part in parts)
    if len(word) < _SHORTEST_PART or word.isdigit():
        return ()
    for cut in range(_SHARED_LETTERS, len(word) - _SHARED_LETTERS + 1):
        tail = word[cut:]
        known = thesaurus().readings.get(tail, ()) if tail in thesaurus().parts else ()
        if any(reading <= thesaurus().generic for reading in known):
            return ((frozenset({_UNKNOWN + word[:cut]}),), known)
    return ((frozenset({_UNKNOWN + word}),),)


def _inflected(word: str) -> tuple[Reading, ...]:
    """Return the readings of the known word that differs from ``word`` by its ending alone.

    It is the one that shares most letters with it, and the shortest of these.
    """
    words = thesaurus()
    for cut in range(len(word), _SHARED_LETTERS - 1, -1):
        stem, ending = word[:cut], word[cut:]
        if ending not in words.endings:
            continue
        for other in words.endings:
            if cut == _SHARED_LETTERS and ending and other:
                continue
            readings = words.readings.get(stem + other)
            if readings:
                return readings
    return ()


@lru_cache(maxsize=16384)
def _parts(word: str) -> tuple[str, ...]:
    """Return the known words that make up a compound, as few as possible; none if they don't."""
    words, links = thesaurus().parts, thesaurus().links
    best: tuple[str, ...] = ()
    for end in range(len(word) - 2, _SHORTEST_PART - 1, -1):
        if word[:end] not in words:
            continue
        for link in links:
            rest = word[end + len(link) :]
            if not word.startswith(link, end) or len(rest) < _SHORTEST_TAIL:
                continue
            tail = (rest,) if rest in words else _parts(rest)
            if tail and _compound(word[:end], tail[0]) and (not best or 1 + len(tail) < len(best)):
                best = (word[:end], *tail)
    return best


def _compound(head: str, tail: str) -> bool:
    """Return whether two words can be parts of a compound: long ones, or those of one language."""
    words = thesaurus().parts
    return min(len(head), len(tail)) >= _SHARED_LETTERS or not words[head].isdisjoint(words[tail])

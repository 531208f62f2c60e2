"""Which of the given options a document means: by its title, by a ticked box, or by words it prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from docduck.extraction.confidence import probability
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.check_boxes import CheckBox, find_check_boxes
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.page.page_view import PageView, Row, Segment, Token, locations
from docduck.extraction.result import Finding
from docduck.extraction.values.choices import best_option, option_synonyms, parse_boolean

_TITLE_WORDS = 9
"""Words in a title at most."""
_TITLE_PLACE = 0.4
"""The part of the first page, from its top, where titles stand."""
_LARGE = 1.15
"""From this multiple of the usual height on, words are a heading wherever they stand."""
_SHORTEST = 3
"""Letters an option must have to be looked for in titles."""
_ACCEPTED = 0.45


def find_choice(
    scan: DocumentAnalysis, target: FieldTarget, beside: Callable[[FieldTarget], Finding | None]
) -> Finding | None:
    """The option that a document means, None if it tells none; ``beside`` reads the text beside a label."""
    boxed = _boxed(scan, target)
    if len(boxed) > 1:
        return _ticked(boxed)
    return _ticked(boxed) or beside(target) or _titled(scan, target) or _printed(scan, target)


def _boxed(scan: DocumentAnalysis, target: FieldTarget) -> dict[str, CheckBox]:
    """The options that have a box of their own, with the ticked one if there are several."""
    found: dict[str, CheckBox] = {}
    for box in scan.boxes:
        for words in (box.after, box.before):
            named = best_option(" ".join(t.text for t in words), target.field.options) if words else None
            if named is not None:
                if named[0] not in found or box.ticked:
                    found[named[0]] = box
                break
    return found


def _ticked(boxed: Mapping[str, CheckBox]) -> Finding | None:
    """The option whose box is ticked; only where exactly one is."""
    hits = [(option, box) for option, box in boxed.items() if box.ticked]
    if len(hits) != 1:
        return None
    ((option, box),) = hits
    words = [*box.tokens, *(box.after or box.before)]
    return Finding(option, 0.93, locations(words), " ".join(t.text for t in words))


def _titled(scan: DocumentAnalysis, target: FieldTarget) -> Finding | None:
    """The option that the document's title names, in its own words or in other words for the same thing."""
    scores: dict[str, tuple[float, Segment]] = {}
    for page in scan.view.pages[:1]:
        for segment in page.segments:
            weight = _as_title(segment, page)
            if not weight:
                continue
            words = [key(word) for token in segment.tokens for word in words_of(token.text)]
            for option in target.field.options:
                score = weight * _named(option, tuple(words))
                if score > scores.get(option, (0.0, segment))[0]:
                    scores[option] = (score, segment)
    if not scores:
        return None
    option = max(scores, key=lambda one: scores[one][0])
    score, segment = scores[option]
    if score < _ACCEPTED:
        return None
    runner_up = max((s for one, (s, _) in scores.items() if one != option), default=0.0)
    ocr = min(token.score for token in segment.tokens)
    return Finding(option, probability(score, runner_up, ocr=ocr), locations(segment.tokens), segment.text)


def _as_title(segment: Segment, page: PageView) -> float:
    """How much a segment looks like a title, 0–1."""
    count = len(segment.tokens)
    large = segment.height > _LARGE * page.line_height
    high = segment.top < _TITLE_PLACE * page.height
    if count > _TITLE_WORDS or not (large or high):
        return 0.0
    place = 1.0 - 0.35 * segment.top / page.height
    sentence = segment.text.endswith((".", ",", ";"))
    lower = segment.text[:1].islower()
    return place * (1.0 if large else 0.9) * (0.6 if sentence or lower else 1.0)


@lru_cache(maxsize=4096)
def _named(option: str, words: tuple[str, ...]) -> float:
    """How much of a title is an option's name, 0–1: all its words, in order, among few others."""
    best = 0.0
    for meaning in option_synonyms(option):
        wanted = [w for part in words_of(meaning) if (w := key(part))]
        whole = "".join(wanted)
        if len(whole) < _SHORTEST:
            continue
        for start in range(len(words)):
            joined = ""
            for end in range(start, len(words)):
                joined += words[end]
                if joined == whole:
                    others = len(words) - (end + 1 - start)
                    best = max(best, 1.0 - 0.06 * others)
                if len(joined) >= len(whole):
                    break
    return best


def _printed(scan: DocumentAnalysis, target: FieldTarget) -> Finding | None:
    """An option that is printed as a segment of its own, the one nearest to the top."""
    wanted = {key(m): o for o in target.field.options for m in option_synonyms(o) if len(key(m)) > 2}
    for segment in scan.segments:
        option = wanted.get(segment.key)
        if option is not None:
            return Finding(option, 0.5, locations(segment.tokens), segment.text)
    return None


def find_boolean(scan: DocumentAnalysis, target: FieldTarget) -> Finding | None:
    """What the boxes beside or below the field's label say: a box of its own, or one each for yes and no."""
    for page, occurrences in enumerate(scan.occurrences):
        view = scan.view.pages[page]
        for label in occurrences:
            if not target.weight(label.form):
                continue
            rows = view.rows[label.segment.row : label.segment.row + 2]
            for row in rows:
                found = _of_row(row, label.tokens, view)
                if found is not None:
                    return found
    return None


def _of_row(row: Row, label: Sequence[Token], page: PageView) -> Finding | None:
    marks = find_check_boxes(row, page)
    own = label[0].segment.row == row.index
    for box in marks:
        for words in (box.after, box.before):
            said = parse_boolean(words[0 if words is box.after else -1].text) if words else None
            if said is not None and box.ticked and (box.tokens[0].left > label[0].left or not own):
                tokens = [*box.tokens, *words[:1]]
                return Finding(said, 0.93, locations(tokens), " ".join(t.text for t in tokens))
    if not own:
        return None
    for box in marks:
        if _adjoin(box, label):
            return Finding(box.ticked, 0.88, locations(box.tokens), " ".join(t.text for t in box.tokens))
    return None


def _adjoin(box: CheckBox, label: Sequence[Token]) -> bool:
    """Whether a box stands directly before or after a label."""
    inner = {id(token) for token in label}
    return any(id(token) in inner for token in (*box.after[:1], *box.before[-1:]))

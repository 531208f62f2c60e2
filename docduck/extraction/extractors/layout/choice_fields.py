"""Choice fields: the option that a title, a ticked box or a printed word selects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from docduck.extraction.confidence import Evidence
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.check_boxes import CheckBox, find_check_boxes
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import likeness
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.page.page_view import PageView, Segment, Token, locations, ocr_score, text_of
from docduck.extraction.result import Finding
from docduck.extraction.values.choices import best_option, option_synonyms

_TITLE_WORDS = 9
"""Maximum number of words in a title."""
_TITLE_AREA = 0.4
"""Titles are within this share of the first page's height, from the top."""
_LARGE = 1.15
"""Multiple of the line height from which words are a heading anywhere on the page."""
_MIN_LETTERS = 3
"""Minimum number of letters of an option that is searched for in titles."""
_ENDING = 3
"""Maximum number of letters of an option's ending."""
_ROWS_ABOVE = 40
"""Rows above a question in which the heads of its options are looked for."""
_COLUMN = 2.0
"""Distance, in line heights, between the middle of a mark and that of its option's head."""
_HIDDEN = 0.75
"""Confidence of an option that is ticked because all others are not."""
_ACCEPTED = 0.45
_TITLED = 0.93
"""Confidence of the only option that a title names."""
_PRINTED = 0.5
"""Confidence of an option that is printed as a segment, or after the field's name."""
_NAMED = 0.45
"""Likeness from which the words before an option name its field."""


def marked_option(analysis: DocumentAnalysis, target: FieldQuery) -> tuple[Finding | None, bool]:
    """Return the option that a mark selects, or that is left where all others have empty boxes.

    And whether the document prints boxes for several options, so that marks alone select.
    """
    grid = _marks_by_column(analysis, target)
    if grid is not None:
        return _from_columns(*grid), True
    boxes = _find_boxes(analysis, target)
    return _without_box(boxes, target) or _from_ticked_box(boxes), len(boxes) > 1


def printed_option(analysis: DocumentAnalysis, target: FieldQuery) -> Finding | None:
    """Return the option that the title or a text of its own names, or the only one that is printed."""
    return _from_title(analysis, target) or _from_segment(analysis, target) or _only_printed(analysis, target)


def _from_columns(
    label: LabelMatch, heads: Mapping[str, Segment], marked: Mapping[str, CheckBox]
) -> Finding | None:
    """Return the option whose column is ticked in the row of the field's label.

    Where all other options have empty boxes and one has none that was read, its mark hides the box.
    """
    ticked = [option for option, box in marked.items() if box.ticked]
    if len(ticked) == 1:
        tokens = marked[ticked[0]].tokens
        return Finding(ticked[0], 0.93, locations(tokens), text_of(tokens))
    if not ticked and len(marked) == len(heads) - 1:
        (option,) = heads.keys() - marked.keys()
        return Finding(option, _HIDDEN, locations(label.tokens), text_of(heads[option].tokens))
    return None


def _marks_by_column(
    analysis: DocumentAnalysis, target: FieldQuery
) -> tuple[LabelMatch, dict[str, Segment], dict[str, CheckBox]] | None:
    """Return a label of the field below a row of its options, that row, and the marks beside the label."""
    for label in analysis.labels:
        view = label.segment.page
        heads = _option_heads(view, label.segment, target) if target.weight(label.form) else {}
        if len(heads) < 2:
            continue
        marked: dict[str, CheckBox] = {}
        for box in find_check_boxes(view.rows[label.segment.row]):
            middle = (box.tokens[0].left + box.tokens[-1].right) / 2
            option = min(heads, key=lambda head: abs(heads[head].centre - middle))
            if abs(heads[option].centre - middle) < _COLUMN * view.line_height and middle > label.right:
                marked[option] = box
        if marked:
            return label, heads, marked
    return None


def _option_heads(page: PageView, label: Segment, target: FieldQuery) -> dict[str, Segment]:
    """Return the nearest row of options above a label and right of it, by option."""
    options = {key(m): o for o in target.field.options for m in option_synonyms(o)}
    for row in reversed(page.rows[max(label.row - _ROWS_ABOVE, 0) : label.row]):
        heads = {options[s.key]: s for s in row.segments if s.key in options and s.left > label.left}
        if len(heads) > 1:
            return heads
    return {}


def _without_box(boxes: Mapping[str, CheckBox], target: FieldQuery) -> Finding | None:
    """Return the one option that is printed in the row of the others' empty boxes and has none."""
    missing = [option for option in target.field.options if option not in boxes]
    if not boxes or len(missing) != 1 or any(box.ticked for box in boxes.values()):
        return None
    forms = {key(meaning) for meaning in option_synonyms(missing[0])}
    segment = next(iter(boxes.values())).tokens[0].segment
    printed = [s for s in segment.page.rows[segment.row].segments if s.key in forms]
    if len(printed) != 1:
        return None
    return Finding(missing[0], _HIDDEN, locations(printed[0].tokens), printed[0].text)


def _find_boxes(analysis: DocumentAnalysis, target: FieldQuery) -> dict[str, CheckBox]:
    """Return the options that have a box, the ticked box if an option has several."""
    boxes: dict[str, CheckBox] = {}
    for box in analysis.boxes:
        for words in (box.after, box.before):
            named = best_option(text_of(words), target.field.options) if words else None
            if named is not None:
                if named[0] not in boxes or box.ticked:
                    boxes[named[0]] = box
                break
    return boxes


def _from_ticked_box(boxes: Mapping[str, CheckBox]) -> Finding | None:
    """Return the option whose box is ticked, None unless exactly one is."""
    hits = [(option, box) for option, box in boxes.items() if box.ticked]
    if len(hits) != 1:
        return None
    ((option, box),) = hits
    words = [*box.tokens, *(box.after or box.before)]
    return Finding(option, 0.93, locations(words), text_of(words))


def _from_title(analysis: DocumentAnalysis, target: FieldQuery) -> Finding | None:
    """Return the option that the document's title names, literally or by a synonym."""
    scores: dict[str, tuple[float, Segment]] = {}
    for page in analysis.view.pages[:1]:
        for segment in page.segments:
            weight = _title_weight(segment, page)
            if not weight:
                continue
            words = [key(word) for token in segment.tokens for word in words_of(token.text)]
            for option in target.field.options:
                score = weight * _title_share(option, tuple(words))
                if score > scores.get(option, (0.0, segment))[0]:
                    scores[option] = (score, segment)
    accepted = {option: score for option, score in scores.items() if score[0] >= _ACCEPTED}
    if not accepted:
        return None
    option = max(accepted, key=lambda text: accepted[text][0])
    score, segment = accepted[option]
    ocr = ocr_score(segment.tokens)
    if len(accepted) == 1:
        return Finding(option, _TITLED * ocr, locations(segment.tokens), segment.text)
    evidence = Evidence("text", score, ocr=ocr, labelled=False)
    return evidence.finding(option, locations(segment.tokens), segment.text)


def _title_weight(segment: Segment, page: PageView) -> float:
    """Return how much a segment looks like a title, 0–1."""
    count = len(segment.tokens)
    large = segment.height > _LARGE * page.line_height
    high = segment.top < _TITLE_AREA * page.height
    if count > _TITLE_WORDS or not (large or high):
        return 0.0
    place = 1.0 - 0.35 * segment.top / page.height
    sentence = segment.text.endswith((".", ",", ";"))
    lower = segment.text[:1].islower()
    return place * (1.0 if large else 0.9) * (0.6 if sentence or lower else 1.0)


@lru_cache(maxsize=4096)
def _title_share(option: str, words: tuple[str, ...]) -> float:
    """Return how much of a title is the option's name, 0–1: all its words in order, among few others."""
    best = 0.0
    for meaning in option_synonyms(option):
        title = [w for part in words_of(meaning) if (w := key(part))]
        whole = "".join(title)
        if len(whole) < _MIN_LETTERS:
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


def _from_segment(analysis: DocumentAnalysis, target: FieldQuery) -> Finding | None:
    """Return the topmost option that is a segment of its own, or follows words that name the field."""
    options = {key(m): o for o in target.field.options for m in option_synonyms(o) if len(key(m)) > 2}
    named: Finding | None = None
    for segment in analysis.view.segments:
        option = options.get(segment.key)
        if option is not None:
            return Finding(option, _PRINTED, locations(segment.tokens), segment.text)
        for at in range(1, len(segment.tokens)) if len(segment.tokens) <= _TITLE_WORDS else ():
            option = options.get("".join(token.key for token in segment.tokens[at:]))
            if option and likeness(target.name, text_of(segment.tokens[:at])) >= _NAMED:
                named = named or Finding(option, _PRINTED, locations(segment.tokens), segment.text)
    return named


def _only_printed(analysis: DocumentAnalysis, target: FieldQuery) -> Finding | None:
    """Return the option whose words a document prints, None if it prints several or none.

    The last word may have an ending: "cardul" is the option "card".
    """
    printed_options: dict[str, Sequence[Token]] = {}
    for option in target.field.options:
        words = [w for part in words_of(option) if (w := key(part))]
        if sum(map(len, words)) < _MIN_LETTERS:
            return None
        runs = (
            segment.tokens[at : at + len(words)]
            for segment in analysis.view.segments
            for at in range(len(segment.tokens) - len(words) + 1)
        )
        printed = next((run for run in runs if _spells([token.key for token in run], words)), None)
        if printed is not None:
            printed_options[option] = printed
    if len(printed_options) != 1:
        return None
    ((option, tokens),) = printed_options.items()
    evidence = Evidence("text", _ACCEPTED, ocr=ocr_score(tokens), labelled=False)
    return evidence.finding(option, locations(tokens), text_of(tokens))


def _spells(printed: Sequence[str], words: Sequence[str]) -> bool:
    last, word = printed[-1], words[-1]
    ending = len(last) - len(word) if last.startswith(word) else _ENDING + 1
    return list(printed[:-1]) == list(words[:-1]) and ending <= (_ENDING if len(word) > _MIN_LETTERS else 0)

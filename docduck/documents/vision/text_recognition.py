"""Recognition of a line of text by a CTC network: characters with their places along the line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docduck.documents.document import Box
from docduck.documents.vision.contrast import with_contrast
from docduck.documents.vision.ocr_models import RECOGNITION, Network, load
from docduck.documents.vision.scripts import has_east_asian_letters, is_east_asian, is_western_page
from docduck.documents.vision.text_detection import Quads

HEIGHT = 48
"""Pixels; the height the network was trained on."""

LINE_INK = 1.0
"""Percentage of a line's pixels that are at least as dark as ink."""

_MIN_WIDTH, _MAX_WIDTH = 64, 3200
_STEP = 16


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """One line: its characters, each with its score and its centre along the line (0–1).

    ``western`` is the reading without East Asian classes, for a line with East Asian characters.
    """

    characters: str
    scores: tuple[float, ...]
    centres: tuple[float, ...]
    western: RecognisedLine | None = None

    @property
    def score(self) -> float:
        """The mean score, 0 for an empty line."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


def crop(image: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the part of ``image`` inside ``quad``, straightened, ``HEIGHT`` pixels high."""
    top, right, bottom, left = (float(np.hypot(*(quad[i] - quad[i - 3]))) for i in range(4))
    wide, high = max(top, bottom), max(left, right, 1.0)
    width = min(max(math.ceil(HEIGHT * wide / high), 8), _MAX_WIDTH)
    # Shrinking by more than two would alias under a warp alone: the source is reduced first.
    shrink = high / HEIGHT
    if shrink > 2:
        x0, y0 = np.floor(quad.min(axis=0)).astype(int).clip(0)
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 1
        factor = 1.5 / shrink
        image = cv2.resize(image[y0:y1, x0:x1], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        quad = ((quad - (x0, y0)) * factor).astype(np.float32)
    target = np.array([[0, 0], [width, 0], [width, HEIGHT], [0, HEIGHT]], np.float32)
    transform = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    straight: NDArray[np.uint8] = cv2.warpPerspective(
        image, transform, (width, HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return straight


def recognise(image: NDArray[np.uint8], quads: Quads, threads: int) -> list[RecognisedLine]:
    """Return the text in each of ``quads`` of a BGR picture.

    Lines are run one by one: padding them to a common width costs more than a batch saves on a CPU (measured:
    1.10 s for a receipt in batches of six, 0.85 s singly). Each thread runs whole lines: one line is too
    little work to be divided.
    """
    network = load(RECOGNITION, 1)
    if threads < 2 or len(quads) < 4:
        return [_read(crop(image, quad), network) for quad in quads]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda quad: _read(crop(image, quad), network), quads))


def in_page_script(lines: Sequence[RecognisedLine]) -> list[RecognisedLine]:
    """Return the lines of one page, those of a Western page without East Asian characters.

    Lines with East Asian letters that are probably in print, such as a trader's Chinese name, are unchanged.
    """
    if not is_western_page("".join(line.characters for line in lines)):
        return list(lines)
    return [
        line.western if line.western and not has_east_asian_letters(line.characters, line.scores) else line
        for line in lines
    ]


def _read(line: NDArray[np.uint8], network: Network) -> RecognisedLine:
    line = with_contrast(line, LINE_INK)
    used = line.shape[1]
    width = max(_MIN_WIDTH, -(-used // _STEP) * _STEP)
    array = np.zeros((1, 3, HEIGHT, width), np.float32)
    array[0, :, :, :used] = (line.astype(np.float32) * (2 / 255) - 1).transpose(2, 0, 1)
    output = network.run(array)[0]
    step = width / used / len(output)
    result = _decode(output.argmax(axis=1), output.max(axis=1), network.characters, step)
    if not any(map(is_east_asian, result.characters)):
        return result
    # The scores are not normalised again, so that an ornament doesn't become a letter with a high score.
    allowed = output[:, network.western_classes]
    western = _decode(allowed.argmax(axis=1), allowed.max(axis=1), network.western_characters, step)
    return replace(result, western=western)


def _decode(
    classes: NDArray[np.int64], scores: NDArray[np.float32], alphabet: tuple[str, ...], step: float
) -> RecognisedLine:
    """Decode CTC output: runs of one class are one character, class 0 separates; ``step`` is a time step's
    width.
    """
    starts = np.flatnonzero(np.concatenate(([True], classes[1:] != classes[:-1])))
    ends = np.append(starts[1:], len(classes))
    spans = [(s, e) for s, e in zip(starts, ends, strict=True) if classes[s]]
    return RecognisedLine(
        "".join(alphabet[classes[s]] for s, _ in spans),
        tuple(float(scores[s:e].max()) for s, e in spans),
        tuple(min((s + e) / 2 * step, 1.0) for s, e in spans),
    )


def read_boxes(image: Image.Image, boxes: Sequence[Box], threads: int) -> list[tuple[str, float]]:
    """Return the text in each of ``boxes`` (0–1 of the picture), each with its mean score."""
    pixels = cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGR)
    size = np.array([image.width, image.height], np.float32)
    corners = [[(b.left, b.top), (b.right, b.top), (b.right, b.bottom), (b.left, b.bottom)] for b in boxes]
    quads = np.array(corners, np.float32).reshape(-1, 4, 2) * size
    lines = in_page_script(recognise(pixels, quads, threads))
    return [(line.characters, line.score) for line in lines]

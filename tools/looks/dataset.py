"""Pages of many looks as arrays for the training of the page network."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.page.page_view import PageView
from docduck.extraction.reading.features import NUMBERS, PLACES, WORDS, Segments, page_features
from tools.looks.compose import draw_page
from tools.looks.look import make_look
from tools.looks.segments import Truth, truth_of

TEST_EVERY = 10
"""Looks whose seed is a multiple of this are never trained on."""
_LENGTHS = (32, 64, 96, 128, 192, 256)


@dataclass(frozen=True)
class Example:
    """One page: its features and its truth."""

    segments: Segments
    truth: Truth


@dataclass(frozen=True)
class Batch:
    """Pages of similar length, padded; ``truths`` are kinds, roles, captions and heads, -1 where padded.

    The place behind the last segment stands for no caption and no head.
    """

    segments: Segments
    mask: NDArray[np.float32]
    truths: NDArray[np.int32]


def example(seed: int, number: int) -> Example:
    """Return page ``number`` of the look ``seed``."""
    look = make_look(seed)
    page, owners = draw_page(look, number).page(look.scan, random.Random(f"scan {seed} {number}"))
    view = PageView(page)
    return Example(page_features(view), truth_of(view, owners))


def examples(seeds: Sequence[int], pages: int, processes: int = 2) -> list[Example]:
    """Return ``pages`` pages of each look of ``seeds``; pages of over 256 segments are left out."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        drawn = [
            example
            for examples in pool.map(partial(_pages, pages), seeds, chunksize=50)
            for example in examples
        ]
    return [example for example in drawn if 3 < len(example.segments.hashes) <= _LENGTHS[-1]]


def _pages(pages: int, seed: int) -> list[Example]:
    return [example(seed, number) for number in range(pages)]


def batches(
    examples: Sequence[Example], size: int, rng: random.Random, forgotten: float = 0.0
) -> Iterator[Batch]:
    """Yield all pages once, shuffled, in batches of about ``size`` segments.

    On a share of ``forgotten`` pages, some or all segments lose their words; their form and place are left.
    """
    by_length: dict[int, list[Example]] = {length: [] for length in _LENGTHS}
    for example in examples:
        by_length[next(length for length in _LENGTHS if len(example.segments.hashes) <= length)].append(
            example
        )
    made = []
    for length, group in by_length.items():
        rng.shuffle(group)
        count = max(size // length, 1)
        made += [(length, group[at : at + count]) for at in range(0, len(group), count)]
    rng.shuffle(made)
    for length, group in made:
        batch = _padded(group, length, max(size // length, 1))
        for hashes in batch.segments.hashes:
            if rng.random() < forgotten:
                share = rng.choice((0.3, 0.6, 1.0))
                hashes[[row for row in range(length) if rng.random() < share]] = 0
        yield batch


def _padded(group: Sequence[Example], length: int, count: int) -> Batch:
    arrays = Segments(
        np.zeros((count, length, WORDS), np.int32),
        np.zeros((count, length, NUMBERS), np.float32),
        np.zeros((count, length, len(PLACES)), np.float32),
    )
    mask = np.zeros((count, length), np.float32)
    truths = np.full((4, count, length), -1, np.int32)
    for number, example in enumerate(group):
        some = len(example.segments.hashes)
        for array, values in zip(arrays, example.segments, strict=True):
            array[number, :some] = values
        mask[number, :some] = 1.0
        truth = example.truth
        truths[0, number, :some], truths[1, number, :some] = truth.kinds, truth.roles
        for row, pointers in ((2, truth.captions), (3, truth.heads)):
            truths[row, number, :some] = [length if p < 0 else p for p in pointers]
    return Batch(arrays, mask, truths)

"""Calibration of confidence: of the values with confidence 0.9, nine in ten should be right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from docduck.evaluation.comparison import Comparison, Grade

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Values of similar confidence: their number, mean confidence and share of right values."""

    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """``bins`` of equal width from 0 to 1; None for a bin without values."""

    bins: tuple[Bin | None, ...]

    @property
    def count(self) -> int:
        """The number of values with a confidence."""
        return sum(each.count for each in self.bins if each)

    @property
    def error(self) -> float:
        """The expected calibration error: the gap between accuracy and confidence, weighted by bin size.

        Guo et al., On Calibration of Modern Neural Networks, 2017, equation 3.
        """
        gaps = sum(each.count * abs(each.accuracy - each.confidence) for each in self.bins if each)
        return gaps / self.count if self.count else 0.0


def calibrate(comparisons: Iterable[Comparison]) -> Calibration:
    """Return the calibration of all values found; missing values don't count."""
    groups: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for comparison in comparisons:
        if comparison.found is not None and comparison.confidence is not None:
            place = min(int(comparison.confidence * BINS), BINS - 1)
            groups[place].append((comparison.confidence, comparison.grade is Grade.RIGHT))
    return Calibration(tuple(_bin(group) for group in groups))


def _bin(group: list[tuple[float, bool]]) -> Bin | None:
    if not group:
        return None
    size = len(group)
    return Bin(size, sum(value for value, _ in group) / size, sum(right for _, right in group) / size)


def plot(calibration: Calibration, title: str) -> str:
    """Return a reliability diagram as SVG: a bar per bin, and the diagonal of perfect calibration."""
    size, margin = 300, 40
    bars = []
    for index, each in enumerate(calibration.bins):
        if each is None:
            continue
        width, left = size / BINS, margin + index * size / BINS
        height = each.accuracy * size
        tip = f"{each.count} values: confidence {each.confidence:.2f}, right {each.accuracy:.2f}"
        dot = margin + size * (1 - each.confidence)
        bars.append(
            f'<g><title>{tip}</title><rect x="{left + 1:.1f}" y="{margin + size - height:.1f}" '
            f'width="{width - 2:.1f}" height="{height:.1f}" fill="#4c78a8"/>'
            f'<line x1="{left + 1:.1f}" x2="{left + width - 1:.1f}" y1="{dot:.1f}" y2="{dot:.1f}" '
            f'stroke="#e45756" stroke-width="3"/></g>'
        )
    end = margin + size
    ticks = "".join(
        f'<text x="{margin + part * size:.0f}" y="{end + 16}" text-anchor="middle">{part:g}</text>'
        f'<text x="{margin - 6}" y="{end - part * size + 4:.0f}" text-anchor="end">{part:g}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    )
    edge = size + 2 * margin
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {edge} {edge}" width="{edge}" height="{edge}" '
        f'font-family="sans-serif" font-size="11"><rect width="{edge}" height="{edge}" fill="white"/>'
        f'<text x="{margin}" y="18" font-size="13">{escape(title, quote=False)}: '
        f"error {calibration.error:.3f}, {calibration.count} values</text>"
        f'<rect x="{margin}" y="{margin}" width="{size}" height="{size}" fill="none" stroke="#999"/>'
        f'{"".join(bars)}<line x1="{margin}" y1="{margin + size}" x2="{margin + size}" y2="{margin}" '
        f'stroke="#999" stroke-dasharray="4"/>{ticks}'
        f'<text x="{margin + size / 2}" y="{margin + size + 32}" text-anchor="middle">confidence</text>'
        f'<text x="12" y="{margin - 8}">right</text></svg>'
    )

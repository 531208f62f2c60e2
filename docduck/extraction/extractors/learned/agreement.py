"""Which learned positions of a field count: agreeing ones support each other, the newest wins over others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docduck.extraction.learned_layout import LearnedLayout, PrintedPlace

LayoutCluster = Sequence[LearnedLayout]
"""Learned layouts that are similar to each other."""

_NEAR_X, _NEAR_Y = 0.03, 0.05
_DOUBT, _STRONG_DOUBT = 0.08, 0.5


@dataclass(frozen=True, slots=True)
class TaughtPlace:
    """The position of the field ``name`` in a layout, among all layouts of its ``cluster`` that have one.

    Those come newest first; this one is ``cluster[age]``.
    """

    name: str
    cluster: LayoutCluster
    age: int

    @property
    def layout(self) -> LearnedLayout:
        return self.cluster[self.age]

    @property
    def place(self) -> PrintedPlace:
        return self.layout.places[self.name]

    @property
    def words_of_others(self) -> frozenset[str]:
        """The words that announce other fields in the layout."""
        others = (place for name, place in self.layout.places.items() if name != self.name)
        return frozenset(place.words for place in others if place.words)

    @property
    def support(self) -> int:
        """The number of documents of the cluster that have the value there."""
        return sum(agree(self.place, other.places[self.name]) for other in self.cluster)

    @property
    def is_doubtful(self) -> bool:
        """Whether the position contradicts what the field is, and only one document has taught it."""
        return self.place.foreign and self.support == 1

    @property
    def most_confidence(self) -> float:
        """The most confidence of a value that is read there; it grows with the support."""
        return most_confidence(self.support, _STRONG_DOUBT if self.place.foreign else _DOUBT)

    def rivals(self) -> Iterator[PrintedPlace]:
        """Yield the positions of newer corrections that differ; doubtful ones don't count."""
        moment = self.layout.taught_at(self.name)
        for age in range(self.age):
            newer = TaughtPlace(self.name, self.cluster, age)
            if (
                newer.place.corrected
                and newer.layout.taught_at(self.name) > moment
                and not agree(self.place, newer.place)
                and not newer.is_doubtful
            ):
                yield newer.place


def most_confidence(documents: int, doubt: float = _DOUBT) -> float:
    """Return the most confidence of what so many documents of a look teach or confirm, 0 for none."""
    return 1 - doubt / documents if documents else 0.0


def clusters_of(layouts: Sequence[LearnedLayout]) -> list[LayoutCluster]:
    """Return the layouts by cluster: those that are similar to the first one, and so on."""
    clusters: list[LayoutCluster] = []
    left = list(layouts)
    while left:
        alike = [left[0].fingerprint.is_like(layout.fingerprint) for layout in left]
        # A document without words is like no other, not even itself.
        alike[0] = True
        clusters.append([layout for layout, same in zip(left, alike, strict=True) if same])
        left = [layout for layout, same in zip(left, alike, strict=True) if not same]
    return clusters


def taught_places(name: str, clusters: Sequence[LayoutCluster]) -> Iterator[TaughtPlace]:
    """Yield the positions of a field, cluster by cluster, the newest of a cluster first."""
    for cluster in clusters:
        having = [layout for layout in cluster if name in layout.places]
        having.sort(key=lambda layout: layout.taught_at(name), reverse=True)
        for age in range(len(having)):
            yield TaughtPlace(name, having, age)


def agree(place: PrintedPlace, other: PrintedPlace) -> bool:
    """Return whether two positions are one: the same words announce the value, or it is at the same place."""
    if place.words or other.words:
        return place.words == other.words
    near = min(abs(place.left - other.left), abs(place.right - other.right)) < _NEAR_X
    return near and abs(place.top - other.top) < _NEAR_Y

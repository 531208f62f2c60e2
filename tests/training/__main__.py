"""``python -m tests.training``: makes senders, fits the ranker, writes its weights.

Every fifth sender is kept from the fit and measures it. The same seed gives the same weights.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from docduck.extraction.extractors.layout.ranker.features import FEATURES
from docduck.extraction.extractors.layout.ranker.ranker import WEIGHTS, Ranker
from tests.training.certainty import fit_certainty
from tests.training.documents import synthetic_documents
from tests.training.examples import Example, examples
from tests.training.fit import accuracy, fit

_KEPT_BACK = 5


def main(senders: int, documents: int, seed: int, into: Path) -> dict[str, tuple[float, float]]:
    """Write the weights; the accuracy on kept-back senders by group, of the ranker and of the rules."""
    taught: dict[str, list[Example]] = defaultdict(list)
    kept: dict[str, list[Example]] = defaultdict(list)
    for sender in range(seed, seed + senders):
        pool = kept if sender % _KEPT_BACK == 0 else taught
        for one in examples(synthetic_documents(sender, documents), sender):
            pool[one.group].append(one)
    weights = {group: fit(some) for group, some in sorted(taught.items())}
    ranker = Ranker(
        {group: [round(float(w), 4) for w in some[:-1]] for group, some in weights.items()},
        {group: round(float(some[-1]), 4) for group, some in weights.items()},
        {},
    )
    spare = range(seed + senders, seed + senders + senders // 3)
    data = {
        "features": FEATURES,
        "weights": ranker.weights,
        "none": ranker.none,
        "confidence": fit_certainty(ranker, spare, 1),
    }
    into.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return {group: accuracy(weights[group], some) for group, some in sorted(kept.items())}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--senders", type=int, default=1500)
    parser.add_argument("--documents", type=int, default=2, help="of each sender")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    for group, (learned, ruled) in main(asked.senders, asked.documents, asked.seed, asked.into).items():
        print(f"{group:12} ranker {learned:.3f}   rules {ruled:.3f}")

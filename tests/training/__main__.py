"""``python -m tests.training``: generate senders, fit the ranker, write its weights.

Every fifth sender is held out for evaluation. The same seed gives the same weights.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from docduck.extraction.extractors.layout.ranker.features import FEATURES
from docduck.extraction.extractors.layout.ranker.ranker import WEIGHTS
from tests.training.documents import synthetic_documents
from tests.training.examples import Example, examples
from tests.training.fit import accuracy, fit

_HELD_OUT = 5


def main(senders: int, documents: int, seed: int, path: Path) -> dict[str, tuple[float, float]]:
    """Write the weights and return, by group, the accuracy of ranker and rules on held-out senders."""
    training: dict[str, list[Example]] = defaultdict(list)
    held_out: dict[str, list[Example]] = defaultdict(list)
    for sender in range(seed, seed + senders):
        pool = held_out if sender % _HELD_OUT == 0 else training
        for one in examples(synthetic_documents(sender, documents), sender):
            pool[one.group].append(one)
    weights = {group: fit(group_examples) for group, group_examples in sorted(training.items())}
    data = {
        "features": FEATURES,
        "weights": {group: [round(float(w), 4) for w in some[:-1]] for group, some in weights.items()},
        "none": {group: round(float(some[-1]), 4) for group, some in weights.items()},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return {
        group: accuracy(weights[group], group_examples) for group, group_examples in sorted(held_out.items())
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--senders", type=int, default=1500)
    parser.add_argument("--documents", type=int, default=2, help="of each sender")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", dest="path", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    for group, (learned, ruled) in main(
        arguments.senders, arguments.documents, arguments.seed, arguments.path
    ).items():
        print(f"{group:12} ranker {learned:.3f}   rules {ruled:.3f}")

"""How many numbers were set by hand where documents are read: ``python -m tests.decimals`` holds their count.

A decimal that was chosen by looking at documents helps those, and costs others that nobody looked at. So the
count may only fall: what is fitted takes their place. Whole numbers, 0.0 and 1.0 are units and formats.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docduck" / "extraction" / "extractors"
MOST = 546
"""Decimals that there are. Lower it with them."""


def decimals(source: str) -> Iterator[float]:
    """Yield the decimals of a module, as written."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and not node.value.is_integer():
            yield node.value


def counts() -> Counter[str]:
    """Return the number of decimals by folder of the extractors."""
    counted: Counter[str] = Counter()
    for path in FOLDER.rglob("*.py"):
        counted[path.relative_to(FOLDER).parts[0]] += sum(1 for _ in decimals(path.read_text("utf-8")))
    return counted


def main() -> None:
    """Print the counts; exit with 1 if there are more than before."""
    counted = counts()
    total = counted.total()
    if total != MOST:
        for folder, count in counted.most_common():
            print(f"{count:4} {folder}")
        change = "more" if total > MOST else "fewer"
        print(f"{total} decimals in {FOLDER.name}, {change} than {MOST}: fit them, or set MOST in {__file__}")
    sys.exit(total > MOST)


if __name__ == "__main__":
    main()

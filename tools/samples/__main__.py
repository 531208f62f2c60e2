"""Write the sample documents: ``python -m tools.samples``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tools.samples import generate, ship


def main() -> None:
    """Write the samples that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m tools.samples", description="Make sample documents.")
    parser.add_argument("directory", type=Path, nargs="?", help="where to write all samples and truth.json")
    parser.add_argument("--ship", action="store_true", help="renew the handful in docduck/samples")
    arguments = parser.parse_args()
    if not arguments.ship and arguments.directory is None:
        parser.error("give a directory, or --ship")
    if arguments.ship:
        for path in ship():
            print(path)
    if arguments.directory is not None:
        samples = generate(arguments.directory)
        truths = {
            sample.id: {
                "template": sample.template,
                "file": str(sample.path.relative_to(arguments.directory)),
                "language": sample.language,
                "kind": sample.kind,
                "notes": sample.notes,
                "truth": sample.truth,
            }
            for sample in samples
        }
        text = json.dumps(truths, ensure_ascii=False, indent=1)
        (arguments.directory / "truth.json").write_text(text + "\n", encoding="utf-8")
        print(f"{len(samples)} documents in {arguments.directory}")


main()

"""Reads files with one of the peers and prints its seconds: ``python peer_loop.py PEER FILE…``.

It runs in the peers' own environment, so it imports nothing of docduck's. Imports and a first file are
not timed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any


def _invoice2data() -> Callable[[str], Any]:
    from invoice2data import extract_data
    from invoice2data.extract.loader import read_templates
    from invoice2data.input import pdfplumber

    templates = read_templates()
    return lambda path: extract_data(path, templates=templates, input_module=pdfplumber)


def _markitdown() -> Callable[[str], Any]:
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda path: converter.convert(path).text_content


def _kreuzberg() -> Callable[[str], Any]:
    from kreuzberg import ExtractionConfig, extract_file_sync

    config = ExtractionConfig(use_cache=False)
    return lambda path: extract_file_sync(path, config=config).content


PEERS = {"invoice2data": _invoice2data, "markitdown": _markitdown, "kreuzberg": _kreuzberg}


def main() -> None:
    """Read the files one after the other."""
    read = PEERS[sys.argv[1]]()
    paths = sys.argv[2:]
    read(paths[0])
    begin = time.perf_counter()
    given = sum(bool(read(path)) for path in paths)
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "files": len(paths), "given": given}))


if __name__ == "__main__":
    main()

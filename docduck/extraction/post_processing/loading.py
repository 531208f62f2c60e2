"""Post-processing as an input of a worker's task: packed by a run, kept by each worker."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field

from docduck.errors import InputError, PostProcessingFailed
from docduck.extraction.post_processing.lookup_table import LookupTable, parse_table
from docduck.extraction.post_processing.steps import PostProcessing

_MOST_KEPT_BYTES = 32 * 1024 * 1024
"""Size of the lookup tables that a worker keeps, unparsed."""


@dataclass(slots=True)
class LoadedPostProcessing:
    """Post-processing whose lookup tables are parsed when they are first needed; ``size`` is packed."""

    processing: PostProcessing
    size: int
    _tables: dict[str, LookupTable] = field(default_factory=dict)

    def table(self, name: str) -> LookupTable:
        """Return a lookup table; raise PostProcessingFailed if its file is missing."""
        if name not in self._tables:
            data = self.processing.tables.get(name)
            if data is None:
                raise PostProcessingFailed(f"the file of the lookup table '{name}' is missing")
            try:
                self._tables[name] = parse_table(data)
            except InputError as error:
                raise PostProcessingFailed(f"the lookup table '{name}': {error.message}") from error
        return self._tables[name]


_loaded: dict[str, LoadedPostProcessing] = {}


def pack(processing: PostProcessing) -> bytes:
    """Return the content of the input."""
    return pickle.dumps(processing, pickle.HIGHEST_PROTOCOL)


def load(name: str, read: Callable[[], bytes]) -> LoadedPostProcessing:
    """Return the post-processing of that name; ``read`` returns its content, which is read once."""
    if name not in _loaded:
        content = read()
        while (
            _loaded
            and sum(processing.size for processing in _loaded.values()) + len(content) > _MOST_KEPT_BYTES
        ):
            del _loaded[next(iter(_loaded))]
        _loaded[name] = LoadedPostProcessing(pickle.loads(content), len(content))
    return _loaded[name]

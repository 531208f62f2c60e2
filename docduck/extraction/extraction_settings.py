"""A worker's limits on time and memory, and the options of reading and extraction, from the settings."""

from __future__ import annotations

from dataclasses import replace

from docduck.documents.read_options import ReadOptions
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.models import read_models
from docduck.extraction.options import OCR, ExtractOptions, Mode
from docduck.settings import Settings
from docduck.workers.limits import Limits

WORKER_SECONDS, PAGE_SECONDS, MEGABYTE_SECONDS, _MOST_SECONDS = 60, 10, 20, 3600
"""How long a document may take, further time for each page and MiB of it, and the most of all together."""

MAX_PIXELS = 100_000_000
"""Of an image or of a rendered page."""

MAX_ARCHIVE_FILES, MAX_UNPACKED_BYTES = 1000, 300_000_000
"""Of an archive, with the archives inside it."""

NO_MODEL = "No language model is configured"

_MODEL_ANSWERS = 2


def worker_limits(settings: Settings, seconds: float | None = None) -> Limits:
    """Return the limits of one document; with ``seconds``, whatever its size."""
    return Limits(
        seconds or WORKER_SECONDS,
        settings.worker_memory_mb << 20,
        settings.max_pages,
        PAGE_SECONDS,
        MEGABYTE_SECONDS,
        seconds or _MOST_SECONDS,
    )


def read_options(settings: Settings, mode: Mode = "balanced") -> ReadOptions:
    """Return how ``mode`` reads a file, within the limits of the settings."""
    return ReadOptions(
        ocr=OCR[mode],
        max_pages=settings.max_pages,
        max_pixels=MAX_PIXELS,
        max_archive_files=MAX_ARCHIVE_FILES,
        max_unpacked_bytes=MAX_UNPACKED_BYTES,
    )


def extract_options(settings: Settings, mode: Mode, model: str | None = None) -> ExtractOptions:
    """Return how ``mode`` extracts values; only ``accurate`` uses a language model, that which is named.

    Raise InputError if there is none of that name.
    """
    if mode != "accurate":
        return ExtractOptions(mode=mode)
    chosen = read_models(settings).chosen(model)
    return ExtractOptions(mode=mode, model=chosen, no_model="" if chosen else NO_MODEL)


def for_worker(options: ExtractOptions) -> ExtractOptions:
    """Return the options for a worker, which reaches the model through its pool."""
    return replace(options, model=options.model.for_worker() if options.model else None)


def model_seconds(model: ModelOptions | None) -> float:
    """Return the seconds that a task may need for a language model beyond those for reading."""
    return _MODEL_ANSWERS * model.seconds if model else 0.0

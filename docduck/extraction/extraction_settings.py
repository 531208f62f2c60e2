"""A worker's limits and the options of reading and extraction, from the settings."""

from __future__ import annotations

from dataclasses import replace

from docduck.documents.read_options import ReadOptions
from docduck.extraction.model_options import ModelOptions, model_options
from docduck.extraction.options import OCR, ExtractOptions, Mode
from docduck.settings import Settings
from docduck.workers.limits import Limits

_MODEL_ANSWERS = 2


def worker_limits(settings: Settings) -> Limits:
    """Return the limits of one document."""
    return Limits(
        settings.worker_seconds,
        settings.worker_memory_mb << 20,
        settings.max_pages,
        settings.worker_page_seconds,
        settings.worker_megabyte_seconds,
        settings.worker_most_seconds,
    )


def read_options(settings: Settings, mode: Mode = "balanced") -> ReadOptions:
    """Return how ``mode`` reads a file, within the limits of the settings."""
    return ReadOptions(
        ocr=OCR[mode],
        max_pages=settings.max_pages,
        max_words=settings.max_words,
        max_pixels=settings.max_pixels,
        max_archive_files=settings.max_archive_files,
        max_unpacked_bytes=settings.max_unpacked_bytes,
    )


def extract_options(settings: Settings, mode: Mode) -> ExtractOptions:
    """Return how ``mode`` extracts values; only ``accurate`` uses the language model."""
    return ExtractOptions(mode=mode, model=model_options(settings) if mode == "accurate" else None)


def for_worker(options: ExtractOptions) -> ExtractOptions:
    """Return the options for a worker, which reaches the model through its pool."""
    return replace(options, model=options.model.for_worker() if options.model else None)


def model_seconds(model: ModelOptions | None) -> float:
    """Return the seconds that a task may need for a language model beyond those for reading."""
    return _MODEL_ANSWERS * model.seconds if model else 0.0

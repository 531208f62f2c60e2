"""What the settings say of reading: a worker's limits, and the options of a reading and an extraction."""

from __future__ import annotations

from docduck.documents.options import ReadOptions
from docduck.extraction.model.options import model_options
from docduck.extraction.options import OCR, ExtractOptions, Mode
from docduck.extraction.pool import Limits
from docduck.settings import Settings


def worker_limits(settings: Settings) -> Limits:
    """What one document may use."""
    return Limits(settings.worker_seconds, settings.worker_memory_mb << 20, settings.max_pages)


def read_options(settings: Settings, mode: Mode = "balanced") -> ReadOptions:
    """How ``mode`` reads a file, within the settings' bounds."""
    return ReadOptions(
        ocr=OCR[mode],
        max_pages=settings.max_pages,
        max_pixels=settings.max_pixels,
        max_archive_files=settings.max_archive_files,
        max_unpacked_bytes=settings.max_unpacked_bytes,
    )


def extract_options(settings: Settings, mode: Mode) -> ExtractOptions:
    """How ``mode`` finds values, with the language model where the mode asks for it."""
    return ExtractOptions(mode=mode, model=model_options(settings) if mode == "accurate" else None)

"""Files inside of messages, as base64."""

from __future__ import annotations

import binascii
from io import BytesIO
from typing import Annotated

from fastapi import Query

from docduck.documents.detection.sniff import stream_type
from docduck.errors import InputError
from docduck.files.writing import FileTooLarge
from docduck.service.core.installation import Installation
from docduck.service.uploads.file_uploads import UploadedFile

MAX_FILE_BYTES, MAX_FILES_BYTES = 10 * 1024 * 1024, 20 * 1024 * 1024
"""Of one file, and of all files of a message."""

Base64 = Annotated[str, Query()]


def most_encoded_bytes(size: int = MAX_FILES_BYTES) -> int:
    """Return how long ``size`` bytes are in base64, with line breaks; by default the files of a message."""
    return size * 3 // 2 + 4


def decoded(text: str) -> bytes:
    """Return the content of a file; raise InputError, and TooLarge beyond the limit of files in messages."""
    if len(text) > most_encoded_bytes(MAX_FILE_BYTES):
        raise FileTooLarge
    try:
        content = binascii.a2b_base64("".join(text.split()), strict_mode=True)
    except ValueError as error:
        raise InputError("contentBase64 is not valid base64", "contentBase64") from error
    if len(content) > MAX_FILE_BYTES:
        raise FileTooLarge
    return content


def keep_file(inst: Installation, name: str, content: bytes) -> UploadedFile:
    """Put a file into the file store; what no document refers to is swept later."""
    stored = inst.files.put(BytesIO(content), inst.settings.max_file_bytes)
    return UploadedFile(name, stored, stream_type(BytesIO(content), name))

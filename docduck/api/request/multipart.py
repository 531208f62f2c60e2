"""Reading ``multipart/form-data`` (RFC 7578) as it arrives; its files are written to the store."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
from python_multipart.exceptions import ParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from docduck.documents.detection.sniff import stream_type
from docduck.errors import InputError, TooLarge
from docduck.files.writing import Batch, Incoming
from docduck.service.uploads.file_uploads import UploadedFile
from docduck.service.uploads.url_uploads import MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FILE_PARTS = ("file", "files", "file[]", "files[]")
ONE_FILE = {
    "schema": {
        "type": "object",
        "required": [FILE_PARTS[0]],
        "properties": {FILE_PARTS[0]: {"type": "string", "format": "binary"}},
        "additionalProperties": False,
    }
}
"""The OpenAPI description of a form with one file."""
_MOST_FIELD_BYTES = 1024 * 1024
MAX_FIELDS_BYTES = 8 * _MOST_FIELD_BYTES
"""Of the body of an upload, for the fields and headers around its files."""


@dataclass(slots=True)
class Form:
    """An upload as it was received: fields by name, and files in order."""

    fields: dict[str, str] = field(default_factory=dict)
    files: list[UploadedFile] = field(default_factory=list)

    def digest(self) -> bytes:
        """Return a hash of the content, independent of the boundary between its parts."""
        files = [(file.name, file.stored.sha256) for file in self.files]
        return hashlib.sha256(msgspec.json.encode((sorted(self.fields.items()), files))).digest()


class FormReader:
    """Parses a body piece by piece; its files are written to ``batch``, which the caller keeps or drops.

    Besides files it may have ``fields``, each once. Raises TooLarge, and InputError for malformed bodies and
    for unknown or too many parts.
    """

    def __init__(
        self, content_type: str, batch: Batch, max_file_bytes: int, fields: Collection[str] = ()
    ) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise InputError("Send files as multipart/form-data, with a boundary in the Content-Type header")
        self._batch = batch
        self._max_file_bytes = max_file_bytes
        self._fields = fields
        self._form = Form()
        self._received = 0
        self._file_bytes = 0
        self._ended = False
        self._header = b""
        self._value = b""
        self._name: str | None = None
        self._file_name: str | None = None
        self._incoming: Incoming | None = None
        self._data = bytearray()
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._part_begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._part_data,
            "on_part_end": self._part_end,
            "on_end": self._end,
        }
        try:
            self._parser = MultipartParser(boundary, callbacks)
        except (ParseError, ValueError) as error:
            raise InputError("The boundary of the upload can't be used") from error

    def feed(self, data: bytes) -> None:
        """Parse the next piece of the body."""
        self._received += len(data)
        if self._received > MAX_UPLOAD_BYTES + MAX_FIELDS_BYTES:
            raise TooLarge("File too large")
        try:
            self._parser.write(data)
        except ParseError as error:
            raise InputError("The upload is not valid multipart/form-data") from error

    def close(self) -> Form:
        """Return the form; raise InputError if the body is incomplete."""
        if not self._ended:
            raise InputError("The upload ends before its closing boundary")
        return self._form

    def _part_begin(self) -> None:
        self._name, self._file_name, self._incoming = None, None, None
        self._data = bytearray()

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, options = parse_options_header(self._value)
            name = options.get(b"name")
            self._name = None if name is None else name.decode("utf-8", "replace")
            file_name = options.get(b"filename")
            self._file_name = None if file_name is None else file_name.decode("utf-8", "replace")
        self._header = self._value = b""

    def _headers_finished(self) -> None:
        if self._name is None:
            raise InputError("A part of the upload has no name in its Content-Disposition header")
        if self._file_name is None:
            if self._name in FILE_PARTS:
                raise InputError(f"The part '{self._name}' must be a file, with a filename", self._name)
            if self._name not in self._fields:
                raise InputError(f"Unknown property: {self._name}", self._name)
            if self._name in self._form.fields:
                raise InputError(f"Property given twice: {self._name}", self._name)
            return
        if self._name not in FILE_PARTS:
            raise InputError(f"'{self._name}' is not a part for files: name it 'file'", self._name)
        if len(self._form.files) >= MAX_UPLOAD_FILES:
            raise InputError(f"An upload may have at most {MAX_UPLOAD_FILES} files", "file")
        self._incoming = self._batch.begin(self._max_file_bytes)

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        if self._incoming is None:
            self._data += data[start:end]
            if len(self._data) > _MOST_FIELD_BYTES:
                raise TooLarge(f"The field '{self._name}' is too large: at most {_MOST_FIELD_BYTES} bytes")
            return
        self._file_bytes += end - start
        if self._file_bytes > MAX_UPLOAD_BYTES:
            raise TooLarge("File too large")
        self._incoming.write(data[start:end])

    def _part_end(self) -> None:
        if self._incoming is None:
            try:
                self._form.fields[str(self._name)] = self._data.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError(f"The field '{self._name}' is not UTF-8", self._name) from error
            return
        stored = self._incoming.finish()
        # A browser sends an empty part if no file was chosen.
        if self._file_name or stored.size:
            name = self._file_name or ""
            with self._batch.open(stored) as stream:
                self._form.files.append(UploadedFile(name, stored, stream_type(stream, name)))

    def _end(self) -> None:
        self._ended = True

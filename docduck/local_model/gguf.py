"""The header of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md)."""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from docduck.errors import InputError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _ARRAY = 8, 9
_LAST = "tokenizer."
"""Writers put the keys of the tokenizer, which are long, behind those of the model."""
_CACHE_BYTES = 2
"""Of a number in the cache of keys and values, which has 16 bits."""


@dataclass(frozen=True, slots=True)
class ModelHeader:
    """What a model file says of itself.

    ``context_tokens`` is the context that the model was trained with, ``bytes_per_token`` what a token of the
    context takes in memory.
    """

    name: str
    licence: str | None
    context_tokens: int
    bytes_per_token: int
    size: int


def read_header(path: Path) -> ModelHeader:
    """Return the header of a model file; raise InputError if it is none, or can't be read."""
    try:
        stat = path.stat()
        return _read(path, stat.st_size, stat.st_mtime_ns)
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}") from error
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from error


@lru_cache(maxsize=16)
def _read(path: Path, size: int, changed: int) -> ModelHeader:
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise InputError(
                f"{path} is no GGUF file. Models of other forms, such as safetensors, have to be converted; "
                "docduck model list shows models that can be pulled"
            )
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                values = _Reader(data).values()
                return _header(path, values, size)
            except (struct.error, ValueError, LookupError, TypeError, OverflowError) as error:
                raise InputError(f"{path} is a damaged GGUF file, or no language model") from error


class _Reader:
    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = len(_MAGIC)

    def values(self) -> dict[str, Any]:
        """Return the keys and values before those of the tokenizer."""
        version, _, count = self._take("I"), self._take("Q"), self._take("Q")
        if version not in _VERSIONS:
            raise ValueError(f"version {version}")
        values: dict[str, Any] = {}
        for _ in range(count):
            key = self._text()
            if key.startswith(_LAST):
                break
            values[key] = self._value(self._take("I"))
        return values

    def _take(self, form: str) -> Any:
        (value,) = struct.unpack_from(f"<{form}", self._data, self._at)
        self._at += struct.calcsize(f"<{form}")
        return value

    def _text(self) -> str:
        length = self._take("Q")
        if length > len(self._data) - self._at:
            raise ValueError("a text is longer than the file")
        text = self._data[self._at : self._at + length]
        self._at += length
        return text.decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind == _TEXT:
            return self._text()
        if kind == _ARRAY:
            of, count = self._take("I"), self._take("Q")
            return [self._value(of) for _ in range(count)]
        return self._take(_NUMBERS[kind])


def _header(path: Path, values: dict[str, Any], size: int) -> ModelHeader:
    kind = values["general.architecture"]

    def of_model(key: str, default: Any = None) -> Any:
        return values.get(f"{kind}.{key}", default)

    layers = of_model("block_count")
    heads = of_model("attention.head_count")
    with_cache = of_model("attention.head_count_kv", heads)
    # One number for all layers, or one for each: layers without attention have none.
    all_heads = sum(with_cache) if isinstance(with_cache, list) else with_cache * layers
    most_heads = max(heads) if isinstance(heads, list) else heads
    width = of_model("embedding_length") // most_heads
    both = of_model("attention.key_length", width) + of_model("attention.value_length", width)
    licence = values.get("general.license")
    return ModelHeader(
        str(values.get("general.name") or path.stem),
        str(licence) if licence else None,
        int(of_model("context_length")),
        int(all_heads * both * _CACHE_BYTES),
        size,
    )

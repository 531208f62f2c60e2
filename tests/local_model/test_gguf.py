from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.local_model.gguf import read_header
from docduck.local_model.memory import needed_bytes
from tests.local_model.tiny_model import write_tiny_model


def test_the_header_tells_name_licence_and_context(tiny: Path) -> None:
    header = read_header(tiny)
    assert (header.name, header.licence, header.context_tokens) == ("Tiny", "mit", 4096)
    # Keys and values of 2 heads, 16 numbers each, in 16 bits.
    assert header.bytes_per_token == 2 * 2 * 16 * 2
    assert needed_bytes(header, 4096) - needed_bytes(header, 0) == 4096 * 128
    assert needed_bytes(header, 0) > header.size == tiny.stat().st_size


def test_layers_without_attention_take_no_context(tmp_path: Path) -> None:
    changes = {"block_count": 4, "attention.head_count_kv": [0, 2, 0, 0]}
    assert read_header(write_tiny_model(tmp_path / "hybrid.gguf", **changes)).bytes_per_token == 128


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\x03\x04 a safetensors archive", bytes(100)])
def test_another_file_is_no_model(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is no GGUF file"):
        read_header(path)


@pytest.mark.parametrize("size", [4, 10, 60, 300])
def test_a_damaged_header_is_told(size: int, tiny: Path) -> None:
    tiny.write_bytes(tiny.read_bytes()[:size])
    with pytest.raises(InputError, match="is a damaged GGUF file"):
        read_header(tiny)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_header(tmp_path / "none.gguf")

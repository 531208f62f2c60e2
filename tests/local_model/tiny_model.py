"""A model file of 100 KB with random weights: it answers nonsense, at once."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

CONTEXT, WIDTH, HEADS, HIDDEN = 4096, 32, 2, 64
_TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁"]
_KINDS = [2, 3, 3, *[6] * 256, 1]

META: dict[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.license": "mit",
    "llama.context_length": CONTEXT,
    "llama.embedding_length": WIDTH,
    "llama.block_count": 1,
    "llama.feed_forward_length": HIDDEN,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": HEADS,
    "llama.rope.dimension_count": WIDTH // HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.vocab_size": len(_TOKENS),
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": _TOKENS,
    "tokenizer.ggml.scores": [0.0] * len(_TOKENS),
    "tokenizer.ggml.token_type": _KINDS,
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
    "tokenizer.ggml.unknown_token_id": 0,
    "tokenizer.chat_template": "{% for m in messages %}{{ m.content }}\n{% endfor %}",
}


def write_tiny_model(path: Path, **changes: Any) -> Path:
    """Write the model, with other values for keys of its architecture."""
    meta = META | {f"llama.{name}": value for name, value in changes.items()}
    square = (WIDTH, WIDTH)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd": (len(_TOKENS), WIDTH),
        "output_norm": (WIDTH,),
        "output": (len(_TOKENS), WIDTH),
        "blk.0.attn_norm": (WIDTH,),
        **dict.fromkeys((f"blk.0.attn_{name}" for name in ("q", "k", "v", "output")), square),
        "blk.0.ffn_norm": (WIDTH,),
        "blk.0.ffn_gate": (HIDDEN, WIDTH),
        "blk.0.ffn_up": (HIDDEN, WIDTH),
        "blk.0.ffn_down": (WIDTH, HIDDEN),
    }
    random = np.random.default_rng(0)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(shapes), len(meta))
    head += b"".join(_text(name) + _value(value) for name, value in meta.items())
    data = b""
    for name, shape in shapes.items():
        sizes = b"".join(struct.pack("<Q", size) for size in reversed(shape))
        head += _text(f"{name}.weight") + struct.pack("<I", len(shape)) + sizes
        head += struct.pack("<IQ", 0, len(data))
        weights = random.standard_normal(shape) * 0.1 if len(shape) > 1 else np.ones(shape)
        data += _padded(weights.astype("<f4").tobytes())
    path.write_bytes(_padded(head) + data)
    return path


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 32)


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    kind, form = {str: (8, ""), float: (6, "f"), int: (5, "i")}[type(value[0])]
    items = b"".join(_text(one) if kind == 8 else struct.pack(f"<{form}", one) for one in value)
    return struct.pack("<IIQ", 9, kind, len(value)) + items

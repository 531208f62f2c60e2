"""How much memory a model needs, and how much there is."""

from __future__ import annotations

from pathlib import Path

import psutil

from docduck.local_model.gguf import ModelHeader

_BESIDE_BYTES = 512 << 20
"""What a server takes besides the weights and the context."""
_CONTROL_GROUP = Path("/sys/fs/cgroup")


def needed_bytes(header: ModelHeader, context_tokens: int) -> int:
    """Return the memory that serving a model takes: weights, context, and what computing needs."""
    return header.size + header.bytes_per_token * context_tokens + _BESIDE_BYTES


def free_bytes() -> int:
    """Return the memory that is available on this machine, or in this container if that is less."""
    available = int(psutil.virtual_memory().available)
    left = _left_in_container()
    return available if left is None else min(available, left)


def _left_in_container() -> int | None:
    """Return what this control group (version 2) may still take; None without a limit."""
    try:
        most = (_CONTROL_GROUP / "memory.max").read_text().strip()
        current = int((_CONTROL_GROUP / "memory.current").read_text())
        lines = (_CONTROL_GROUP / "memory.stat").read_text().splitlines()
    except OSError:
        return None
    if not most.isdecimal():
        return None
    # Pages of files count as used, though the kernel drops them when memory is short.
    droppable = sum(int(line.split()[1]) for line in lines if line.startswith("inactive_file "))
    return max(0, int(most) - current + droppable)


def in_gigabytes(number: float) -> str:
    """Return a number of bytes as text such as ``1.9 GB``."""
    return f"{number / 1e9:.1f} GB"

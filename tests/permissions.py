"""File permissions that bind the tests, too, when they run as root."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_OVERRIDES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, which let root pass by every permission."""


@contextmanager
def permissions_hold() -> Iterator[None]:
    """Makes file permissions hold for this thread and those it starts, even for root."""
    if not sys.platform.startswith("linux"):
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    before = (ctypes.c_uint32 * 6)()
    if libc.capget(header, before) != 0:
        pytest.skip("capabilities can't be read")
    reduced = (ctypes.c_uint32 * 6)(*before)
    reduced[0] &= ~_OVERRIDES
    if libc.capset(header, reduced) != 0:
        pytest.skip("capabilities can't be given up")
    try:
        yield
    finally:
        libc.capset(header, before)

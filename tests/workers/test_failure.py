"""Errors as data: what is sent of an error, and what arrives."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import DamagedFile, Defect, DiskFull
from docduck.workers.context import Context
from docduck.workers.failure import Failure


def test_an_error_of_a_private_class_arrives_as_the_nearest_public_one() -> None:
    class Private(DamagedFile):
        pass

    error = Failure.of(Private("of this detail")).error()
    assert type(error) is DamagedFile
    assert (error.message, error.detail) == (DamagedFile("").message, "of this detail")


def test_an_unknown_kind_is_a_defect() -> None:
    assert type(Failure("os.system", "message").error()) is Defect


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "member").symlink_to("/dev/full")
    with pytest.raises(DiskFull) as caught:
        Context(outputs=tmp_path).write("member", b"x")
    error = Failure.of(caught.value).error()
    assert type(error) is DiskFull
    assert error.message == "the disk of temporary files is full"

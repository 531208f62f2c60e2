"""Errors as data: what is sent of an error, and what arrives."""

from __future__ import annotations

from docduck.errors import DamagedFile, Defect
from docduck.workers.failure import Failure


def test_an_error_of_a_private_class_arrives_as_the_nearest_public_one() -> None:
    class Private(DamagedFile):
        pass

    error = Failure.of(Private("of this detail")).error()
    assert type(error) is DamagedFile
    assert (error.message, error.detail) == (DamagedFile("").message, "of this detail")


def test_an_unknown_kind_is_a_defect() -> None:
    assert type(Failure("os.system", "message").error()) is Defect

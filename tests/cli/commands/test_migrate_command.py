"""``docduck migrate``: files while docduck runs, the catalog once it is stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from obstore.store import S3Store

from docduck.cli.runtime.supervisor import no_docduck_up
from docduck.settings import settings
from tests.cli.conftest import Docduck
from tests.object_store import KEYS, bucket, paths, server

__all__ = ["bucket", "server"]


@pytest.fixture
def variables(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Writes a file of variables; what the environment gets of them ends with the test."""
    before = dict(os.environ)

    def write(**values: str) -> Path:
        path = tmp_path / "cluster.env"
        path.write_text("".join(f"{name}={value}\n" for name, value in values.items()))
        return path

    yield write
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.postgres
def test_a_home_is_copied_in_two_steps(
    docduck: Docduck,
    variables: Callable[..., Path],
    server: str,
    bucket: S3Store,
    postgres_database: str,
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    assert docduck("parsers", "add", "--template", "receipt").code == 0
    (tmp_path / "one.txt").write_text("Total: 17.00")
    assert docduck("documents", "add", "receipts", tmp_path / "one.txt").code == 0
    to = variables(
        DOCDUCK_CATALOG_URL=postgres_database,
        DOCDUCK_FILES_URL=f"s3://{bucket.config['bucket']}",
        DOCDUCK_FILES_ENDPOINT=server,
        AWS_ACCESS_KEY_ID=KEYS["access_key"],
        AWS_SECRET_ACCESS_KEY=KEYS["secret_key"],
    )
    before = dict(os.environ)
    with no_docduck_up(home):
        refused = docduck("migrate", "--to", to)
    assert refused.code == 2
    assert "docduck is already running" in refused.err
    assert len(paths(bucket)) == 1

    def at_home() -> None:
        os.environ.clear()
        os.environ.update(before)
        settings.cache_clear()

    at_home()
    copied = docduck("migrate", "--to", to)
    assert copied.code == 0, copied.err
    text = " ".join(copied.out.split())
    assert text.startswith("0 files and ")
    assert f"Set the variables of {to} wherever docduck runs, move {home / 'files'} away, and start" in text

    settings.cache_clear()
    assert "Copy them there under the same names" in docduck("status").err
    (home / "files").rename(home / "files.moved")
    assert docduck("status", "--json").json["parsers"][0]["waiting"]["queued"] == 1
    same = docduck("migrate", "--to", to)
    assert same.code == 2
    assert "names no other DOCDUCK_CATALOG_URL or DOCDUCK_FILES_URL" in same.err
    at_home()
    (home / "files.moved").rename(home / "files")
    assert docduck("status", "--json").json["parsers"][0]["waiting"]["queued"] == 1, "the old home is whole"


def test_a_file_that_is_not_there_is_named(docduck: Docduck, tmp_path: Path) -> None:
    refused = docduck("migrate", "--to", tmp_path / "none.env")
    assert refused.code == 2
    assert f"There is no file {tmp_path / 'none.env'}" in " ".join(refused.err.split())


def test_a_setting_that_is_none_is_named(docduck: Docduck, variables: Callable[..., Path]) -> None:
    refused = docduck("migrate", "--to", variables(DOCDUCK_CATALOGUE_URL="x"))
    assert refused.code == 2
    assert "did you mean DOCDUCK_CATALOG_URL?" in refused.err

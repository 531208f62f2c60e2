"""``docduck doctor``: what it says, and how it ends."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.conftest import Docduck


def test_what_is_wrong_is_said_and_put_right(docduck: Docduck, tmp_path: Path) -> None:
    assert docduck("doctor").out.split() == ["Nothing", "is", "wrong"]
    assert docduck("doctor", "--json").json == {"findings": []}
    stored = tmp_path / "home" / "files" / "ab" / ("0" * 62)
    stored.parent.mkdir(parents=True)
    stored.write_bytes(b"never registered")
    os.utime(stored, (0, 0))

    found = docduck("doctor")
    assert found.code == 1
    assert "files: 1 stored file that nothing in the catalog names" in " ".join(found.out.split())
    assert "0 of 1 put right docduck doctor --fix puts 1 right" in " ".join(found.out.split())
    found = docduck("doctor", "--json")
    assert found.code == 1
    assert [(finding["part"], finding["isFixed"]) for finding in found.json["findings"]] == [("files", False)]

    fixed = docduck("doctor", "--fix")
    assert fixed.code == 0
    assert "1 of 1 put right" in fixed.out
    assert not stored.exists()


def test_it_works_where_docduck_runs_alone(docduck: Docduck) -> None:
    refused = docduck("--server", "http://127.0.0.1:9", "doctor")
    assert refused.code == 2
    assert "works only where docduck runs" in refused.err

"""Upload pages in pipeline.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.service.core.installation import Installation
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.uploads.upload_pages import PageOwner, get_upload_page
from tests.service.pipeline.test_pipeline_spec import problems
from tests.service.provisioning.test_pipeline import apply

TEXT = """
parsers:
  - template: invoice
    uploadPage:
      title: Your bills
      message: PDF only
      embed: [https://WWW.example.org]
      filesPerHour: 5
classifiers:
  - name: Mail
    rules: {Invoice: invoices}
    uploadPage: {active: false}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pipeline.yaml"


def test_pages_are_made_once_and_changed(any_inst: Installation, file: Path) -> None:
    done = apply(any_inst, file, TEXT)
    assert {"invoices: upload page created", "Mail: upload page created"} <= {*done}
    parser, classifier = PageOwner("parser", "invoices"), PageOwner("classifier", "Mail")
    made = get_upload_page(any_inst, any_inst.team_id, parser)
    assert UploadPageSettings.of(made) == UploadPageSettings.of_values(
        {
            "is_active": True,
            "title": "Your bills",
            "message": "PDF only",
            "embed_origins": ["https://www.example.org"],
            "files_per_hour": 5,
        }
    )
    off = get_upload_page(any_inst, any_inst.team_id, classifier)
    assert UploadPageSettings.of(off) == UploadPageSettings.of_values({"is_active": False})
    assert apply(any_inst, file, TEXT) == ["nothing to change"]
    assert apply(any_inst, file, TEXT.replace("false", "true").replace("PDF only", "Photos")) == [
        "invoices: upload page changed",
        "Mail: upload page changed",
    ]
    now = get_upload_page(any_inst, any_inst.team_id, parser)
    assert (now.message, now.path) == ("Photos", made.path)
    left = TEXT.replace("    uploadPage: {active: false}\n", "")
    apply(any_inst, file, left)
    assert get_upload_page(any_inst, any_inst.team_id, classifier).is_active


def test_what_is_wrong_is_told_with_its_place(file: Path) -> None:
    text = """\
parsers:
  - name: A
    uploadPage:
      titel: x
  - name: B
    uploadPage:
      title: ""
      filesPerHour: 0
      embed:
        - https://a.org
        - https://a.org/path
classifiers:
  - name: Mail
    rules: {Invoice: a}
    uploadPage:
      active: maybe
"""
    assert problems(file.parent, text) == [
        "pipeline.yaml:4: parsers[0].uploadPage.titel: unknown key; did you mean title?",
        "pipeline.yaml:7: parsers[1].uploadPage.title: must have 1 to 200 characters",
        "pipeline.yaml:8: parsers[1].uploadPage.filesPerHour: must be from 1 to 10000",
        "pipeline.yaml:11: parsers[1].uploadPage.embed[1]: must be an origin such as "
        "https://www.example.org, without a path",
        "pipeline.yaml:16: classifiers[0].uploadPage.active: must be true or false",
    ]

"""The OpenAPI document and the API agree, whatever is sent: schemathesis with all checks, stateful too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

_SECONDS = 280
_SETTINGS = {
    "rate_limit_minute": 0,
    "rate_limit_day": 0,
    "max_wait_seconds": 0.1,
    "classify_inline_seconds": 0,
}
_CONFIG = Path(__file__).with_name("schemathesis.toml")
_TAKEN = ["2xx", "304", "400", "401", "403", "404", "409", "412", "413", "415", "429"]
_ANY_SLUG = rf"""
# No schema can say which slugs there are, or that a document is of the parser.
[[operations]]
include-path-regex = "\\{{(parserId|classifierId)\\}}"
checks.positive_data_acceptance.expected-statuses = {_TAKEN}
"""


def findings(api: Api, folder: Path, *arguments: str, config: str = "") -> str:
    """What schemathesis finds; nothing when it finds nothing."""
    toml = folder / "schemathesis.toml"
    toml.write_text(_CONFIG.read_text("utf-8") + config, "utf-8")
    done = subprocess.run(
        [
            *(Path(sys.executable).with_name("schemathesis"), "--config-file", toml, "run"),
            *("--header", f"Authorization: Bearer {api.key}", "--checks", "all", "--mode", "all"),
            # What is not found below a parser that was just made is a folder or person that the body names.
            *("--exclude-checks", "ensure_resource_availability"),
            *("--continue-on-failure", "--no-color", "--warnings", "off", "--seed", "17", *arguments),
            f"{api.address}/api/v1/openapi.json",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.extended
@pytest.mark.timeout(_SECONDS + 20)
def test_whatever_is_sent(make_installation: MakeInstallation, tmp_path: Path) -> None:
    with serving(make_installation(**_SETTINGS)) as api:
        found = ""
        # Before anything is there: a parser may be called 0, which is sent as an id that should be refused.
        for deleting in (("--include-method", "DELETE"), ("--include-path-regex", "/delete$")):
            found += findings(api, tmp_path, "--phases", "coverage", *deleting, config=_ANY_SLUG)
        phases = ("--phases", "examples,fuzzing,stateful", "--max-examples", "5")
        found += findings(api, tmp_path, *phases, config=_ANY_SLUG)
    assert not found, found


@pytest.mark.extended
@pytest.mark.timeout(_SECONDS + 20)
def test_whatever_is_sent_to_things_that_are_there(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    with serving(make_installation(**_SETTINGS)) as api:
        parser_id = api.parser()
        document_id = api.upload(parser_id, externalIds='["E-1"]')
        api.process(parser_id)
        folder = api.post(f"/parsers/{parser_id}/folders", json={"name": "Paid"}).json()
        routing = {"rules": [{"label": "Invoice", "targetParserId": parser_id}]}
        classifier = api.post("/classifiers", json={"name": "Mail", "routing": routing}).json()
        stage = api.post(f"/parsers/{parser_id}/review-stages", json={"name": "Books"}).json()
        url = {"url": "https://hooks.invalid/"}
        webhook = api.post(f"/parsers/{parser_id}/webhooks", json=url).json()
        assert api.post(f"/parsers/{parser_id}/documents/{document_id}/export").status_code == 200
        log = api.get(f"/parsers/{parser_id}/webhooks/{webhook['id']}/deliveries").json()
        known = f"""
[parameters]
"path.parserId" = "{parser_id}"
"path.documentId" = "{document_id}"
"path.folderId" = "{folder["id"]}"
"path.classifierId" = "{classifier["id"]}"
"path.stageId" = "{stage["id"]}"
"path.webhookId" = "{webhook["id"]}"
"path.deliveryId" = "{log["data"][0]["id"]}"
"path.fieldId" = "Total"
"query.documentId" = "{document_id}"
"""
        found = findings(
            api,
            tmp_path,
            *("--phases", "coverage,fuzzing", "--max-examples", "5"),
            *("--exclude-method", "DELETE", "--exclude-path-regex", "/delete$"),
            config=known,
        )
    assert not found, found

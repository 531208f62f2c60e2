"""``docduck model``, and what status, doctor and commands that read say of the model."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docduck.local_model import listed_models, server
from docduck.local_model.choice import LocalModel, servers_folder
from docduck.local_model.listed_models import ListedModel
from docduck.local_model.server_state import ServerState, end_servers
from tests.cli.conftest import Docduck
from tests.endpoint import Question, Reply, model, says
from tests.local_model.hub import Hub, hub
from tests.local_model.tiny_model import CONTEXT, skip_without_gomp, write_tiny_model


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    skip_without_gomp()
    yield write_tiny_model(tmp_path / "tiny.gguf")
    end_servers(servers_folder(tmp_path / "home"))


@pytest.fixture
def small_hub(tiny: Path, environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with the tiny model, as the only one that is listed."""
    content = tiny.read_bytes()
    small = ListedModel(
        name="small",
        title="Small",
        repository="someone/Small-GGUF",
        revision="0" * 40,
        file="small.gguf",
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        memory="1 GB",
        licence="Apache-2.0",
        good_for="tests",
    )
    listed_models.listed_models.cache_clear()
    monkeypatch.setattr(listed_models, "ListedModel", lambda **_: small)
    with hub(content) as running:
        environment(model_hub=running.address, outbound_allowed_networks="127.0.0.0/8")
        yield running
    listed_models.listed_models.cache_clear()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_model_is_pulled_used_and_removed(docduck: Docduck, small_hub: Hub, tmp_path: Path) -> None:
    pulled = docduck("model", "pull", "small")
    assert pulled.code == 0
    assert "Its licence is Apache-2.0" in pulled.out
    assert "The home uses it now" in flat(pulled.out)
    path = tmp_path / "home" / "models" / "small.gguf"
    assert path.read_bytes() == small_hub.content
    listed = docduck("model", "list", "--json").json
    assert (listed["models"][0]["isPulled"], listed["models"][0]["isUsed"]) == (True, True)
    assert listed["file"] == str(path)
    status = docduck("status", "--json").json["model"]
    assert (status["name"], status["licence"], status["server"]) == ("small", "Apache-2.0", "stopped")

    unset = docduck("model", "remove")
    assert (unset.code, flat(unset.out)) == (0, "The home uses no model now")
    assert path.exists()
    assert docduck("status", "--json").json["model"] is None
    assert docduck("model", "use", "small").code == 0
    assert docduck("model", "remove", "small").code == 0
    assert not path.exists()
    assert docduck("model", "remove", "small").code == 2
    assert "docduck model pull small" in docduck("model", "use", "small").err


SERVE = """
import os, sys, time
from pathlib import Path
from docduck.local_model.server_state import ServerState
from docduck.owner import this_process
lock = ServerState(Path(sys.argv[1])).try_lock()
os.write(lock, this_process().encode())
print("serves", flush=True)
time.sleep(600)
"""


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ServerState]]:
    """What starts a stand-in for the server of a model file."""
    started: list[subprocess.Popen[bytes]] = []

    def start(file: Path, context_tokens: int = CONTEXT) -> ServerState:
        folder = servers_folder(tmp_path / "home")
        state = ServerState.of(LocalModel(file, file.stem, folder, context_tokens))
        state.create()
        command = [sys.executable, "-c", SERVE, str(state.folder)]
        started.append(process := subprocess.Popen(command, stdout=subprocess.PIPE))
        assert process.stdout is not None and process.stdout.readline() == b"serves\n"
        return state

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_only_the_servers_end_whose_model_nobody_has_any_more(
    docduck: Docduck, tiny: Path, serve: Callable[..., ServerState]
) -> None:
    home = tiny.parent / "home"
    first, second, further = (shutil.copy(tiny, tiny.parent / f"{name}.gguf") for name in "abc")
    (home / "models.yaml").write_text(f"large: {{file: {further}, context_tokens: 2048}}")
    large, other = serve(further, 2048), serve(tiny)
    assert docduck("model", "use", str(first)).code == 0
    of_first = serve(first)
    assert docduck("model", "use", str(first)).code == 0
    assert of_first.is_alive()
    assert docduck("model", "use", str(further)).code == 0
    assert not of_first.is_alive()
    of_further = serve(further)
    assert docduck("model", "use", str(second)).code == 0
    assert not of_further.is_alive(), "it is another one than that of models.yaml"
    of_second = serve(second)
    assert docduck("model", "remove").code == 0
    assert not of_second.is_alive()
    assert large.is_alive() and other.is_alive()


def test_the_servers_of_a_file_that_is_removed_end_whoever_has_it(
    docduck: Docduck, small_hub: Hub, tiny: Path, serve: Callable[..., ServerState]
) -> None:
    assert docduck("model", "use", str(tiny)).code == 0
    assert docduck("model", "pull", "small").code == 0
    pulled = tiny.parent / "home" / "models" / "small.gguf"
    (tiny.parent / "home" / "models.yaml").write_text(f"small: {{file: {pulled}}}")
    of_pulled, of_home = serve(pulled), serve(tiny)
    assert docduck("model", "remove", "small").code == 0
    assert not of_pulled.is_alive()
    assert of_home.is_alive()


def test_a_file_that_is_no_model_is_refused(docduck: Docduck, tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"PK\x03\x04")
    refused = docduck("model", "use", str(other))
    assert refused.code == 2
    assert "is no GGUF file" in flat(refused.err)
    assert "There is no file" in docduck("model", "use", "none.gguf").err
    assert docduck("status", "--json").json["model"] is None


def test_without_the_extra_its_remedy_is_told(
    docduck: Docduck, tiny: Path, environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(model_file=tiny)
    monkeypatch.setattr(server, "is_installed", lambda: False)
    monkeypatch.setattr("docduck.cli.commands.model.is_installed", lambda: False)
    assert "pip install 'docduck[model]'" in docduck("model", "use", str(tiny)).err
    found = docduck("doctor")
    assert found.code == 1
    assert "model: tiny can't be used, and documents are read without it: xllamacpp" in flat(found.out)
    assert "It can't start: xllamacpp" in flat(docduck("status").out)
    (tmp := tiny.parent / "note.txt").write_text("Invoice number: RE-17\n")
    fields = tiny.parent / "fields.json"
    fields.write_text(json.dumps([{"name": "Invoice Number"}, {"name": "Undertaking"}]))
    read = docduck("extract", str(tmp), "--fields", str(fields), "--mode", "accurate", "--json")
    assert read.code == 0
    assert read.json["data"] == {"Invoice Number": "RE-17", "Undertaking": None}
    (warning,) = read.json["warnings"]
    assert "pip install 'docduck[model]'" in warning
    assert "the document was read without it" in warning


def test_a_file_and_an_endpoint_at_once_are_refused(
    docduck: Docduck, tiny: Path, environment: Callable[..., None]
) -> None:
    environment(model_file=tiny, model_base_url="http://127.0.0.1:9/v1")
    for command in (("status",), ("model", "list"), ("model", "test")):
        refused = docduck(*command)
        assert refused.code == 2
        assert "DOCDUCK_MODEL_FILE and DOCDUCK_MODEL_BASE_URL are both set" in flat(refused.err)


def test_an_endpoint_is_tried(docduck: Docduck, environment: Callable[..., None]) -> None:
    def script(question: Question) -> Reply:
        if question.pictures:
            return says("It is 7254.")
        if "response_format" in question.body and question.form == "json_schema":
            return Reply({"error": "response_format json_schema is not supported"}, status=400)
        return says({"invoice_number": "RE-2024-0417", "total": 1284.5})

    with model(script) as endpoint:
        environment(model_base_url=endpoint.url, model_name="theirs")
        tried = docduck("model", "test", "--json")
        assert tried.code == 0
        trial = tried.json
        assert (trial["model"], trial["form"]) == ("theirs", "json_object")
        assert trial["isRight"]
        assert trial["takesPictures"]
        assert trial["contextTokens"] == 32_768
        assert "JSON schema: no (json_object)" in docduck("model", "test").out
        assert docduck("status", "--json").json["model"]["endpoint"] == "127.0.0.1"


def test_an_endpoint_that_refuses_is_told(docduck: Docduck, environment: Callable[..., None]) -> None:
    with model([Reply({"error": "insufficient quota"}, status=429)]) as endpoint:
        environment(model_base_url=endpoint.url)
        refused = docduck("model", "test")
    assert refused.code == 2
    assert "status 429" in flat(refused.err)
    assert "insufficient quota" in flat(refused.err)


def test_without_a_model_there_is_nothing_to_try(docduck: Docduck) -> None:
    refused = docduck("model", "test")
    assert refused.code == 2
    assert "docduck model pull NAME" in flat(refused.err)


@pytest.mark.slow
def test_the_model_of_the_home_reads_documents(docduck: Docduck, tiny: Path) -> None:
    pytest.importorskip("xllamacpp")
    used = docduck("model", "use", str(tiny))
    assert used.code == 0
    assert "licence mit, 4096 tokens of context" in flat(used.out)
    (note := tiny.parent / "note.txt").write_text("Invoice number: RE-17\n")
    fields = tiny.parent / "fields.json"
    fields.write_text(json.dumps([{"name": "Paid", "type": "boolean"}]))
    read = docduck("extract", str(note), "--fields", str(fields), "--mode", "accurate", "--json")
    assert read.code == 0
    assert read.json["usage"]["model"] == "tiny"
    assert read.json["usage"]["requests"] > 0
    assert docduck("status", "--json").json["model"]["server"] == "running"
    assert "running" in docduck("status").out

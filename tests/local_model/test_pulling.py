from __future__ import annotations

import fcntl
import hashlib
import random
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest

from docduck.errors import Conflict, InputError
from docduck.local_model import pulling
from docduck.local_model.listed_models import ListedModel
from docduck.local_model.pulling import WrongFile, pull
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.settings import Settings
from tests.local_model.hub import Hub, hub

CONTENT = random.Random(0).randbytes(3_000_000)
MODEL = ListedModel(
    name="small",
    title="Small",
    repository="someone/Small-GGUF",
    revision="0" * 40,
    file="small.gguf",
    bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    memory="1 GB",
    licence="Apache-2.0",
    good_for="tests",
)


@pytest.fixture
def running() -> Iterator[Hub]:
    with hub(CONTENT) as running:
        yield running


@pytest.fixture
def settings(running: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(pulling, "_PAUSE_SECONDS", 0)
    return Settings(
        home=tmp_path / "home",
        model_hub=running.address,
        outbound_allowed_networks=(ip_network("127.0.0.0/8"),),
    )


def nothing(_: int, __: int) -> None:
    pass


def names(settings: Settings) -> list[str]:
    return sorted(path.name for path in (settings.home / "models").iterdir())


def test_a_model_is_pulled_in_its_revision_and_checked(running: Hub, settings: Settings) -> None:
    told: list[tuple[int, int]] = []
    path = pull(MODEL, settings, lambda done, of: told.append((done, of)))
    assert path.read_bytes() == CONTENT
    assert running.paths == [f"/someone/Small-GGUF/resolve/{'0' * 40}/small.gguf"]
    assert names(settings) == ["small.gguf"]
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert told == sorted(told)
    assert pull(MODEL, settings, nothing) == path
    assert len(running.paths) == 1


def test_a_download_goes_on_after_breaks(running: Hub, settings: Settings) -> None:
    running.breaks = [1_000_000, 1_000_000]
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT
    first, second, third = running.ranges
    assert first is None
    assert second is not None
    assert third is not None
    starts = [int(asked.removeprefix("bytes=").rstrip("-")) for asked in (second, third)]
    assert 0 < starts[0] <= 1_000_000
    assert starts[0] < starts[1] <= 2_000_000


def test_the_next_call_goes_on_where_one_was_given_up(running: Hub, settings: Settings) -> None:
    running.breaks = [700_000, *[0] * 20]
    with pytest.raises(DownloadFailed):
        pull(MODEL, settings, nothing)
    kept = (settings.home / "models" / "small.part").stat().st_size
    assert 0 < kept <= 700_000
    running.breaks, running.ranges = [], []
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT
    assert running.ranges == [f"bytes={kept}-"]


def test_a_hub_that_knows_no_ranges_sends_it_all_again(running: Hub, settings: Settings) -> None:
    running.takes_ranges, running.breaks = False, [1_000_000]
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT
    assert len(running.ranges) == 2


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_what_is_there_stays_whatever_the_hub_answers(running: Hub, settings: Settings, status: int) -> None:
    running.breaks, running.range_status = [700_000], status
    with pytest.raises(DownloadFailed, match=f"the server answered {status}"):
        pull(MODEL, settings, nothing)
    kept = (settings.home / "models" / "small.part").stat().st_size
    assert 0 < kept <= 700_000
    running.range_status, running.ranges = 206, []
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT
    assert running.ranges == [f"bytes={kept}-"]


def test_what_is_there_stays_if_the_certificate_is_wrong(running: Hub, settings: Settings) -> None:
    running.breaks, running.range_status = [700_000], 404
    with pytest.raises(DownloadFailed):
        pull(MODEL, settings, nothing)
    part = settings.home / "models" / "small.part"
    kept = part.read_bytes()
    encrypted = settings.model_copy(update={"model_hub": running.address.replace("http:", "https:")})
    with pytest.raises(DownloadFailed, match="no secure connection"):
        pull(MODEL, encrypted, nothing)
    assert part.read_bytes() == kept == CONTENT[: len(kept)]


def test_a_hub_that_refuses_the_rest_is_asked_for_all_of_it(running: Hub, settings: Settings) -> None:
    running.breaks, running.range_status = [700_000], 416
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT
    first, second, third = running.ranges
    assert (first, third) == (None, None)
    assert second is not None


@pytest.mark.parametrize("takes_ranges", [True, False])
def test_a_download_that_gets_no_further_is_given_up(
    running: Hub, settings: Settings, takes_ranges: bool
) -> None:
    running.takes_ranges, running.range_status = takes_ranges, 416
    running.breaks = [1_000_000, 600_000] * 50
    with pytest.raises(DownloadFailed):
        pull(MODEL, settings, nothing)
    # How much of what was sent arrives before the break differs, so that some tries are progress.
    assert 4 <= len(running.ranges) < 50
    assert (settings.home / "models" / "small.part").stat().st_size > 0


def test_another_file_is_not_kept(running: Hub, settings: Settings) -> None:
    running.content = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
    with pytest.raises(WrongFile, match="is not the file that docduck knows"):
        pull(MODEL, settings, nothing)
    assert names(settings) == []
    running.content = CONTENT + b"more"
    with pytest.raises(WrongFile, match=f"it has more than {len(CONTENT)} bytes"):
        pull(MODEL, settings, nothing)
    running.content = CONTENT
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT


def test_a_damaged_file_stays_until_a_good_one_is_there(running: Hub, settings: Settings) -> None:
    path = pull(MODEL, settings, nothing)
    path.write_bytes(b"damaged")
    running.status = 404
    with pytest.raises(DownloadFailed, match="404"):
        pull(MODEL, settings, nothing)
    assert path.read_bytes() == b"damaged"
    running.status = 200
    assert pull(MODEL, settings, nothing).read_bytes() == CONTENT


def test_two_do_not_write_the_same_file(settings: Settings) -> None:
    folder = settings.home / "models"
    folder.mkdir(parents=True, mode=0o700)
    with (folder / "small.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Conflict, match="another process"):
            pull(MODEL, settings, nothing)


def test_a_full_disk_is_told_before(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulling, "_SPARE_BYTES", 1 << 60)
    with pytest.raises(InputError, match="make room"):
        pull(MODEL, settings, nothing)


def test_a_private_mirror_has_to_be_allowed(settings: Settings) -> None:
    closed = settings.model_copy(update={"outbound_allowed_networks": None})
    with pytest.raises(UrlNotAllowed):
        pull(MODEL, closed, nothing)

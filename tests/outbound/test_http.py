from __future__ import annotations

import datetime as dt
import email.utils
import gzip

import pytest

from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint, retry_after
from tests.endpoint import Reply, model


def test_an_answer_comes_with_its_status_whatever_that_is() -> None:
    replies = [Reply({"a": 1}), Reply({"b": 2}, 503, {"Retry-After": "7"})]
    with model(replies) as server, TrustedEndpoint(server.url, {"X-Test": "yes"}) as endpoint:
        first, second = endpoint.post("x", {}, 5), endpoint.post("x", {}, 5)
    assert (first.status, first.text, first.retry_after) == (200, '{"a": 1}', None)
    assert (second.status, second.retry_after) == (503, 7.0)
    assert server.questions[0].headers["X-Test"] == "yes"
    assert server.questions[0].headers["User-Agent"] == "docduck"


def test_redirects_are_not_followed() -> None:
    with (
        model([Reply({"never": "here"})]) as other,
        model([Reply({}, 302, {"Location": other.url})]) as server,
        TrustedEndpoint(server.url, {}) as endpoint,
    ):
        assert endpoint.post("x", {}, 5).status == 302
    assert other.questions == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(b"x" * 2000), "longer than 1000 bytes"),
        (
            Reply(gzip.compress(bytes(100_000)), headers={"Content-Encoding": "gzip"}),
            "longer than 1000 bytes",
        ),
        (Reply(b"", endless=True), "longer than 1000 bytes"),
        (Reply({}, wait=2), "no answer within"),
        (Reply(reset=True), "the connection failed"),
    ],
)
def test_answers_are_limited_in_size_and_time(reply: Reply, reason: str) -> None:
    with (
        model([reply]) as server,
        TrustedEndpoint(server.url, {}, most_bytes=1000) as endpoint,
        pytest.raises(Transient, match=reason),
    ):
        endpoint.post("x", {}, 0.3)


def test_retry_after_is_seconds_or_a_date() -> None:
    moment = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=60)
    assert retry_after("12") == 12
    assert 55 < (retry_after(email.utils.format_datetime(moment, usegmt=True)) or 0) <= 60
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("soon") is None
    assert retry_after("-5") is None
    assert retry_after(None) is None

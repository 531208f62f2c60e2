"""A model that fails costs its document nothing: what is read without it stands, and a warning says why."""

from __future__ import annotations

import email.utils
import json
import logging
import time
from typing import Any

import pytest
from pydantic import SecretStr

from docduck import clock
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.endpoint import Question, Reply, model, says
from tests.extraction.extractors.model.reading import FIELDS, INVOICE, Reader
from tests.extraction.extractors.model.test_reading import RIGHT, ROWS, long_document, reads_rows

ENDLESS = Reply(b'{"choices": [', endless=True)


def offline() -> dict[str, Any]:
    return extract_document(INVOICE, parse_fields(FIELDS)).data


def is_read_without_it(found: Extraction, reason: str) -> bool:
    (warning,) = found.warnings
    return (
        found.data == offline() and reason in warning and warning.endswith("the document was read without it")
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply({"error": {"message": "boom"}}, 500), "status 500"),
        (Reply({"error": "slow down"}, 429), "status 429"),
        (Reply({"error": "away"}, 503, {"Retry-After": "0"}), "status 503"),
        (Reply({"error": "no"}, 401), "DOCDUCK_MODEL_API_KEY"),
        (Reply({"error": "no such model"}, 404), "DOCDUCK_MODEL_NAME"),
        (Reply({}, 307, {"Location": "http://example.com/"}), "status 307"),
        (Reply({"error": "no"}, 400), "status 400"),
        (Reply(reset=True), "connection failed"),
        (Reply(b"<html>Bad gateway</html>"), "not one of a chat completion"),
        (Reply([1, 2]), "not one of a chat completion"),
        (Reply({"choices": []}), "not one of a chat completion"),
        (Reply({"choices": [{"message": "hi"}]}), "not one of a chat completion"),
        (Reply(b"[" * 100_000), "not one of a chat completion"),
        (says(""), "no JSON"),
        (says(None), "no JSON"),
        (says("I can't see any document."), "no JSON"),
        (says('{"invoice_number": "RE-2024'), "no JSON"),
        (says('{"invoice_number": NaN}'), "no JSON"),
        (says({"something": "else"}), "no JSON"),
        (says([RIGHT["total"]]), "no JSON"),
        (says("{" * 50_000), "no JSON"),
        (says('{"invoice_number":' * 50_000), "no JSON"),
        (says(None, refusal="I can't help with that"), "refused"),
        (says("", finish="content_filter"), "refused"),
        (says('{"invoice_number": "RE', finish="length"), "cut off"),
    ],
)
def test_whatever_comes_back_the_document_is_read(read: Reader, reply: Reply, reason: str) -> None:
    with model([reply]) as endpoint:
        assert is_read_without_it(read(endpoint.url), reason)


def test_nobody_there(read: Reader) -> None:
    assert is_read_without_it(read("http://127.0.0.1:9/v1", retries=2), "connection failed")


def test_a_slow_model_is_not_waited_for(read: Reader) -> None:
    with model([Reply({}, wait=3)]) as endpoint:
        start = time.monotonic()
        assert is_read_without_it(read(endpoint.url, seconds=0.2), "no answer within")
        assert time.monotonic() - start < 3, "the answer's time"


def test_an_endless_answer_is_cut_off(read: Reader) -> None:
    with model([ENDLESS]) as endpoint:
        assert is_read_without_it(read(endpoint.url), "its answer is longer than")


def test_a_question_that_took_too_long_is_not_asked_again(read: Reader) -> None:
    with model([Reply({}, wait=2)]) as endpoint:
        assert is_read_without_it(read(endpoint.url, seconds=0.3, retries=3), "no answer within")
    assert len(endpoint.questions) == 1


@pytest.mark.parametrize(
    "first",
    [
        Reply({"error": "x"}, 500),
        Reply({"error": "x"}, 429, {"Retry-After": "0"}),
        Reply(reset=True),
        says('{"invoice_number": "RE-2'),
        Reply(b"not json"),
    ],
)
def test_what_fails_once_is_asked_again(read: Reader, first: Reply) -> None:
    with model([first, says(RIGHT)]) as endpoint:
        found = read(endpoint.url, retries=1)
    assert found.warnings == []
    assert found.data["Undertaking"] == "Lighthouse project"
    assert len(endpoint.questions) == 2


def test_a_useless_answer_is_asked_for_once_more_in_another_form(read: Reader) -> None:
    with model([says("I see an invoice.")]) as endpoint:
        assert is_read_without_it(read(endpoint.url, retries=3), "no JSON of the form asked for")
    assert [question.form for question in endpoint.questions] == ["json_schema", "json_object"]


def test_a_question_is_repeated_as_it_was(read: Reader) -> None:
    with model([Reply({}, 500), says(None), says(RIGHT)]) as endpoint:
        assert read(endpoint.url, retries=2).warnings == []
    first, *others = (question.body["messages"] for question in endpoint.questions)
    assert others == [first, first]
    with model([says(RIGHT)]) as endpoint:
        read(endpoint.url)
    assert endpoint.questions[0].body["messages"] != first, "each question has a mark of its own"


@pytest.mark.parametrize(
    "thinking",
    [
        says('<think>Let me see. {"undertaking": "Wrong"}', finish="length"),
        says("", finish="length", reasoning_content='First, {"undertaking": "Wrong"}'),
        says(None, finish="length", reasoning="Let me see"),
    ],
)
def test_a_model_that_only_thought_is_asked_again_not_to(read: Reader, thinking: Reply) -> None:
    with model([thinking, says(RIGHT), thinking]) as endpoint:
        assert read(endpoint.url, retries=1).data["Undertaking"] == "Lighthouse project"
        assert is_read_without_it(read(endpoint.url, retries=1), "DOCDUCK_MODEL_REASONING")
    asked = [question.body.get("reasoning_effort") for question in endpoint.questions]
    assert asked == [None, "none", None, "none"]


def test_thoughts_that_do_not_end_are_no_answer(read: Reader) -> None:
    with model([says('<think>{"undertaking": "Wrong"}')]) as endpoint:
        assert is_read_without_it(read(endpoint.url), "no JSON")


def test_an_answer_among_the_thoughts_counts_if_there_is_no_other(read: Reader) -> None:
    replies = [
        says("", reasoning_content=json.dumps(RIGHT)),
        says({"undertaking": "Lighthouse project"}, reasoning='{"undertaking": "Wrong"}'),
    ]
    with model(replies) as endpoint:
        for _ in replies:
            assert read(endpoint.url).data["Undertaking"] == "Lighthouse project"


def test_further_parameters_and_headers_are_sent(read: Reader, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told = {"error": {"message": "project h1dden-project may not"}}
    with model([says(RIGHT), Reply(told, 403)]) as endpoint:
        for warned in (False, True):
            found = read(
                endpoint.url,
                api_key=SecretStr("k3y-of-the-bearer"),
                extra_headers={"X-Project": SecretStr("h1dden-project")},
                extra_body={"seed": 7, "temperature": 0.5},
                reasoning="low",
            )
            assert bool(found.warnings) is warned
    question = endpoint.questions[0]
    assert (question.body["seed"], question.body["temperature"]) == (7, 0.5)
    assert question.body["reasoning_effort"] == "low"
    assert question.headers["X-Project"] == "h1dden-project"
    assert question.headers["Authorization"] == "Bearer k3y-of-the-bearer"
    assert "project … may not" in found.warnings[0]
    assert "h1dden" not in f"{found}{caplog.text}" and "k3y" not in f"{found}{caplog.text}"


def test_a_header_of_one_s_own_takes_the_place_of_the_key(read: Reader) -> None:
    with model([says(RIGHT)]) as endpoint:
        read(endpoint.url, api_key=SecretStr("k"), extra_headers={"authorization": SecretStr("Basic x")})
    sent = [value for name, value in endpoint.questions[0].headers.items() if name.lower() == "authorization"]
    assert sent == ["Basic x"]


def test_the_seconds_that_were_waited_are_counted(read: Reader) -> None:
    reply = says(RIGHT)
    reply.wait = 0.2
    with model([reply]) as endpoint:
        usage = read(endpoint.url).usage
    assert usage is not None and usage.seconds >= 0.2


def test_it_is_asked_no_more_often_than_set(read: Reader) -> None:
    with model([Reply({}, 500)]) as endpoint:
        read(endpoint.url, retries=2)
    assert len(endpoint.questions) == 3


@pytest.mark.slow
@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_is_honoured(read: Reader, as_date: bool) -> None:
    wait = email.utils.formatdate(clock.now().timestamp() + 2, usegmt=True) if as_date else "1"
    with model([Reply({}, 429, {"Retry-After": wait}), says(RIGHT)]) as endpoint:
        start = time.monotonic()
        assert read(endpoint.url, retries=1).warnings == []
        assert time.monotonic() - start > 0.8


def test_a_wait_beyond_the_document_s_time_is_not_begun(read: Reader) -> None:
    with model([Reply({}, 429, {"Retry-After": "3600"})]) as endpoint:
        start = time.monotonic()
        found = read(endpoint.url, retries=5, model_context=ModelContext(deadline=time.monotonic() + 30))
        assert is_read_without_it(found, "status 429")
        assert time.monotonic() - start < 20


def test_no_question_begins_after_the_document_s_time(read: Reader) -> None:
    with model([says(RIGHT)]) as endpoint:
        assert is_read_without_it(
            read(endpoint.url, model_context=ModelContext(deadline=time.monotonic() - 1)), "no time left"
        )
    assert endpoint.questions == []


@pytest.mark.parametrize(
    "text",
    [
        'Here you are:\n```json\n{"total": 119, "undertaking": "Lighthouse project"}\n```\nBye {}',
        '<think>{"undertaking": "Wrong"} or {maybe}</think>{"undertaking": "Lighthouse project"}',
        '{"total"} {"undertaking": "Lighthouse project", "total": 119}',
    ],
)
def test_the_object_is_found_in_the_text_around_it(read: Reader, text: str) -> None:
    with model([says(text)]) as endpoint:
        assert read(endpoint.url).data["Undertaking"] == "Lighthouse project"


def lacking(*what: str) -> Any:
    """A server that refuses the given forms of answer, or parameters."""

    def script(question: Question) -> Reply:
        refused = [name for name in what if name == question.form or name in question.body]
        if "pictures" in what and question.pictures:
            return Reply({"error": {"message": "this model does not support image input"}}, 400)
        if refused:
            return Reply(
                {"error": {"message": f"'{refused[0]}' is not supported; use {MEANT[refused[0]]}"}}, 400
            )
        return says(RIGHT)

    return script


MEANT = {
    "json_schema": "text",
    "json_object": "text",
    "temperature": "the default temperature",
    "max_tokens": "max_completion_tokens",
}


@pytest.mark.parametrize(
    ("lacks", "asked"),
    [
        (("json_schema",), ["json_schema", "json_object", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", "text", "text"]),
        (("temperature",), ["json_schema", "json_schema", "json_schema"]),
        (("max_tokens", "temperature"), ["json_schema"] * 4),
    ],
)
def test_what_a_server_lacks_is_done_without_and_remembered(
    read: Reader, lacks: tuple[str, ...], asked: list[str]
) -> None:
    with model(lacking(*lacks)) as endpoint:
        for _ in range(2):
            found = read(endpoint.url)
            assert (found.warnings, found.data["Undertaking"]) == ([], "Lighthouse project")
    assert [question.form for question in endpoint.questions] == asked


def test_a_refusal_for_another_reason_is_not_taken_for_a_lack(read: Reader) -> None:
    replies = [*[Reply({"error": "out of order"}, 400)] * 3, says(RIGHT)]
    with model(replies) as endpoint:
        assert read(endpoint.url).warnings
        assert read(endpoint.url).warnings == []
    assert endpoint.questions[-1].form == "json_schema"


def test_pages_that_do_not_fit_are_asked_for_in_parts(read: Reader) -> None:
    def script(question: Question) -> Reply:
        if len(question.pages) > 1:
            return Reply({"error": "This model's maximum context length is 4096 tokens"}, 400)
        return reads_rows(question)

    with model(script) as endpoint:
        found = read(endpoint.url, document=long_document(4), fields=[ROWS])
    assert found.warnings == []
    assert [row["Item"] for row in found.data["Lines"]] == [f"Item{n}" for n in range(80)]


def test_pages_that_the_model_failed_on_are_named(read: Reader) -> None:
    def script(question: Question) -> Reply:
        return says(None, refusal="no") if 1 in question.pages else reads_rows(question)

    with model(script) as endpoint:
        found = read(endpoint.url, document=long_document(12, 40), fields=[ROWS], context_tokens=4096)
    (warning,) = found.warnings
    last = next(one for one in endpoint.questions if 1 in one.pages).pages[-1] - 1
    assert warning == (
        f"The language model could not be used for pages 1–{last} (it refused to answer); "
        "they were read without it"
    )
    assert found.data["Lines"]


@pytest.mark.slow
def test_a_dead_endpoint_is_not_asked_for_every_window(read: Reader) -> None:
    with model([Reply({}, 500)]) as endpoint:
        read(
            endpoint.url, document=long_document(12, 40), fields=[ROWS], context_tokens=4096, max_concurrent=1
        )
    assert len(endpoint.questions) == 1


def test_fields_that_fill_the_context_are_told(read: Reader) -> None:
    wordy = [{"name": f"Field {n}", "description": "word " * 100} for n in range(20)]
    with model([says({})]) as endpoint:
        found = read(endpoint.url, fields=wordy, context_tokens=4096)
    assert endpoint.questions == []
    assert found.warnings == [
        "The fields alone fill the language model's context; the document was read without it"
    ]


def test_the_key_is_sent_and_told_nobody(
    read: Reader, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with model([says(RIGHT), Reply({}, 401)]) as endpoint:
        first = read(endpoint.url, api_key=SecretStr("s3cret-key"))
        second = read(endpoint.url, api_key=SecretStr("s3cret-key"))
    assert endpoint.questions[0].headers["Authorization"] == "Bearer s3cret-key"
    out, err = capfd.readouterr()
    assert "s3cret" not in f"{first}{second}{caplog.text}{out}{err}"


def test_no_proxy_of_the_environment_gets_a_document(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with model([says(RIGHT)]) as endpoint:
        assert read(endpoint.url).warnings == []

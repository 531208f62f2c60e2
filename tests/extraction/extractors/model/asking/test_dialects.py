"""The servers that presets name: what each is sent, and what each says in its own form."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import SecretStr

from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.model_presets import PRESETS
from docduck.extraction.result import Extraction
from tests.endpoint import Endpoint, Question, Reply, model, says
from tests.extraction.extractors.model.asking.test_failures import is_read_without_it
from tests.extraction.extractors.model.reading import Reader
from tests.extraction.extractors.model.test_pictures import TOTAL, pdf, scan
from tests.extraction.extractors.model.test_reading import RIGHT, ROWS, long_document, reads_rows

NAMED = "Lighthouse project"


def asked(endpoint: Endpoint, name: str) -> list[Any]:
    return [question.body.get(name) for question in endpoint.questions]


def error(message: str, **more: Any) -> dict[str, Any]:
    """An error in OpenAI's form."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, **more}}


@pytest.mark.parametrize(
    ("name", "form", "limit", "header", "off"),
    [
        ("ollama", "json_schema", "max_tokens", "Authorization", {"reasoning_effort": "none"}),
        ("lmstudio", "json_schema", "max_tokens", "Authorization", {"reasoning_effort": "none"}),
        (
            "llamacpp",
            "json_schema",
            "max_tokens",
            "Authorization",
            {"chat_template_kwargs": {"enable_thinking": False}},
        ),
        (
            "vllm",
            "json_schema",
            "max_tokens",
            "Authorization",
            {"chat_template_kwargs": {"enable_thinking": False}},
        ),
        ("openai", "json_schema", "max_completion_tokens", "Authorization", {"reasoning_effort": "none"}),
        ("anthropic", "text", "max_tokens", "Authorization", {"thinking": {"type": "disabled"}}),
        ("azure", "json_schema", "max_completion_tokens", "api-key", {"reasoning_effort": "none"}),
        ("gemini", "json_schema", "max_tokens", "Authorization", {"reasoning_effort": "none"}),
        ("mistral", "json_schema", "max_tokens", "Authorization", {"reasoning_effort": "none"}),
    ],
)
def test_what_a_server_is_sent(
    read: Reader, name: str, form: str, limit: str, header: str, off: dict[str, Any]
) -> None:
    options: dict[str, Any] = {"preset": PRESETS[name], "api_key": SecretStr("k")}
    with model([says(RIGHT)]) as endpoint:
        read(endpoint.url, **options)
        read(endpoint.url, **options, reasoning="none")
    usual, quiet = endpoint.questions
    assert (usual.form, header in usual.headers) == (form, True)
    limits = {"max_tokens", "max_completion_tokens"}
    assert limits.intersection(usual.body) == {limit}
    assert {name: value for name, value in quiet.body.items() if name not in usual.body} == off
    assert usual.headers.get("api-key", "Bearer k") == ("k" if header == "api-key" else "Bearer k")


def test_the_version_in_an_address_of_azure_is_sent(read: Reader) -> None:
    with model([says(RIGHT)]) as endpoint:
        deployment = endpoint.url.replace("/v1", "/openai/deployments/a?api-version=2024-10-21")
        assert read(deployment, preset=PRESETS["azure"]).warnings == []
    assert endpoint.questions[0].path == "/openai/deployments/a/chat/completions?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        (
            "llamacpp",
            400,
            {
                "error": {
                    "code": 400,
                    "message": "the request exceeds the available context size, try increasing it",
                    "type": "exceed_context_size_error",
                    "n_prompt_tokens": 9000,
                    "n_ctx": 4096,
                }
            },
        ),
        (
            "lmstudio",
            400,
            {
                "error": "Trying to keep the first 5321 tokens when context the overflows. However, the "
                "model is loaded with context length of only 4096 tokens, which is not enough."
            },
        ),
        (
            "vllm",
            400,
            {
                "object": "error",
                "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 "
                "tokens (3000 in the messages, 2000 in the completion).",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            },
        ),
        (
            "openai",
            400,
            error("This model's maximum context length is 8192 tokens.", code="context_length_exceeded"),
        ),
        (
            "openai",
            429,
            error("Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 4"),
        ),
        (
            "anthropic",
            400,
            error("prompt is too long: 210000 tokens > 200000 maximum", code="invalid_request_error"),
        ),
        (
            "gemini",
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "The input token count (40000) exceeds the maximum number of tokens "
                        "allowed (32768).",
                        "status": "INVALID_ARGUMENT",
                    }
                }
            ],
        ),
        (
            "mistral",
            400,
            {
                "object": "error",
                "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
                "maximum context length",
                "type": "invalid_request_prompt",
                "param": None,
                "code": "3051",
            },
        ),
    ],
)
def test_pages_that_do_not_fit_are_told_of(read: Reader, name: str, status: int, body: Any) -> None:
    def script(question: Question) -> Reply:
        return Reply(body, status) if len(question.pages) > 1 else reads_rows(question)

    with model(script) as endpoint:
        found = read(endpoint.url, long_document(2), [ROWS], preset=PRESETS[name], retries=2)
    assert found.warnings == []
    assert len(found.data["Lines"]) == 40
    assert [question.pages for question in endpoint.questions] == [[1, 2], [1], [2]]


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        (
            "llamacpp",
            500,
            {
                "error": {
                    "code": 500,
                    "message": "image input is not supported - hint: if this is unexpected, you may need to "
                    "provide the mmproj",
                    "type": "server_error",
                }
            },
        ),
        ("ollama", 400, error("this model is missing data required for image input")),
        ("vllm", 400, error("At most 0 image(s) may be provided in one prompt.", code=400)),
        ("lmstudio", 400, {"error": "Model does not support images. Please use a model that does."}),
        ("openai", 400, error("Invalid content type. image_url is only supported by certain models.")),
        ("mistral", 400, {"object": "error", "message": "Image input is not enabled for this model"}),
    ],
)
def test_a_server_that_takes_no_pictures_gets_none(read: Reader, name: str, status: int, body: Any) -> None:
    def script(question: Question) -> Reply:
        return Reply(body, status) if question.pictures else says({"undertaking": NAMED})

    def ask(url: str) -> Extraction:
        data = pdf()
        context = ModelContext.for_file(data, "a.pdf")
        return read(url, scan(data), TOTAL, context, preset=PRESETS[name], vision=True)

    with model(script) as endpoint:
        for _ in range(2):
            assert ask(endpoint.url).data["Undertaking"] == NAMED
    assert [len(question.pictures) for question in endpoint.questions] == [1, 0, 0]
    assert len({question.form for question in endpoint.questions}) == 1, "no other form is tried"


EXHAUSTED = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize(
    ("name", "status", "body", "told"),
    [
        (
            "openai",
            429,
            {"error": {"message": EXHAUSTED, "type": "insufficient_quota", "code": "insufficient_quota"}},
            "You exceeded your current quota",
        ),
        (
            "anthropic",
            400,
            {
                "type": "error",
                "error": {
                    "type": "invalid_request_error",
                    "message": "Your credit balance is too low to access the Anthropic API.",
                },
            },
            "Your credit balance is too low",
        ),
        (
            "gemini",
            429,
            [{"error": {"code": 429, "message": EXHAUSTED, "status": "RESOURCE_EXHAUSTED"}}],
            "You exceeded your current quota",
        ),
        ("mistral", 402, {"detail": "Payment required"}, "Payment required"),
        (
            "ollama",
            404,
            error('model "qwen9" not found, try pulling it first', code=None),
            'model "qwen9" not found, try pulling it first); check DOCDUCK_MODEL_BASE_URL',
        ),
        (
            "azure",
            404,
            {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}},
            "The API deployment does not exist",
        ),
        (
            "azure",
            400,
            {
                "error": {
                    "message": "The response was filtered due to the prompt triggering Azure OpenAI's "
                    "content management policy.",
                    "code": "content_filter",
                    "status": 400,
                }
            },
            "The response was filtered",
        ),
        ("mistral", 401, {"detail": "Unauthorized"}, "(Unauthorized); set DOCDUCK_MODEL_API_KEY"),
        (
            "openai",
            401,
            error("Incorrect API key provided: sk-ab*****1234."),
            "Incorrect API key provided: …",
        ),
    ],
)
def test_what_stays_refused_is_asked_once_and_told(
    read: Reader, name: str, status: int, body: Any, told: str
) -> None:
    with model([Reply(body, status)]) as endpoint:
        assert is_read_without_it(read(endpoint.url, preset=PRESETS[name], retries=3), told)
    assert len(endpoint.questions) == 1


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        (
            "gemini",
            429,
            [
                {
                    "error": {
                        "code": 429,
                        "message": f"{EXHAUSTED}\nPlease retry in 0.05s.",
                        "status": "RESOURCE_EXHAUSTED",
                        "details": [
                            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.05s"}
                        ],
                    }
                }
            ],
        ),
        ("openai", 429, error("Rate limit reached for gpt-x. Please try again in 6ms.")),
        (
            "anthropic",
            529,
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        ),
        (
            "llamacpp",
            503,
            {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}},
        ),
        ("mistral", 503, {"object": "error", "message": "Service unavailable."}),
    ],
)
def test_what_passes_is_waited_for(read: Reader, name: str, status: int, body: Any) -> None:
    with model([Reply(body, status), says(RIGHT)]) as endpoint:
        assert read(endpoint.url, preset=PRESETS[name], retries=1).warnings == []
    first, second = endpoint.questions
    assert first.body == second.body


@pytest.mark.parametrize(
    ("name", "options", "status", "body", "dropped"),
    [
        (
            "openai",
            {},
            400,
            error(
                "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) "
                "value is supported.",
                param="temperature",
                code="unsupported_value",
            ),
            "temperature",
        ),
        (
            "openai",
            {"reasoning": "none"},
            400,
            error("Unsupported parameter: 'reasoning_effort' is not supported with this model."),
            "reasoning_effort",
        ),
        (
            "anthropic",
            {"reasoning": "low"},
            400,
            error("`temperature` may only be set to 1 when thinking is enabled."),
            "temperature",
        ),
        (
            "mistral",
            {"reasoning": "low"},
            422,
            {
                "object": "error",
                "message": {
                    "detail": [
                        {
                            "type": "extra_forbidden",
                            "loc": ["body", "reasoning_effort"],
                            "msg": "Extra inputs are not permitted",
                            "input": "low",
                        }
                    ]
                },
                "type": "invalid_request_error",
            },
            "reasoning_effort",
        ),
        (
            "lmstudio",
            {},
            400,
            {"error": "'response_format.type' must be 'json_schema' or 'text'"},
            "response_format",
        ),
    ],
)
def test_a_parameter_that_a_server_does_not_take_is_left_out_from_then_on(
    read: Reader, name: str, options: dict[str, Any], status: int, body: Any, dropped: str
) -> None:
    def script(question: Question) -> Reply:
        return Reply(body, status) if dropped in question.body else says(RIGHT)

    with model(script) as endpoint:
        for _ in range(2):
            assert read(endpoint.url, preset=PRESETS[name], **options).warnings == []
    assert [dropped in question.body for question in endpoint.questions] == [True, False, False]


@pytest.mark.parametrize(
    ("name", "thought"),
    [
        ("ollama", says("", finish="length", reasoning="The total is")),
        ("vllm", says(None, finish="length", reasoning_content="The total is")),
        ("lmstudio", says("<think>The total is", finish="length")),
        (
            "openai",
            Reply(
                {
                    "choices": [{"message": {"content": ""}, "finish_reason": "length"}],
                    "usage": {"completion_tokens_details": {"reasoning_tokens": 4096}},
                }
            ),
        ),
        (
            "mistral",
            Reply(
                {
                    "choices": [
                        {
                            "message": {
                                "content": [
                                    {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}
                                ]
                            },
                            "finish_reason": "model_length",
                        }
                    ]
                }
            ),
        ),
    ],
)
def test_thinking_that_used_up_the_answer_is_switched_off(read: Reader, name: str, thought: Reply) -> None:
    preset = PRESETS[name]
    with model([thought, says(RIGHT)]) as endpoint:
        assert read(endpoint.url, preset=preset, retries=1).data["Undertaking"] == NAMED
    (off,) = preset.reasoning["none"].items()
    assert asked(endpoint, off[0]) == [None, off[1]]


def test_an_answer_in_parts_is_put_together(read: Reader) -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": '{"undertaking": "Wrong"}'}]},
        {"type": "text", "text": '{"undertaking": '},
        {"type": "text", "text": f'"{NAMED}"}}'},
    ]
    with model([Reply({"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]})]) as endpoint:
        assert read(endpoint.url, preset=PRESETS["mistral"]).data["Undertaking"] == NAMED


@pytest.mark.parametrize("finish", ["length", "model_length", "MAX_TOKENS"])
def test_an_answer_that_was_cut_off_is_told(read: Reader, finish: str) -> None:
    with model([says('{"invoice_number": "RE', finish=finish)]) as endpoint:
        assert is_read_without_it(read(endpoint.url), "its answer was cut off")

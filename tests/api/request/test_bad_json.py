"""What is no JSON, or too much of it, is refused at little cost and leaves nothing."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from docduck.ids import new_id
from tests.api.request.hostile import JSON, nothing_changes, refused, send
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

_TOO_DEEP = "Malformed JSON: it is nested too deeply"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "Malformed JSON: it ends too early"),
        (b"{}x", "Malformed JSON: unexpected 'x' at line 1, column 3"),
        (b'{\n "a" 1}', "Malformed JSON: unexpected '1' at line 2, column 6"),
        (b'{"a": "b}', "Malformed JSON: the string that begins at line 1, column 7 does not end"),
        (b"\xff", "Malformed JSON: it is not UTF-8 at byte 0"),
        (b'{"name":"\xc3"}', "Malformed JSON: it is not UTF-8 at byte 9"),
        (b'{"name":"\xed\xa0\x80"}', "Malformed JSON: it is not UTF-8 at byte 9"),
        ('{"name":"x"}'.encode("utf-16"), "Malformed JSON: it is not UTF-8 at byte 0"),
        (b'{"custom":{"a":NaN}}', "Malformed JSON: NaN is no JSON number"),
        (b'{"custom":{"a":-Infinity}}', "Malformed JSON: -Infinity is no JSON number"),
        (b'{"custom":{"a":1e400}}', "Malformed JSON: the number 1e400 is too large"),
        (b'{"custom":{"a":%s}}' % (b"9" * 5000), "Malformed JSON: a number has more digits than can be kept"),
        (b'{"custom":{"a":["\\u0000"]}}', "custom.a.0 holds a NUL character, which can't be stored"),
        (b'{"custom":{"\\u0000":1}}', "custom holds a NUL character, which can't be stored"),
        (b'{"custom":{"\\ud800":1}}', "custom holds half a character (a lone surrogate)"),
        (b'{"name":"\\uDC00"}', "name holds half a character (a lone surrogate)"),
        (b'{"\\ud800":1}', "The body holds half a character (a lone surrogate)"),
        (b"[" * 10_000, _TOO_DEEP),
        (b"[" * 5_000_000, "The body holds too many values: at most 500000"),
        (b'{"custom":%s1%s}' % (b'{"a":' * 10_000, b"}" * 10_000), _TOO_DEEP),
        (b'{"custom":%s1%s}' % (b'{"a":' * 64, b"}" * 64), _TOO_DEEP),
        (b'{"name":"\\u001b[31m"}', "name: must not hold control characters"),
        (b'{"name":"a\\r\\nX-Evil: 1"}', "name: must not hold control characters"),
        (b'{"name":".."}', "name: must not be only dots"),
        (b'{"documentIds":[%s1]}' % (b"1," * 3_000_000), "The body holds too many values: at most 500000"),
        (b'{"x":[%s1]}' % (b"[]," * 3_000_000), "The body holds too many values: at most 500000"),
        (b'{"x":[' + b'"\\"' * 3_000_000, "The body holds too many values: at most 500000"),
        (
            json.dumps({f"k{i}": 1 for i in range(6000)}).encode(),
            "An object in the body has too many keys: at most 5000",
        ),
        (b'{"name":"a","custom":{},"name":"b"}', "Property given twice: name"),
        (b'{"custom":{"a":[{"b":1,"b":1}]}}', "Property given twice: b"),
        (b'{"\\ud800":1,"\\ud800":1}', "Property given twice: ?"),
        (b"", "The body is required"),
    ],
    ids=range(32),
)
def test_what_is_no_json_or_too_much_of_it(shared: Api, content: bytes, message: str) -> None:
    p = shared.parser()
    d = shared.upload(p)
    with nothing_changes(shared):
        begin = time.monotonic()
        answer = send(shared, "PATCH", f"/parsers/{p}/documents/{d}", content)
        assert time.monotonic() - begin < 30, "quadratic in its length"
        if content.startswith(b'{"x":["\\"'):
            refused(answer, 400)
        else:
            refused(answer, 400, message)


def test_text_that_only_looks_like_many_values_is_taken(shared: Api) -> None:
    p = shared.parser()
    answer = shared.patch(f"/parsers/{p}", json={"description": "[{," * 3000})
    assert answer.status_code == 200
    d = shared.upload(p)
    shared.process(p)
    text = '\\",[{' * 200_000
    answer = shared.patch(f"/parsers/{p}/documents/{d}/data", json={"data": {"Number": text}})
    assert answer.status_code == 200, answer.text[:300]
    assert answer.json()["data"]["Number"] == text


def test_escaped_characters_arrive_as_they_are(shared: Api) -> None:
    p = shared.parser()
    d = shared.upload(p)
    body = '{"custom":{"\\ud83d\\ude00":"\\u00df\\u2028","n":18446744073709551616,"s":0.1,"b":[[],{}]}}'
    answer = send(shared, "PATCH", f"/parsers/{p}/documents/{d}", body)
    assert answer.json()["custom"] == {"😀": "ß\u2028", "n": 2**64, "s": 0.1, "b": [[], {}]}


def test_a_wrong_list_is_told_once(shared: Api) -> None:
    p = shared.parser()
    begin = time.monotonic()
    answer = shared.post(f"/parsers/{p}/documents/delete", json={"documentIds": [1] * 200_000})
    assert len(refused(answer, 400)["details"]) == 1
    unknown = {f"k{i}": 1 for i in range(4000)}
    answer = shared.patch(f"/parsers/{p}", json=unknown)
    assert len(refused(answer, 400)["details"]) == 100
    assert time.monotonic() - begin < 30, "quadratic in their number"


def test_others_are_served_while_a_large_body_is_read(lite: Api) -> None:
    p = lite.parser()
    large = json.dumps({"documentIds": [new_id()] * 100_000})
    with ThreadPoolExecutor(4) as threads:
        sent = [threads.submit(send, lite, "POST", f"/parsers/{p}/documents/delete", large) for _ in range(4)]
        served = 0
        while not all(one.done() for one in sent):
            assert lite.get(f"{lite.address}/healthz").status_code == 200
            served += 1
    assert {one.result().status_code for one in sent} == {400}
    assert served > 2 * len(sent), "each holds up no more than one"


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large(make_installation: MakeInstallation, chunked: bool) -> None:
    with serving(make_installation(max_json_bytes=2000)) as api:
        body = b'{"name":"%s"}' % (b"x" * 3000)
        pieces = iter([body[i : i + 100] for i in range(0, len(body), 100)])
        with nothing_changes(api):
            answer = api.post("/parsers", content=pieces if chunked else body, headers=JSON)
            refused(answer, 413, "Request body too large: at most 2000 bytes")


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x", "text/json"]
)
def test_a_content_type_that_is_no_json(shared: Api, kind: str) -> None:
    with nothing_changes(shared):
        answer = shared.post("/parsers", content=b'{"name":"x"}', headers={"Content-Type": kind})
        refused(answer, 400, "Send the body as JSON, with Content-Type: application/json")

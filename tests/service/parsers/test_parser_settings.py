"""The settings object of a parser."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from docduck.errors import InputError
from docduck.extraction.lexicon import words
from docduck.fields import parse_fields
from docduck.service.parsers.field_settings import check_field_settings
from docduck.service.parsers.parser_settings import merge_settings, read_settings
from docduck.service.parsers.settings_schema import ParserSettings, ReadingLocale

FIELDS = parse_fields(
    [{"name": "No.", "type": "text"}, {"name": "Items", "type": "table", "columns": [{"name": "Account"}]}]
)


def problems(changes: dict[str, Any], prefix: str = "settings") -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        merge_settings({}, changes, prefix)
    return list(caught.value.details)


def test_nothing_is_kept_but_what_was_said_and_objects_are_merged() -> None:
    assert merge_settings({}, {}) == {}
    first = merge_settings({}, {"emailParsing": {"parseEmailBody": False}})
    assert first == {"emailParsing": {"parseEmailBody": False}}
    both = merge_settings(first, {"emailParsing": {"senderFilter": {"mode": "deny"}}, "parsePages": None})
    assert both == {
        "emailParsing": {"parseEmailBody": False, "senderFilter": {"mode": "block"}},
        "parsePages": "",
    }
    gate = {"enabled": True, "labels": ["a", "b"], "instructions": "i"}
    stored = merge_settings({}, {"classificationGate": gate})
    merged = merge_settings(stored, {"classificationGate": {"labels": [" c ", "c"]}})
    assert merged["classificationGate"] == {**gate, "labels": ["c"]}


def test_split_modes_need_their_keys() -> None:
    for word, meant in (("smart", "ai"), ("auto", "ai"), ("pageRanges", "pageRanges")):
        kept = merge_settings({}, {"splitDocuments": {"mode": word}})
        assert kept == {"splitDocuments": {"mode": meant}}
    for mode in ("everyXPages", "pageRanges", "partitionKey"):
        told = [(f"settings.splitDocuments.{mode}", f"mode '{mode}' needs it")]
        assert problems({"splitDocuments": {"enabled": True, "mode": mode}}) == told
        assert merge_settings({}, {"splitDocuments": {"enabled": False, "mode": mode}})
    assert merge_settings({}, {"splitDocuments": {"enabled": True, "mode": "ai"}})


def test_turning_on_what_was_left_incomplete_is_refused() -> None:
    stored = merge_settings({}, {"classificationGate": {"mode": "skip"}, "splitDocuments": {}})
    with pytest.raises(InputError, match=r"^classificationGate\.labels must not be empty$"):
        merge_settings(stored, {"classificationGate": {"enabled": True}}, "")
    stored = merge_settings(stored, {"classificationGate": {"enabled": True, "labels": ["a"]}})
    with pytest.raises(InputError, match=r"^classificationGate\.labels must not be empty$"):
        merge_settings(stored, {"classificationGate": {"labels": []}}, "")


def test_everything_that_is_wrong_is_told_with_its_place() -> None:
    wrong = {
        "splitDocuments": {"everyXPages": 1_000_001, "pageRanges": "3-", "instructions": 5},
        "emailParsing": {"attachmentFileTypes": [1], "senderFilter": {"mode": "Allow"}},
        "classificationGate": {"costPerDocument": "free", "labels": ["x" * 256]},
        "colour": "red",
    }
    assert {place for place, _ in problems(wrong, "")} == {
        "splitDocuments.everyXPages",
        "splitDocuments.instructions",
        "emailParsing.attachmentFileTypes.0",
        "emailParsing.senderFilter.mode",
        "classificationGate.costPerDocument",
        "classificationGate.labels.0",
        "colour",
    }
    assert problems({"splitDocuments": {"every_x_pages": 2}}) == [
        ("settings.splitDocuments.every_x_pages", "Unknown property: every_x_pages")
    ]


def test_an_empty_text_is_no_value() -> None:
    changes = {
        "splitDocuments": {"pageRanges": "", "instructions": "", "partitionKey": ""},
        "classificationGate": {"instructions": ""},
        "documentNameTemplate": "",
    }
    unset = {"pageRanges": None, "instructions": None, "partitionKey": None}
    assert merge_settings({}, changes) == {
        "splitDocuments": unset,
        "classificationGate": {"instructions": None},
        "documentNameTemplate": None,
    }


def test_the_languages_are_those_whose_habits_are_known() -> None:
    known = get_args(ReadingLocale.model_fields["language"].annotation)
    assert set(known) == {"auto", *words()["decimal_separator"]} == {"auto", *words()["day_first"]}


@pytest.mark.parametrize("value", ["ann@example.com", "a.b+c@x", "@x", "a@", "", " ", "a b@c.d", "x.org"])
def test_senders(value: str) -> None:
    for kind, fits in (("email", ["ann@example.com", "a.b+c@x"]), ("domain", ["x.org"])):
        changes = {"emailParsing": {"senderFilter": {"rules": [{"type": kind, "value": value}]}}}
        if value in fits:
            assert merge_settings({}, changes) == changes
        else:
            assert problems(changes, "")[0][0].startswith("emailParsing.senderFilter.rules.0")


@pytest.mark.parametrize(
    ("key", "source", "known"),
    [
        ("No.", "parserField", True),
        ("Items.Account", "parserField", True),
        ("Account", "parserField", False),
        ("Items.", "parserField", False),
        ("", "parserField", True),
        ("account number", "custom", True),
    ],
)
def test_a_partition_key_is_a_field(key: str, source: str, known: bool) -> None:
    settings = read_settings({"splitDocuments": {"partitionKey": key, "partitionKeySource": source}})
    if known:
        check_field_settings(settings, FIELDS)
    else:
        with pytest.raises(InputError) as caught:
            check_field_settings(settings, FIELDS)
        assert caught.value.path == "splitDocuments.partitionKey"


def test_defaults_are_valid_and_complete() -> None:
    shown = ParserSettings().model_dump(mode="json", by_alias=True)
    assert ParserSettings.model_validate(shown) == ParserSettings()
    assert set(shown) == {
        *("acceptedFileTypes", "confidenceScores", "markdownParsing", "advancedTableExtraction"),
        *("dataExtractionMode", "splitDocuments", "classificationGate", "emailParsing", "parsePages"),
        *("modelUse", "model"),
        *("readingLocale", "documentNameTemplate", "duplicateKeys", "unsureBelow", "retentionDays"),
    }


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"confidenceScores": True}, "confidenceScores", "must be an object"),
        ({"markdownParsing": {"enabled": 1}}, "markdownParsing.enabled", "must be true or false"),
        (
            {"acceptedFileTypes": ["pdf"]},
            "acceptedFileTypes",
            "'pdf' is no MIME type such as application/pdf",
        ),
        ({"splitDocuments": {"everyXPages": 0}}, "splitDocuments.everyXPages", "must be at least 1"),
        ({"splitDocuments": {"everyXPages": 2.5}}, "splitDocuments.everyXPages", "must be an integer"),
        ({"splitDocuments": None}, "splitDocuments", "must be an object"),
        ({"classificationGate": {"labels": [" "]}}, "classificationGate.labels", "labels must not be blank"),
        ({"classificationGate": {"costPerDocument": -1}}, "classificationGate.costPerDocument", "at least 0"),
        (
            {"readingLocale": {"timeZone": "Berlin"}},
            "readingLocale.timeZone",
            "'Berlin' is no time zone such",
        ),
        ({"readingLocale": {"language": "svenska"}}, "readingLocale.language", "must be 'auto', 'cs', 'da'"),
        ({"parsePages": "0-2"}, "parsePages", "'0-2' is not a page or page range; write pages like 1, 2-4"),
        ({"documentNameTemplate": "{Number"}, "documentNameTemplate", "braces must enclose the name of a"),
        ({"documentNameTemplate": " "}, "documentNameTemplate", "must not be blank; null leaves documents"),
        ({"documentNameTemplate": "x" * 501}, "documentNameTemplate", "must have at most 500 characters"),
        ({"duplicateKeys": ["a"] * 11}, "duplicateKeys", "must have at most 10 items"),
        ({"duplicateKeys": None}, "duplicateKeys", "must be an array"),
        ({"retentionDays": 0}, "retentionDays", "must be at least 1"),
        ({"retentionDays": 3651}, "retentionDays", "must be at most 3650"),
        ({"retentionDays": "30"}, "retentionDays", "must be an integer"),
    ],
)
def test_what_is_wrong_is_told_in_words(changes: dict[str, Any], place: str, words: str) -> None:
    (problem,) = problems(changes, "")
    assert problem[0] == place and words in problem[1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"splitDocuments": {"partitionKey": "Sum"}},
            "splitDocuments.partitionKey: the parser has no field 'Sum'",
        ),
        ({"documentNameTemplate": "Invoice {Sum}"}, "documentNameTemplate: the parser has no field 'Sum'"),
        (
            {"documentNameTemplate": "{Items}"},
            "documentNameTemplate: 'Items' is a table; name a field with one value",
        ),
        ({"duplicateKeys": ["no.", "Sum"]}, "duplicateKeys.1: the parser has no field 'Sum'"),
        ({"duplicateKeys": ["Items"]}, "duplicateKeys.0: 'Items' is a table; name a field with one value"),
    ],
)
def test_settings_name_fields_that_have_one_value(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_field_settings(read_settings(settings), FIELDS)
    assert caught.value.message == message and message.startswith(f"{caught.value.path}: ")


def test_other_words_for_modes() -> None:
    for word in ("deny", "skip", "exclude"):
        gate = merge_settings({}, {"classificationGate": {"mode": word}})
        assert gate == {"classificationGate": {"mode": "block"}}
    for meant, synonyms in (("allow", ("allowlist", "whitelist")), ("block", ("blocklist", "blacklist"))):
        for word in synonyms:
            changes = {"emailParsing": {"senderFilter": {"mode": word}}}
            assert merge_settings({}, changes) == {"emailParsing": {"senderFilter": {"mode": meant}}}

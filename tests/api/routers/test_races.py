"""Requests for the same thing at the same time: one wins, the others are told, and nothing breaks."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import exists, func, select

from docduck.catalog.models import Document, Folder, SearchEntry, StoredFile
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

Call = tuple[str, str, dict[str, Any]]


def race(api: Api, calls: Sequence[Call], threads: int = 12) -> Counter[int]:
    """How often each status was answered."""

    def one(call: Call) -> int:
        method, path, more = call
        answer = api.request(method, path, **more)
        assert answer.status_code < 500, (method, path, answer.text)
        return answer.status_code

    with ThreadPoolExecutor(threads) as pool:
        return Counter(pool.map(one, calls))


def test_one_of_many_takes_a_name(api: Api) -> None:
    p = api.parser()
    at = f"/parsers/{p}"
    docs = [api.upload(p, f"Number: {i}".encode()) for i in range(8)]
    assert race(api, [("POST", f"{at}/fields", {"json": {"name": "F"}})] * 8) == {201: 1, 409: 7}
    assert race(api, [("POST", f"{at}/folders", {"json": {"name": "F"}})] * 8) == {201: 1, 409: 7}
    changes: list[Call] = [("PATCH", f"{at}/documents/{d}", {"json": {"externalId": "E"}}) for d in docs]
    assert race(api, changes) == {200: 1, 409: 7}
    uploads: list[Call] = [
        (
            "POST",
            f"/process/{p}/files",
            {"files": {"file": ("a.txt", f"{i}".encode())}, "data": {"externalIds": '["U"]'}},
        )
        for i in range(8)
    ]
    assert race(api, uploads) == {200: 1, 400: 7}
    assert race(api, [("POST", "/parsers", {"json": {"name": "Same"}})] * 8) == {201: 8}
    slugs = [one["slug"] for one in api.get("/parsers").json()["data"]]
    assert len(slugs) == len(set(slugs)) == 9


def test_many_writers_of_one_document_all_succeed(api: Api) -> None:
    p = api.parser()
    document = api.upload(p)
    api.process(p)
    at = f"/parsers/{p}/documents/{document}"
    changes: list[Call] = [("PATCH", at, {"json": {"custom": {"n": i}}}) for i in range(20)]
    changes += [("PATCH", f"{at}/data", {"json": {"data": {"Total": i}}}) for i in range(4)]
    assert race(api, changes, threads=24) == {200: 24}


def test_folders_never_become_a_circle(api: Api) -> None:
    p = api.parser()
    ids = [api.post(f"/parsers/{p}/folders", json={"name": f"{i}"}).json()["id"] for i in range(6)]
    moves: list[Call] = [
        ("PATCH", f"/parsers/{p}/folders/{one}", {"json": {"parentId": other}})
        for one in ids
        for other in ids
        if one != other
    ]
    random.Random(7).shuffle(moves)
    assert set(race(api, moves)) <= {200, 409}
    assert len(api.get(f"/parsers/{p}/folders").json()["data"]) == 6


@pytest.mark.extended
@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_changes_and_deletions_at_once(
    make_installation: MakeInstallation, request: pytest.FixtureRequest, database: str
) -> None:
    address = request.getfixturevalue("postgres_database") if database == "postgres" else None
    inst = make_installation(catalog_url=address, rate_limit_minute=0, rate_limit_day=0)
    with serving(inst) as api:
        p = api.parser()
        chance = random.Random(11)
        for turn in range(6):
            race(api, _everything_at_once(api, p, turn, chance))
        api.process(p)
        _holds_together(api)


def _everything_at_once(api: Api, p: str, turn: int, chance: random.Random) -> list[Call]:
    at = f"/parsers/{p}"
    docs = [
        api.upload(p, f"Number: {turn}-{i}\n".encode(), externalIds=json.dumps([f"x{turn}-{i}"]))
        for i in range(16)
    ]
    folders = [api.post(f"{at}/folders", json={"name": f"{turn}-{i}"}).json()["id"] for i in range(4)]
    if turn % 2:
        api.process(p)
    calls: list[Call] = []
    for i in range(8):
        some, folder = chance.sample(docs, 8), chance.choice(folders)
        calls += [
            ("PATCH", f"{at}/documents", {"json": {"documentIds": some, "folderId": folder}}),
            (
                "POST",
                f"{at}/documents/bulk-update",
                {"json": {"documentIds": some[::-1], "custom": {"a": i}}},
            ),
            ("POST", f"{at}/documents/delete", {"json": {"documentIds": some[:2]}}),
            ("DELETE", f"{at}/documents/{some[2]}", {}),
            (
                "PATCH",
                f"{at}/documents/{some[3]}",
                {"json": {"externalId": f"x{turn}-{i}", "folderId": folder}},
            ),
            ("POST", f"{at}/documents/{some[4]}/reprocess", {}),
            ("PATCH", f"{at}/documents/{some[5]}/data", {"json": {"data": {"Total": i}}}),
            (
                "POST",
                f"/process/{p}/files",
                {
                    "files": {"file": ("a.txt", f"Number: {turn}-{i}\n".encode())},
                    "data": {"folderId": folder},
                },
            ),
            ("GET", f"{at}/documents/{some[6]}", {}),
            ("POST", f"{at}/documents/search", {"json": {"q": "a"}}),
        ]
    calls += [("DELETE", f"{at}/folders/{one}?deleteDocuments=true", {}) for one in folders]
    calls += [("DELETE", f"{at}/folders/{one}", {}) for one in folders]
    chance.shuffle(calls)
    return calls


def _holds_together(api: Api) -> None:
    """Folders are there, files are counted right, and every document can be found."""
    with api.inst.catalog.read_session() as session:
        lost = select(func.count()).where(
            Document.folder_id.is_not(None), ~exists().where(Folder.id == Document.folder_id)
        )
        assert session.scalar(lost) == 0
        documents = session.scalar(select(func.count()).select_from(Document))
        assert session.scalar(select(func.count()).select_from(SearchEntry)) == documents
        used = (
            select(func.count())
            .where(Document.sha256 == StoredFile.sha256)
            .correlate(StoredFile)
            .scalar_subquery()
        )
        miscounted = select(func.count()).select_from(StoredFile).where(StoredFile.refs < used)
        assert session.scalar(miscounted) == 0

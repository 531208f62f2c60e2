"""Mistyped addresses."""

from __future__ import annotations

from tests.server.served import Api

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_a_mistyped_address_of_a_page_is_a_page(lite: Api) -> None:
    for path in ("/documets", "/parsers/a/b/c/d", "/static/none.css", "/<script>"):
        found = lite.get(f"{lite.address}{path}", headers=BROWSER)
        assert found.status_code == 404
        assert found.headers["content-type"].startswith("text/html")
        assert "There is no such page" in found.text and "<script>" not in found.text
        assert "default-src 'none'" in found.headers["content-security-policy"]
        told = lite.get(f"{lite.address}{path}")
        assert (told.status_code, told.json()["message"]) == (404, "Not found")


def test_addresses_for_programs_are_answered_with_json(lite: Api) -> None:
    for path in ("/api/v1/documets", "/v1/parsers/", "/api/none", "/mcp/none", "/.well-known/x"):
        found = lite.get(f"{lite.address}{path}", headers=BROWSER)
        assert (found.status_code, found.headers["content-type"]) == (404, "application/json"), path

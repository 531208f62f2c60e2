"""The upload page in Chromium: on a desk, on a phone, and in another site's page."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browser import browsing, chromium, expect
from tests.server.served import Api
from tests.web.pages import entered
from tests.web.test_upload_page import documents, page_of
from tests.web.visits import Visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]

DROP = """
(names) => {
  const data = new DataTransfer();
  for (const name of names) data.items.add(new File(["Number: 1 " + name], name, {type: "text/plain"}));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.getElementById("drop").dispatchEvent(
      new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
  }
}
"""

RECORD = """
() => {
  window.shown = [];
  const note = () => window.shown.push(document.querySelector("#list li:last-child .state").textContent);
  new MutationObserver(note).observe(
    document.getElementById("list"), {subtree: true, childList: true, characterData: true});
}
"""
"""Remembers each text of the last file's state."""


@contextmanager
def site(parts: list[str]) -> Iterator[str]:
    """Another site with one page, written in parts; gives its origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write("".join(parts).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_dropped_files_show_their_progress_and_result(lite: Api) -> None:
    address = page_of(lite, parser_id=lite.parser(acceptedFileTypes=["text/plain"]), title="Your bills")
    with browsing() as (page, complaints):
        page.goto(address)
        expect(page.get_by_role("heading", name="Your bills")).to_be_visible()
        expect(page.get_by_role("button", name="Send")).to_be_hidden()
        expect(page.get_by_text("Drop files here")).to_be_visible()
        expect(page.get_by_text("Take a photo")).to_be_hidden()
        held: list[Any] = []
        page.route("**/files", lambda route: route.continue_() if held else held.append(route))
        page.evaluate(DROP, ["a.txt", "b.txt"])
        rows = page.locator("#list li")
        expect(rows).to_have_count(2)
        expect(rows.nth(0).locator("progress")).to_be_visible()
        expect(rows.nth(1)).to_contain_text("Waiting")
        expect(page.get_by_role("status")).to_have_text("0 of 2 received so far")
        held[0].continue_()
        expect(rows.nth(0)).to_contain_text("Received", timeout=20_000)
        expect(rows.nth(1)).to_contain_text("Received", timeout=20_000)
        expect(page.locator("#list progress:visible")).to_have_count(0)
        expect(page.get_by_role("status")).to_have_text("2 of 2 received")
        page.set_input_files(
            "#files", {"name": "x.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4\n%%EOF"}
        )
        expect(rows.nth(2)).to_contain_text("This type of file is not accepted")
        expect(page.get_by_role("status")).to_have_text("2 of 3 received, 1 not accepted")
        page.evaluate(RECORD)
        large = {"name": "c.txt", "mimeType": "text/plain", "buffer": b"Number: 1\n" * 500_000}
        page.set_input_files("#files", large)
        expect(rows.nth(3)).to_contain_text("Received", timeout=20_000)
        shown = page.evaluate("window.shown")
        assert any(re.fullmatch(r"Sending, \d+ %|Sent, being stored", text) for text in shown), shown
    # Chromium itself tells of the refused request.
    assert [one for one in complaints if "400 (Bad Request)" not in one] == []
    sent = [(name, "upload_page") for name in ("a.txt", "b.txt", "c.txt")]
    assert [one[:2] for one in documents(lite)] == sent


def test_what_failed_can_be_sent_again(lite: Api) -> None:
    address = page_of(lite, files_per_hour=2)
    with browsing() as (page, _):
        page.goto(address)
        page.route("**/files", lambda route: route.abort())
        page.evaluate(DROP, ["a.txt"])
        row = page.locator("#list li").first
        expect(row).to_contain_text("The file could not be sent")
        page.unroute("**/files")
        row.get_by_role("button", name="Try again").click()
        expect(row).to_contain_text("Received")
        page.evaluate(DROP, ["b.txt", "c.txt", "d.txt"])
        rows = page.locator("#list li")
        expect(rows.nth(1)).to_contain_text("Received")
        for late in (2, 3):
            expect(rows.nth(late)).to_contain_text("You can send 2 files an hour")
        expect(page.get_by_role("status")).to_have_text("2 of 4 received, 2 not accepted")
    assert [name for name, _, _ in documents(lite)] == ["a.txt", "b.txt"]


def test_names_of_files_are_text(lite: Api) -> None:
    name = "<img src=x onerror=document.title='hit'>.txt"
    with browsing() as (page, complaints):
        page.goto(page_of(lite, title="<b>Bills</b>"))
        page.evaluate(DROP, [name])
        expect(page.locator("#list li .name")).to_have_text(name)
        expect(page.locator("#list li")).to_contain_text("Received")
        assert page.title() == "<b>Bills</b>"
    assert complaints == []


@pytest.mark.extended
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(lite: Api, scheme: str, tmp_path: Path) -> None:
    address = page_of(lite, message="A photo of each receipt, please. " * 5)
    picture = tmp_path / "a-photo-with-a-very-long-name-from-the-camera-of-a-phone-20260301-101112.png"
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with chromium() as browser:
        visit = Visit(browser, lite, **phone, color_scheme=scheme)
        page = visit.page
        page.goto(address)
        page.screenshot(path=picture)
        camera = page.locator("#camera")
        assert (camera.get_attribute("capture"), camera.get_attribute("accept")) == ("environment", "image/*")
        expect(page.get_by_text("Take a photo")).to_be_visible()
        expect(page.get_by_text("Drop files here")).to_be_hidden()
        for choice in page.locator(".choice").all():
            box = choice.bounding_box()
            assert box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 360
        camera.set_input_files(picture)
        row = page.locator("#list li")
        expect(row).to_contain_text("Received")
        expect(row.locator("img")).to_be_visible()
        assert row.locator("img").evaluate("one => one.naturalWidth") == 360
        visit.check()
    assert [one[:2] for one in documents(lite)] == [(picture.name, "upload_page")]


def test_without_scripts(lite: Api, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Number: 1")
    with browsing(java_script_enabled=False) as (page, _):
        page.goto(page_of(lite))
        page.set_input_files("#files", file)
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        expect(page.get_by_role("listitem")).to_contain_text("Received")
        page.get_by_role("link", name="Send more files").click()
        expect(page.get_by_role("button", name="Send")).to_be_visible()
    assert [name for name, _, _ in documents(lite)] == ["a.txt"]


def test_in_pages_of_its_owner_s_choice_alone(lite: Api) -> None:
    parser_id = lite.parser()
    copied: list[str] = []
    with site(copied) as mine, site(copied) as evil, entered(lite) as owner:
        page_of(lite, parser_id=parser_id, embed_origins=[mine])
        snippet = re.search(r"(&lt;iframe .*)</textarea>", owner.get("/parsers/invoices/settings").text)
        assert snippet is not None
        copied.append(html.unescape(snippet[1]))
        with browsing() as (page, complaints):
            page.goto(evil)
            expect(page.frame_locator("iframe").get_by_role("heading")).to_have_count(0)
            assert any("frame-ancestors" in one for one in complaints)
            page.goto(mine)
            frame = page.frame_locator("iframe")
            expect(frame.get_by_role("heading", name="Upload documents")).to_be_visible()
            frame.locator("#files").set_input_files(
                {"name": "a.txt", "mimeType": "text/plain", "buffer": b"Number: 1"}
            )
            expect(frame.get_by_role("status")).to_have_text("1 of 1 received")
        ((name, source, detail),) = documents(lite)
        assert (name, source, detail["origin"]) == ("a.txt", "embed", mine)

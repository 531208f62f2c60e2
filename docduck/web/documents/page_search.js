// Finding text on the pages of a document; the server looks through some pages at a time.

import { reveal } from "./pages.js";

const PAUSE = 250; // milliseconds after the last key

export class PageSearch {
  constructor(root, pages) {
    this.pages = pages;
    this.input = root.querySelector("#find");
    this.result = root.querySelector("#find-result");
    this.hits = []; // {page, box}, in the order of the pages
    this.at = -1;
    this.input.addEventListener("input", () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.#search(), PAUSE);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && this.input.value) {
        this.input.value = "";
        this.#search();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    root.querySelector("#find-next").addEventListener("click", () => this.step(1));
    root.querySelector("#find-previous").addEventListener("click", () => this.step(-1));
  }

  // Handles a key; returns whether it was one of these. Ctrl+F is the browser's outside of the pages.
  key(event) {
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f" && event.target.closest(".pages");
    const isSlash = event.key === "/" && !event.target.matches("input, textarea, select");
    if (!isFind && !isSlash) return false;
    this.input.focus();
    this.input.select();
    return true;
  }

  step(by) {
    if (!this.hits.length) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    this.pages.show(this.hits[this.at].page);
    this.show();
  }

  // Shows what was found on the page that is shown.
  show() {
    for (const mark of this.pages.boxes.querySelectorAll(".match")) mark.remove();
    this.hits.forEach(({ page, box }, number) => {
      if (page !== this.pages.number) return;
      const mark = this.pages.mark(number === this.at ? "match now" : "match");
      this.pages.place(mark, box);
      if (number === this.at) reveal(mark, this.pages.area);
    });
    this.#tell();
  }

  async #search() {
    this.searching?.abort();
    this.searching = new AbortController();
    const { signal } = this.searching;
    [this.hits, this.at, this.next, this.failed] = [[], -1, null, false];
    const text = this.input.value.trim();
    this.next = text ? 1 : null;
    while (this.next) {
      const query = new URLSearchParams({ text, first: this.next });
      const answer = await fetch(`/documents/${this.pages.root.dataset.id}/find?${query}`, { signal }).catch(() => null);
      if (signal.aborted) return;
      this.failed = !answer?.ok;
      const part = this.failed ? { hits: [], next: null } : await answer.json();
      this.hits.push(...part.hits.map(([page, ...box]) => ({ page, box })));
      this.next = part.next;
      if (this.at < 0 && this.hits.length) this.#begin();
      else this.show();
    }
    this.show();
  }

  // Goes to what is found first from the page on that is shown.
  #begin() {
    this.at = Math.max(0, this.hits.findIndex(({ page }) => page >= this.pages.number)) - 1;
    this.step(1);
  }

  #tell() {
    const count = this.hits.length;
    const of = `${this.at + 1} of ${count}`;
    if (this.failed) this.result.textContent = "The pages can't be searched now";
    else if (this.next) this.result.textContent = `${count ? `${of}, ` : ""}searching page ${this.next} …`;
    else this.result.textContent = count ? of : this.input.value.trim() ? "not found" : "";
  }
}

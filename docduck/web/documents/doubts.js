// The values to look at: which is next, what the checks say, and what was confirmed.

import { element } from "./modal.js";

export class Doubts {
  constructor(root, values) {
    this.root = root;
    this.values = values;
    this.count = root.querySelector("#doubt-count");
    root.querySelector("#fields")?.addEventListener("click", (event) => {
      const line = event.target.closest(".doubt a")?.closest(".doubt");
      if (!line) return;
      event.preventDefault();
      const cell = cellOf(line);
      if (cell) values.focus(cell);
    });
  }

  // The values in their order: that of the page, at the time it was loaded.
  all() {
    return this.#marks().map(([, value]) => value);
  }

  // Returns the value to look at after (1) or before (-1) an element, or the first of the others; null without any.
  next(from, by = 1) {
    const marks = this.#marks().filter(([, value]) => value !== from);
    if (!marks.length) return null;
    const place = from && (this.#lineOf(from) ?? from);
    const follows = ([mark]) => place && place.compareDocumentPosition(mark) & (by > 0
      ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING);
    const mark = by > 0 ? marks.find(follows) : marks.findLast(follows);
    return (mark ?? (by > 0 ? marks[0] : marks[marks.length - 1]))[1];
  }

  // Shows a value as right; returns a function that shows it as it was.
  settle(value) {
    const sure = value.querySelector(".sure") ?? this.#lineOf(value)?.querySelector(".sure");
    const was = { look: "look" in value.dataset, edited: value.classList.contains("edited"), sure: sure?.textContent };
    delete value.dataset.look;
    value.classList.add("edited");
    if (sure) sure.textContent = "confirmed";
    this.#lineOf(value)?.classList.add("edited");
    this.#showCount();
    return () => {
      if (was.look) value.dataset.look = "";
      value.classList.toggle("edited", was.edited);
      if (sure) sure.textContent = was.sure;
      this.#lineOf(value)?.classList.toggle("edited", was.edited);
      this.#showCount();
    };
  }

  // Shows what the server says, which may not know yet of values that were confirmed just now. Values that are being
  // entered keep being looked at until they are saved.
  show({ doubts, problems }) {
    const unsure = new Set(doubts.map((path) => this.values.at(path)));
    for (const value of this.all()) {
      if (!unsure.has(value) && !this.values.isEntered(value)) delete value.dataset.look;
    }
    for (const value of unsure) {
      const isNew = value && !("look" in value.dataset) && !value.classList.contains("edited");
      if (isNew && !this.values.isEntered(value)) this.#add(value);
    }
    this.#showCount();
    const failed = new Map(Object.entries(problems).map(([path, messages]) => [this.values.at(path), messages.join(" ")]));
    for (const value of this.root.querySelectorAll("[data-problem]")) if (!failed.has(value)) this.#say(value, "");
    for (const [value, text] of failed) if (value) this.#say(value, text);
  }

  #marks() {
    return [...this.root.querySelectorAll(".value[data-look], .doubt")]
      .map((mark) => [mark, mark.matches(".doubt") ? cellOf(mark) : mark])
      .filter(([, value]) => value && "look" in value.dataset);
  }

  #lineOf(value) {
    return value.id.startsWith("c-") ? this.root.querySelector(`[data-doubt="${CSS.escape(value.id.slice(2))}"]`) : null;
  }

  #add(value) {
    value.dataset.look = "";
    if (value.matches("td") && !this.#lineOf(value)) {
      const path = crypto.getRandomValues(new Uint32Array(2)).join("-");
      value.id = `c-${path}`;
      value.setAttribute("aria-describedby", `s-${path} p-${path}`);
      const line = element("p", "", { className: "doubt" });
      line.dataset.doubt = path;
      line.append(
        element("a", this.values.nameOf(value), { href: `#${value.id}` }),
        element("span", "", { className: "sure", id: `s-${path}` }),
        element("span", "", { className: "problem", id: `p-${path}` }),
      );
      this.root.querySelector("#fields").append(line);
    }
  }

  #say(value, text) {
    if (text) value.dataset.problem = text;
    else delete value.dataset.problem;
    if (value.matches(".table-problem")) {
      value.textContent = text;
      return;
    }
    const place = value.matches(".value") ? value.querySelector(".problem") : this.#lineOf(value)?.querySelector(".problem");
    if (place) place.textContent = text;
    if (value.matches("td")) value.title = text;
  }

  #showCount() {
    if (this.count) this.count.textContent = this.all().length;
  }
}

function cellOf(line) {
  return document.getElementById(`c-${line.dataset.doubt}`);
}

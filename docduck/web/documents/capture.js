// Takes values from the page: from words that are clicked, and boxes that are drawn, moved, resized or removed.

import { drawBox } from "./box_drawing.js";
import { editBoxes } from "./box_editing.js";
import { around, isBeside } from "./page_words.js";
import { placesOf } from "./pages.js";
import { pickWords } from "./word_picking.js";

export class Capture {
  // tell shows a message to the person.
  constructor(root, pages, values, tell) {
    this.pages = pages;
    this.values = values;
    this.tell = tell;
    this.buttons = { box: root.querySelector("#draw"), column: root.querySelector("#draw-column") };
    for (const [what, button] of Object.entries(this.buttons)) {
      button.addEventListener("click", () => this.draw(what));
    }
    pickWords(pages, (word, isMore) => this.#take(word, isMore));
    this.boxes = editBoxes(
      pages,
      (element, number, box) => this.#change(element, number, box),
      () => values.focus(values.current),
    );
  }

  // Lets the person draw a box around the current value, or around the column of the current cell.
  async draw(what) {
    const { pages, values } = this;
    if (pages.stopDrawing) {
      pages.stopDrawing();
      return;
    }
    const element = values.current;
    if (!element || (what === "column" && !element.matches("td"))) {
      this.tell(what === "column" ? "Choose a cell of the column first" : "Choose the value first");
      return;
    }
    this.buttons[what].setAttribute("aria-pressed", "true");
    const drawn = await drawBox(pages);
    this.buttons[what].setAttribute("aria-pressed", "false");
    if (!drawn) return;
    const lines = await pages.words.linesIn(drawn.page, drawn.box);
    this.tell(lines.length ? "" : "No words were found in this box. Enter the value");
    if (what === "column") values.takeColumn(element, drawn.page, lines);
    else this.#set(element, [{ ...drawn, text: lines.map((line) => line.text).join(" ") }]);
    values.focus(element);
  }

  // Handles a key; returns whether it was one of these.
  key(event) {
    const key = event.key.toLowerCase();
    if (!event.altKey || event.ctrlKey || event.metaKey) return false;
    if (key === "b") this.draw("box");
    else if (key === "c") this.draw("column");
    else return event.target.matches(".value :is(input, select, textarea)") && this.boxes.nudge(event);
    return true;
  }

  // Resolves when boxes that were moved count.
  async settle() {
    await this.boxes.settle();
  }

  async #take(word, isMore) {
    const element = this.values.current;
    if (!element) {
      this.tell("Choose the value first");
      return;
    }
    const before = isMore ? await this.#placesOf(element) : [];
    const last = before.at(-1);
    if (last?.page === word.page && isBeside(last.box, word.box)) {
      const words = last.box[0] <= word.box[0] ? [last.text, word.text] : [word.text, last.text];
      const both = { page: word.page, box: around([last.box, word.box]), text: words.join(" ") };
      this.#set(element, [...before.slice(0, -1), both]);
    } else {
      const typed = isMore && !before.length ? this.values.textOf(element) : "";
      this.#set(element, [...before, word], typed);
    }
    this.values.focus(element);
  }

  async #change(element, number, box) {
    const places = await this.#placesOf(element);
    if (number >= places.length) return; // it was removed meanwhile
    if (box === null) places.splice(number, 1);
    else places[number] = { ...places[number], box, text: await this.pages.words.textIn(places[number].page, box) };
    this.#set(element, places);
    if (!places.length) this.values.focus(element);
  }

  async #placesOf(element) {
    return Promise.all(placesOf(element).map(async ({ page, box }) => (
      { page, box, text: await this.pages.words.textIn(page, box) }
    )));
  }

  // Makes places those of a value, and their texts, after what was typed, its text. Places without words leave it.
  #set(element, places, typed = "") {
    const glue = element.querySelector("textarea") ? "\n" : " ";
    const text = [typed, ...places.map((place) => place.text)].filter(Boolean).join(glue);
    const options = element.querySelector("select")?.options;
    const option = options && [...options].find((choice) => choice.textContent.toLowerCase() === text.toLowerCase());
    if (options && !option) this.tell(`'${text}' is none of the choices`);
    else this.values.take(element, places, places.length && !text ? this.values.textOf(element) : option?.value ?? text);
  }
}

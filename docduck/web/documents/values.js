// The values beside the page: fields and cells, which is highlighted there, what was changed, and undoing it.

import { element as item } from "./modal.js";
import { placesOf } from "./pages.js";
import { rowsForLines } from "./table_column.js";
import { TableEditing } from "./table_editing.js";

export class Values {
  constructor(root, mayCorrect) {
    this.root = root;
    this.mayCorrect = mayCorrect;
    this.current = null;
    this.places = []; // drawn by the person: {field, row, column, page, box, text}
    this.done = []; // functions that undo the changes, the last one last
    this.saved = 0; // how many of them were saved
    this.looked = new Set(); // the fields and tables that had the focus, by id
    this.onChange = () => {};
    this.onCurrent = () => {};
    this.fields = [...root.querySelectorAll(".value")];
    this.tables = [...root.querySelectorAll("table.grid")].map(
      (table) => new TableEditing(table, mayCorrect, (undo) => this.#did(undo), () => this.undo()));
    for (const field of this.fields) {
      const input = inputOf(field);
      field.before = textOf(input);
      input.addEventListener("change", () => this.#fieldChanged(field));
    }
    root.addEventListener("focusin", (event) => this.#focused(event.target));
  }

  // All places of values on a page, for its picture; key is the element.
  boxes(page) {
    const boxes = [];
    for (const element of this.root.querySelectorAll(`[data-places^="${page}:"], [data-places*=" ${page}:"]`)) {
      for (const place of placesOf(element)) {
        boxes.push({
          ...place,
          kind: element.classList.contains("edited") ? "edited" : element.classList[0] === "value"
            ? element.classList[1] : element.classList[0],
          label: this.nameOf(element),
          isCurrent: element === this.current,
          key: element,
        });
      }
    }
    return boxes;
  }

  nameOf(element) {
    if (element.matches(".value")) return element.querySelector("label").firstChild.textContent.trim();
    if (element.matches(".table-problem")) return element.dataset.name;
    return this.#tableOf(element).nameOf(element);
  }

  focus(element) {
    (element.matches(".value") ? inputOf(element) : element).focus();
    if (element.matches(".value")) inputOf(element).select?.();
  }

  fieldAfter(element) {
    return this.fields[this.fields.indexOf(element) + 1] ?? null;
  }

  // Makes places, {page, box, text}, those of a field or cell, with this text.
  take(element, places, text) {
    if (element.contains(document.activeElement)) document.activeElement.blur(); // a cell that is edited
    const before = { text: this.textOf(element), places: element.dataset.places, drawn: this.places };
    this.#set(element, text);
    element.dataset.places = places
      .map(({ page, box }) => `${page}:${box.map((share) => share.toFixed(5)).join(",")}`).join(" ");
    const others = this.places.filter((place) => place.element !== element);
    this.places = [...others, ...places.map((place) => ({ element, ...place }))];
    const undo = () => {
      this.#set(element, before.text);
      element.dataset.places = before.places;
      this.places = before.drawn;
    };
    element.matches(".value") ? this.#did(undo) : this.#tableOf(element).did(undo);
  }

  // Fills the column of a cell from lines of a page, {text, box}.
  takeColumn(cell, page, lines) {
    const table = this.#tableOf(cell);
    const column = cell.cellIndex;
    const head = table.heads[column].textContent.toLowerCase();
    const rest = lines[0]?.text.toLowerCase() === head ? lines.slice(1) : lines;
    table.together(() => {
      const rows = rowsForLines(table.body, cell.parentElement, page, rest, (at) => table.insertRows(at, 1)[0]);
      for (const row of new Set(rows.map(([element]) => element))) {
        const mine = rows.filter(([element]) => element === row).map(([, line]) => ({ page, ...line }));
        this.take(row.cells[column], mine, mine.map((line) => line.text).join(" "));
      }
    });
  }

  textOf(element) {
    return element.matches(".value") ? textOf(inputOf(element)) : element.textContent;
  }

  // Whether nothing is being typed in a field, which the browser would undo.
  isSettled(input) {
    const field = input.closest(".value");
    return Boolean(field) && textOf(input) === (field.last ?? field.before);
  }

  undo() {
    this.done.pop()?.();
    this.onChange();
  }

  get isTouched() {
    return this.done.length !== this.saved;
  }

  // Returns what was changed, as the server takes it; null if nothing was.
  changes() {
    const entered = {};
    for (const field of this.fields) {
      const text = textOf(inputOf(field));
      const isDrawn = this.places.some((place) => place.element === field);
      if (text !== field.before || isDrawn) entered[field.dataset.field] = text;
    }
    for (const table of this.tables) if (table.isChanged) entered[table.id] = table.rows();
    if (!Object.keys(entered).length) return null;
    const places = this.places.filter((place) => place.element.isConnected).map(({ element, page, box, text }) => {
      if (element.matches(".value")) return { field: element.dataset.field, page, box, text };
      return { ...this.#tableOf(element).keyOf(element), page, box, text };
    });
    return { entered, places };
  }

  // Whether a value, or the table of a cell, was changed since it was saved.
  isEntered(element) {
    if (!element.matches(".value")) return this.#tableOf(element).isChanged;
    return textOf(inputOf(element)) !== element.before || this.places.some((place) => place.element === element);
  }

  // Takes all that was entered as saved, which ``undo`` undoes; returns a function that takes it as entered again.
  taken(undo) {
    const fields = this.fields.filter((field) => this.isEntered(field)).map((field) => [field, field.before]);
    const tables = this.tables.filter((table) => table.isChanged).map((table) => [table, table.changed]);
    const [places, saved] = [this.places, this.saved];
    for (const [field] of fields) field.before = textOf(inputOf(field));
    for (const [table] of tables) table.changed = 0;
    this.places = [];
    this.done.push(undo);
    this.saved = this.done.length;
    this.onChange();
    return () => {
      for (const [field, before] of fields) field.before = before;
      for (const [table, changed] of tables) table.changed += changed;
      this.places.push(...places);
      this.done = this.done.filter((other) => other !== undo);
      this.saved = saved;
      this.onChange();
    };
  }

  // The id of a value's field, or of a cell's table.
  fieldOf(element) {
    return element.matches(".value") ? element.dataset.field : this.#tableOf(element).id;
  }

  // The path of a value, as the server takes it.
  pathOf(element) {
    if (element.matches(".value")) return element.dataset.field;
    const { field, row, column } = this.#tableOf(element).keyOf(element);
    return `${field}.${row}.${column}`;
  }

  // Marks the values that the server didn't take; paths are "field" or "table.row.column".
  showProblems(details) {
    for (const old of this.root.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
    const elements = details.map(({ path }) => this.at(path)).filter(Boolean);
    for (const element of elements) {
      (element.querySelector("input, select, textarea") ?? element).setAttribute("aria-invalid", "true");
    }
    if (elements.length) this.focus(elements[0]);
  }

  // Tells at values what was learned from them, and shows places that they did not have; both by path.
  showLearned({ learned, places }) {
    for (const [path, text] of Object.entries(learned)) this.tellLearned(path, text);
    for (const [path, place] of Object.entries(places)) {
      const value = this.at(path);
      if (value && !value.dataset.places && !this.isEntered(value)) value.dataset.places = place;
    }
  }

  // Tells at a field or a table what is learned of it, in place of what was told before.
  tellLearned(id, text, link = null) {
    const value = this.at(id);
    if (!value) return;
    const isField = value.matches(".value");
    const told = isField ? value : value.parentElement;
    let line = told.querySelector(`.learned[data-path="${CSS.escape(id)}"]`);
    if (!line) {
      line = item("p", "", { className: "learned", role: "status" });
      line.dataset.path = id;
      if (isField) {
        told.querySelector(".learned")?.remove();
        told.append(line);
      } else value.after(line);
    }
    line.replaceChildren(text, ...(link ? [" ", link] : []));
  }

  #tableOf(cell) {
    return this.tables.find((table) => table.table.contains(cell));
  }

  // The element of a value at a path.
  at(path) {
    const [id, row, column] = path.split(".");
    const field = this.fields.find((field) => field.dataset.field === id);
    if (field) return field;
    if (row === undefined) return this.root.querySelector(`.table-problem[data-table="${CSS.escape(id)}"]`);
    return this.tables.find((table) => table.id === id)?.cellAt(Number(row), column);
  }

  #focused(target) {
    const element = target.closest("[data-places]");
    if (!element || element === this.current) return;
    this.current?.classList.remove("current");
    this.current = element;
    this.looked.add(this.fieldOf(element));
    element.classList.add("current");
    this.onCurrent(element);
  }

  #fieldChanged(field) {
    const input = inputOf(field);
    const before = field.last ?? field.before;
    field.last = textOf(input);
    this.#did(() => this.#set(field, before));
  }

  #set(element, text) {
    if (!element.matches(".value")) {
      element.textContent = text;
      return;
    }
    const input = inputOf(element);
    input.value = text;
    element.last = textOf(input);
  }

  #did(undo) {
    this.done.push(undo);
    this.onChange();
  }
}

function inputOf(field) {
  return field.querySelector("input, select, textarea");
}

function textOf(input) {
  return input.value;
}

// The values beside the page: fields and cells, what was changed, and undoing it.

import { placesOf } from "./pages.js";

export class Values {
  constructor(root, mayCorrect) {
    this.root = root;
    this.mayCorrect = mayCorrect;
    this.current = null;
    this.places = []; // drawn by the person: {field, row, column, page, box, text}
    this.done = []; // functions that undo the changes, the last one last
    this.onChange = () => {};
    this.onCurrent = () => {};
    this.fields = [...root.querySelectorAll(".value")];
    this.tables = [...root.querySelectorAll("table.rows")];
    for (const field of this.fields) {
      const input = inputOf(field);
      field.before = textOf(input);
      input.addEventListener("change", () => this.#fieldChanged(field));
    }
    for (const table of this.tables) {
      table.before = JSON.stringify(rowsOf(table));
      table.addEventListener("dblclick", (event) => this.#edit(event.target.closest("td[data-places]")));
      table.addEventListener("keydown", (event) => this.#tableKey(event));
    }
    for (const button of root.querySelectorAll("[data-add-row]")) {
      button.addEventListener("click", () => this.addRow(this.#table(button.dataset.addRow)));
    }
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    root.addEventListener("click", (event) => event.target.closest("td[data-places]")?.focus());
    this.looks = () => [
      ...this.fields.filter((field) => "look" in field.dataset),
      ...this.root.querySelectorAll("td.low"),
    ];
  }

  // All places of values, for the page's picture; key is the element.
  boxes() {
    const found = [];
    for (const element of this.root.querySelectorAll("[data-places]:not([data-places=''])")) {
      for (const place of placesOf(element)) {
        found.push({
          ...place,
          kind: element.classList.contains("edited") ? "edited" : element.classList[0] === "value"
            ? element.classList[1] : element.classList[0],
          label: this.nameOf(element),
          isCurrent: element === this.current,
          key: element,
        });
      }
    }
    return found;
  }

  nameOf(element) {
    if (element.matches(".value")) return element.querySelector("label").firstChild.textContent.trim();
    const table = element.closest("table");
    return `${table.tHead.rows[0].cells[element.cellIndex].textContent}, row ${element.parentElement.sectionRowIndex + 1}`;
  }

  focus(element) {
    (element.matches(".value") ? inputOf(element) : element).focus();
    if (element.matches(".value")) inputOf(element).select?.();
  }

  // Goes to the next value to look at, or the one before; without any left, to the next field.
  step(by) {
    const looks = this.looks();
    const among = looks.includes(this.current) || !this.current ? looks : [...this.fields];
    const place = among.indexOf(this.current);
    const next = among[place + by];
    if (next) this.focus(next);
    else if (by > 0) this.root.querySelector("#approve button, #save")?.focus();
  }

  // Makes the text that the person found the value of the current field or cell.
  take(found) {
    const element = this.current;
    if (!element) return;
    const before = { text: this.textOf(element), places: element.dataset.places, drawn: [...this.places] };
    this.#set(element, found.text);
    element.dataset.places = `${found.page}:${found.box.map((one) => one.toFixed(5)).join(",")}`;
    this.places.push({ element, ...found });
    this.#did(() => {
      this.#set(element, before.text);
      element.dataset.places = before.places;
      this.places = before.drawn;
    });
  }

  textOf(element) {
    return element.matches(".value") ? textOf(inputOf(element)) : element.textContent;
  }

  undo() {
    this.done.pop()?.();
    this.onChange();
  }

  // Returns what was changed, as the server takes it; null if nothing was.
  changes() {
    const entered = {};
    for (const field of this.fields) {
      const text = textOf(inputOf(field));
      const isDrawn = this.places.some((one) => one.element === field);
      if (text !== field.before || isDrawn) entered[field.dataset.field] = text;
    }
    for (const table of this.tables) {
      const rows = rowsOf(table);
      const isDrawn = this.places.some((one) => table.contains(one.element));
      if (JSON.stringify(rows) !== table.before || isDrawn) entered[table.dataset.table] = rows;
    }
    if (!Object.keys(entered).length) return null;
    const places = this.places.filter((one) => one.element.isConnected).map(({ element, page, box, text }) => {
      if (element.matches(".value")) return { field: element.dataset.field, page, box, text };
      const table = element.closest("table");
      const column = table.tHead.rows[0].cells[element.cellIndex].dataset.column;
      return { field: table.dataset.table, row: element.parentElement.sectionRowIndex, column, page, box, text };
    });
    return { entered, places };
  }

  // Marks the values that the server didn't take; paths are "field" or "table.row.column".
  showProblems(details) {
    for (const old of this.root.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
    const found = details.map(({ path }) => this.#at(path)).filter(Boolean);
    for (const element of found) {
      (element.querySelector("input, select, textarea") ?? element).setAttribute("aria-invalid", "true");
    }
    if (found.length) this.focus(found[0]);
  }

  addRow(table, index = table.tBodies[0].rows.length) {
    const row = table.tBodies[0].insertRow(index);
    for (const head of table.tHead.rows[0].cells) {
      const cell = row.insertCell();
      if (head.dataset.column) {
        cell.tabIndex = -1;
        cell.dataset.places = "";
        cell.className = "none";
      } else cell.className = "tools";
    }
    this.#did(() => row.remove());
    row.cells[0].focus();
    this.#edit(row.cells[0]);
  }

  #table(id) {
    return this.tables.find((one) => one.dataset.table === id);
  }

  #at(path) {
    const [id, row, column] = path.split(".");
    const field = this.fields.find((one) => one.dataset.field === id);
    if (field || row === undefined) return field;
    const table = this.#table(id);
    const heads = table ? [...table.tHead.rows[0].cells] : [];
    return table?.tBodies[0].rows[Number(row)]?.cells[heads.findIndex((one) => one.dataset.column === column)];
  }

  #focused(target) {
    const element = target.closest("[data-places]");
    if (!element || element === this.current) return;
    this.current?.classList.remove("current");
    this.current = element;
    element.classList.add("current");
    if (element.matches("td")) this.#showTools(element.parentElement);
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

  #edit(cell, first) {
    if (!cell || !this.mayCorrect || cell.querySelector("input")) return;
    const before = cell.textContent;
    const input = document.createElement("input");
    input.type = "text";
    input.value = first ?? before;
    input.setAttribute("aria-label", this.nameOf(cell));
    cell.replaceChildren(input);
    input.focus();
    if (first === undefined) input.select();
    const end = (keep) => {
      if (!cell.contains(input)) return;
      const text = keep ? input.value : before;
      cell.replaceChildren(document.createTextNode(text));
      if (text !== before) this.#did(() => (cell.textContent = before));
    };
    input.addEventListener("blur", () => end(true));
    input.addEventListener("keydown", (event) => {
      if (!["Enter", "Tab", "Escape"].includes(event.key) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      end(event.key !== "Escape");
      cell.focus();
      if (event.key === "Enter") this.#move(cell, 1, 0);
      if (event.key === "Tab") this.#move(cell, 0, event.shiftKey ? -1 : 1);
    });
  }

  #move(cell, down, right) {
    const rows = cell.closest("tbody").rows;
    const next = rows[cell.parentElement.sectionRowIndex + down]?.cells[cell.cellIndex + right];
    if (next?.dataset.places !== undefined) next.focus();
  }

  #tableKey(event) {
    const cell = event.target.closest("td[data-places]");
    if (!cell || event.target.matches("input")) return;
    const row = cell.parentElement;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown") && this.mayCorrect) {
      this.moveRow(row, event.key === "ArrowUp" ? -1 : 1);
      cell.focus();
    } else if (event.ctrlKey && event.key === "Delete" && this.mayCorrect) {
      this.removeRow(row);
    } else if (steps[event.key]) {
      this.#move(cell, ...steps[event.key]);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      this.#edit(cell);
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.#edit(cell, event.key);
    } else return;
    event.preventDefault();
  }

  moveRow(row, by) {
    const body = row.parentElement;
    const from = row.sectionRowIndex;
    const other = body.rows[from + by];
    if (!other) return;
    const move = (step) => {
      const to = body.rows[row.sectionRowIndex + step];
      step < 0 ? body.insertBefore(row, to) : body.insertBefore(to, row);
    };
    move(by);
    this.#did(() => move(-by));
  }

  removeRow(row) {
    const body = row.parentElement;
    const after = row.nextElementSibling;
    const near = after ?? row.previousElementSibling;
    row.remove();
    near?.cells[0].focus();
    this.#did(() => body.insertBefore(row, after?.isConnected ? after : null));
  }

  #showTools(row) {
    const place = row.querySelector(".tools");
    if (!place || place === this.toolsPlace) return;
    this.toolsPlace?.replaceChildren();
    this.toolsPlace = place;
    const tool = (sign, name, act) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plain";
      button.textContent = sign;
      button.title = name;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", act);
      return button;
    };
    place.replaceChildren(
      tool("↑", "Move the row up", () => this.moveRow(row, -1)),
      tool("↓", "Move the row down", () => this.moveRow(row, 1)),
      tool("✕", "Remove the row", () => this.removeRow(row)),
    );
  }
}

function inputOf(field) {
  return field.querySelector("input, select, textarea");
}

function textOf(input) {
  return input.value;
}

function rowsOf(table) {
  const columns = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.column);
  return [...table.tBodies[0].rows].map((row) =>
    Object.fromEntries(columns.flatMap((id, index) => (id ? [[id, cellText(row.cells[index])]] : []))));
}

function cellText(cell) {
  return cell.querySelector("input")?.value ?? cell.textContent;
}

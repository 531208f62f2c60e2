// A table of values as a grid: one cell is in the tab order, arrows move between cells, and cells, blocks of them
// and rows are edited as in a spreadsheet. Nothing is done for each cell before it is used.

import { element } from "./modal.js";
import { parseTabbed, tabbed } from "./tabbed_text.js";

const PAGE = 10; // rows that Page Up and Page Down move by
const MANY = 500; // rows from which columns have fixed widths, so that editing a cell lays out no others

export class TableEditing {
  // did takes a function that undoes what was changed; undo calls the last one.
  constructor(table, mayCorrect, did, undo) {
    this.table = table;
    this.mayCorrect = mayCorrect;
    this.undo = undo;
    this.id = table.dataset.table;
    this.body = table.tBodies[0];
    this.heads = [...table.tHead.rows[0].cells];
    this.columns = this.heads.map((head) => head.dataset.column).filter(Boolean);
    this.changed = 0; // how many changes there are since it was saved
    this.did = (undo) => {
      this.changed += 1;
      did(() => {
        this.changed -= 1;
        undo();
      });
    };
    this.stop = null; // the cell in the tab order
    this.anchor = null; // where the selected block begins; it ends at the stop
    this.selected = [];
    this.editor = null;
    table.setAttribute("role", "grid");
    table.classList.toggle("fixed", this.body.rows.length > MANY);
    if (!mayCorrect) table.setAttribute("aria-readonly", "true");
    this.#setStop();
    table.addEventListener("focusin", (event) => this.#focused(event.target));
    table.addEventListener("mousedown", (event) => this.#pressed(event));
    table.addEventListener("dblclick", (event) => this.#edit(cellOf(event.target)));
    table.addEventListener("keydown", (event) => this.#key(event));
    for (const kind of ["copy", "cut", "paste"]) {
      // Without selected text the event's target is not the cell in each browser.
      document.addEventListener(kind, (event) => this.#clipboard(kind, event));
    }
    const add = document.querySelector(`[data-add-row="${this.id}"]`);
    add?.addEventListener("click", () => this.addRow());
  }

  get isChanged() {
    return this.changed !== 0;
  }

  // Returns the texts of all rows, by column id.
  rows() {
    return [...this.body.rows].map((row) =>
      Object.fromEntries(this.columns.map((id, index) => [id, textOf(row.cells[index])])));
  }

  nameOf(cell) {
    return `${this.heads[cell.cellIndex].textContent}, row ${rowOf(cell) + 1}`;
  }

  // Returns {field, row, column} of a cell, as the server takes it.
  keyOf(cell) {
    return { field: this.id, row: rowOf(cell), column: this.columns[cell.cellIndex] };
  }

  cellAt(row, column) {
    return this.body.rows[row]?.cells[this.columns.indexOf(column)];
  }

  // Adds a row, whose first cell is edited.
  addRow(index = this.body.rows.length, column = 0) {
    const [row] = this.insertRows(index, 1);
    this.#edit(row.cells[column]);
  }

  insertRows(index, count) {
    const rows = Array.from({ length: count }, (_, number) => {
      const row = this.body.insertRow(index + number);
      for (const head of this.heads) {
        const cell = row.insertCell();
        if (head.dataset.column) {
          cell.tabIndex = -1;
          cell.dataset.places = "";
          cell.className = "none";
        } else cell.className = "tools";
      }
      return row;
    });
    this.#setStop();
    if (count) this.did(() => this.#without(rows));
    return rows;
  }

  moveRows(rows, by) {
    const other = by < 0 ? rows[0].previousElementSibling : rows[rows.length - 1].nextElementSibling;
    if (!other) return;
    const move = (step) => (step < 0 ? rows[rows.length - 1].after(other) : rows[0].before(other));
    move(by);
    this.did(() => move(-by));
  }

  removeRows(rows) {
    const after = rows[rows.length - 1].nextElementSibling;
    this.#without(rows);
    this.did(() => {
      for (const row of rows) this.body.insertBefore(row, after?.isConnected ? after : null);
      this.#setStop();
    });
  }

  // Sets texts of cells, given as [cell, text], as one change.
  setTexts(texts) {
    const before = texts.filter(([cell, text]) => textOf(cell) !== text).map(([cell]) => [cell, textOf(cell)]);
    if (!before.length) return;
    for (const [cell, text] of texts) cell.textContent = text;
    this.did(() => before.forEach(([cell, text]) => (cell.textContent = text)));
  }

  // Makes what act does one change.
  together(act) {
    const [did, undone] = [this.did, []];
    this.did = (undo) => undone.push(undo);
    act();
    this.did = did;
    if (undone.length) did(() => undone.reverse().forEach((undo) => undo()));
  }

  #without(rows) {
    const isFocused = rows.some((row) => row.contains(document.activeElement));
    const column = this.stop?.cellIndex ?? 0;
    const near = rows[rows.length - 1].nextElementSibling ?? rows[0].previousElementSibling;
    for (const row of rows) row.remove();
    this.#select(null);
    this.#setStop(near?.cells[column]);
    if (isFocused) this.stop?.focus();
  }

  // Leaves exactly one cell in the tab order.
  #setStop(cell) {
    const next = cell ?? (this.stop?.isConnected ? this.stop : this.body.rows[0]?.cells[0]);
    if (next === this.stop) return;
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = next ?? null;
    if (next) next.tabIndex = 0;
  }

  #focused(target) {
    const cell = cellOf(target);
    if (!cell) return;
    this.#setStop(cell);
    if (this.mayCorrect) this.#showTools(cell.parentElement);
  }

  #pressed(event) {
    const cell = cellOf(event.target);
    if (!cell || event.button || event.target.matches("input")) return;
    event.preventDefault(); // no text is selected: blocks of cells are
    this.#go(cell, event.shiftKey);
    const drag = new AbortController();
    document.addEventListener("mouseup", () => drag.abort(), { signal: drag.signal });
    this.table.addEventListener("mouseover", (moved) => {
      const to = cellOf(moved.target);
      if (to) this.#go(to, true);
    }, { signal: drag.signal });
  }

  // Moves the focus to a cell, and with extends the selected block as well.
  #go(cell, extends_) {
    if (!cell) return;
    if (extends_) this.anchor ??= this.stop;
    const anchor = extends_ ? this.anchor : null;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#select(anchor);
  }

  #select(anchor) {
    this.anchor = anchor?.isConnected ? anchor : null;
    const cells = this.anchor ? this.#block().flat() : [];
    const block = new Set(cells);
    for (const cell of this.selected) if (!block.has(cell)) cell.removeAttribute("aria-selected");
    for (const cell of cells) cell.setAttribute("aria-selected", "true");
    this.selected = cells;
  }

  // Returns the selected cells, row by row; without any, that in the tab order.
  #block() {
    const [start, end] = [this.anchor ?? this.stop, this.stop];
    const [top, bottom] = ordered(rowOf(start), rowOf(end));
    const [left, right] = ordered(start.cellIndex, end.cellIndex);
    return [...this.body.rows].slice(top, bottom + 1).map((row) => [...row.cells].slice(left, right + 1));
  }

  #key(event) {
    const cell = cellOf(event.target);
    if (!cell || event.target.matches("input, button")) return;
    const isHandled = this.#moved(event, cell) || (this.mayCorrect && this.#edited(event, cell));
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #moved(event, cell) {
    if (event.altKey) return false;
    const command = event.ctrlKey || event.metaKey;
    const [row, column, last, end] = [rowOf(cell), cell.cellIndex, this.body.rows.length - 1, this.columns.length - 1];
    const to = {
      ArrowUp: [command ? 0 : row - 1, column],
      ArrowDown: [command ? last : row + 1, column],
      ArrowLeft: [row, command ? 0 : column - 1],
      ArrowRight: [row, command ? end : column + 1],
      Home: [command ? 0 : row, 0],
      End: [command ? last : row, end],
      PageUp: [Math.max(0, row - PAGE), column],
      PageDown: [Math.min(last, row + PAGE), column],
    }[event.key];
    if (to) {
      if (to[0] >= 0 && to[0] <= last && to[1] >= 0 && to[1] <= end) {
        this.#go(this.body.rows[to[0]].cells[to[1]], event.shiftKey);
      }
    } else if (command && event.key === "a") {
      this.#select(this.body.rows[0].cells[0]);
      this.#go(this.body.rows[last].cells[end], true);
    } else if (event.key === "Escape" && this.anchor) {
      this.#select(null);
    } else return false;
    return true;
  }

  #edited(event, cell) {
    const command = event.ctrlKey || event.metaKey;
    const rows = this.#block().map(([first]) => first.parentElement);
    if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) {
      this.moveRows(rows, event.key === "ArrowUp" ? -1 : 1);
      cell.focus();
    } else if (event.altKey && event.key === "Enter") {
      this.addRow(event.shiftKey ? rows[0].sectionRowIndex : rows[rows.length - 1].sectionRowIndex + 1, cell.cellIndex);
    } else if (command && event.key === "Delete") {
      this.removeRows(rows);
    } else if (command || event.altKey) {
      return false;
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.setTexts(this.#block().flat().map((cell) => [cell, ""]));
    } else if (event.key === "Enter" || event.key === "F2") {
      this.#edit(cell);
    } else if (event.key.length === 1) {
      this.#edit(cell, event.key);
    } else return false;
    return true;
  }

  #edit(cell, first) {
    if (!cell || !this.mayCorrect || cell.contains(this.editor)) return;
    this.#select(null);
    const before = cell.textContent;
    const input = element("input", "", { type: "text", value: first ?? before, "aria-label": this.nameOf(cell) });
    cell.replaceChildren(input);
    this.editor = input;
    input.focus();
    if (first === undefined) input.select();
    const end = (keep) => {
      if (this.editor !== input) return;
      this.editor = null;
      const text = keep ? input.value : before;
      cell.textContent = before;
      this.setTexts([[cell, text]]);
    };
    input.addEventListener("blur", () => end(true));
    input.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text/plain");
      if (!/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
      cell.focus();
      this.#paste(text);
    });
    input.addEventListener("keydown", (event) => {
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
      if (isOther || !["Enter", "Tab", "Escape"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      end(event.key !== "Escape");
      cell.focus();
      if (event.key === "Enter") this.#go(this.body.rows[rowOf(cell) + (event.shiftKey ? -1 : 1)]?.cells[cell.cellIndex]);
      if (event.key === "Tab") this.#editNext(cell, event.shiftKey ? -1 : 1);
      if (event.key === "Escape") this.#dropAdded(cell.parentElement);
    });
  }

  #editNext(cell, by) {
    const place = rowOf(cell) * this.columns.length + cell.cellIndex + by;
    const row = this.body.rows[Math.floor(place / this.columns.length)];
    if (row) this.#edit(row.cells[place % this.columns.length]);
    else if (by > 0) {
      this.addRow();
      this.added = { row: this.body.rows[this.body.rows.length - 1], changed: this.changed };
    }
  }

  // Takes back the row that Tab has added if nothing was entered in it.
  #dropAdded(row) {
    if (this.added?.row === row && this.added.changed === this.changed) this.undo();
  }

  #clipboard(kind, event) {
    const cell = cellOf(document.activeElement);
    if (!cell || cell !== this.stop || cell.contains(this.editor)) return;
    if (kind === "paste") {
      if (this.mayCorrect) this.#paste(event.clipboardData.getData("text/plain"));
    } else {
      const block = this.#block();
      event.clipboardData.setData("text/plain", tabbed(block.map((row) => row.map(textOf))));
      if (kind === "cut" && this.mayCorrect) this.setTexts(block.flat().map((cell) => [cell, ""]));
    }
    event.preventDefault();
  }

  // Fills cells from the selected block on; a single text fills the block.
  #paste(text) {
    const texts = parseTabbed(text);
    const block = this.#block();
    if (texts.length === 1 && texts[0].length === 1) {
      this.setTexts(block.flat().map((cell) => [cell, texts[0][0]]));
      return;
    }
    const [top, left] = [rowOf(block[0][0]), block[0][0].cellIndex];
    this.together(() => {
      this.insertRows(this.body.rows.length, Math.max(0, top + texts.length - this.body.rows.length));
      const rows = [...this.body.rows].slice(top);
      this.setTexts(texts.flatMap((row, number) =>
        row.slice(0, this.columns.length - left).map((text, index) => [rows[number].cells[left + index], text])));
    });
  }

  #showTools(row) {
    const place = row.querySelector(".tools");
    if (!place || place === this.toolsPlace) return;
    this.toolsPlace?.replaceChildren();
    this.toolsPlace = place;
    const tool = (sign, title, onclick) => element("button", sign, {
      type: "button", className: "plain", tabIndex: -1, title, "aria-label": title, onclick,
    });
    place.replaceChildren(
      tool("+", "Insert a row below (Alt+Enter)", () => this.addRow(row.sectionRowIndex + 1)),
      tool("↑", "Move the row up (Alt+↑)", () => this.moveRows([row], -1)),
      tool("↓", "Move the row down (Alt+↓)", () => this.moveRows([row], 1)),
      tool("✕", "Remove the row (Ctrl+Delete)", () => this.removeRows([row])),
    );
  }
}

function cellOf(element) {
  return element?.closest("td[data-places]");
}

function rowOf(cell) {
  return cell.parentElement.sectionRowIndex;
}

function textOf(cell) {
  return cell.querySelector("input")?.value ?? cell.textContent;
}

function ordered(first, second) {
  return first < second ? [first, second] : [second, first];
}

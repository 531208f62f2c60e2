// A table of values: moving between its cells, editing them, and its rows.

export class TableEditing {
  // did takes a function that undoes what was changed.
  constructor(table, mayCorrect, did) {
    this.table = table;
    this.mayCorrect = mayCorrect;
    this.id = table.dataset.table;
    this.body = table.tBodies[0];
    this.heads = [...table.tHead.rows[0].cells];
    this.columns = this.heads.map((head) => head.dataset.column);
    this.changed = 0; // how many changes there are to undo
    this.did = (undo) => {
      this.changed += 1;
      did(() => {
        this.changed -= 1;
        undo();
      });
    };
    table.addEventListener("dblclick", (event) => this.#edit(event.target.closest("td[data-places]")));
    table.addEventListener("click", (event) => event.target.closest("td[data-places]")?.focus());
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("focusin", (event) => this.#showTools(event.target.closest("tr")));
    const add = document.querySelector(`[data-add-row="${this.id}"]`);
    add?.addEventListener("click", () => this.addRow());
  }

  get isChanged() {
    return this.changed > 0;
  }

  // Returns the texts of all rows, by column id.
  rows() {
    return [...this.body.rows].map((row) =>
      Object.fromEntries(this.columns.flatMap((id, index) => (id ? [[id, cellText(row.cells[index])]] : []))));
  }

  nameOf(cell) {
    return `${this.heads[cell.cellIndex].textContent}, row ${cell.parentElement.sectionRowIndex + 1}`;
  }

  // Returns {field, row, column} of a cell, as the server takes it.
  keyOf(cell) {
    return { field: this.id, row: cell.parentElement.sectionRowIndex, column: this.columns[cell.cellIndex] };
  }

  cellAt(row, column) {
    return this.body.rows[row]?.cells[this.columns.indexOf(column)];
  }

  addRow(index = this.body.rows.length) {
    const row = this.body.insertRow(index);
    for (const column of this.columns) {
      const cell = row.insertCell();
      if (column) {
        cell.tabIndex = -1;
        cell.dataset.places = "";
        cell.className = "none";
      } else cell.className = "tools";
    }
    this.did(() => row.remove());
    row.cells[0].focus();
    this.#edit(row.cells[0]);
  }

  moveRow(row, by) {
    const other = this.body.rows[row.sectionRowIndex + by];
    if (!other) return;
    const move = (step) => {
      const to = this.body.rows[row.sectionRowIndex + step];
      step < 0 ? this.body.insertBefore(row, to) : this.body.insertBefore(to, row);
    };
    move(by);
    this.did(() => move(-by));
  }

  removeRow(row) {
    const after = row.nextElementSibling;
    const near = after ?? row.previousElementSibling;
    row.remove();
    near?.cells[0].focus();
    this.did(() => this.body.insertBefore(row, after?.isConnected ? after : null));
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
      if (text !== before) this.did(() => (cell.textContent = before));
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
    const next = this.body.rows[cell.parentElement.sectionRowIndex + down]?.cells[cell.cellIndex + right];
    if (next?.dataset.places !== undefined) next.focus();
  }

  #key(event) {
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

  #showTools(row) {
    const place = row?.querySelector(".tools");
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

function cellText(cell) {
  return cell.querySelector("input")?.value ?? cell.textContent;
}

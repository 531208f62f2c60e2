// The page Query: the editor, its keys, and names that are inserted by a click.

import { complete } from "./sql_completion.js";
import { highlight } from "./sql_editor.js";

const form = document.getElementById("query");
const editor = document.getElementById("editor");
const textarea = document.getElementById("sql");

const tables = [...document.querySelectorAll("#tables [data-table]")].map((table) => ({
  name: table.dataset.table,
  columns: [...table.querySelectorAll("[data-kind=column]")].map((column) => ({
    name: column.dataset.insert,
    type: column.dataset.type,
  })),
}));

/** Put a text in place of what is selected, so that it can be undone. */
function insert(text, start = textarea.selectionStart, end = textarea.selectionEnd) {
  textarea.focus();
  textarea.setSelectionRange(start, end);
  if (document.execCommand("insertText", false, text)) return;
  textarea.setRangeText(text, start, end, "end");
  textarea.dispatchEvent(new Event("input", { bubbles: true }));
}

const pre = highlight(editor, textarea);
const completion = complete(editor, textarea, pre, tables, insert);

form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(document.getElementById("run"));
  }
});

document.getElementById("tables").addEventListener("click", (event) => {
  const button = event.target.closest("[data-insert]");
  if (!button) return;
  const before = textarea.value.slice(0, textarea.selectionStart);
  insert(before === "" || /[\s(.,]$/.test(before) ? button.dataset.insert : ` ${button.dataset.insert}`);
  completion.close();
});

for (const select of document.querySelectorAll(".axes select")) {
  select.addEventListener("change", () => {
    const [x, y] = [document.getElementById("x"), document.getElementById("y")];
    if (x.value && y.value) form.requestSubmit(document.getElementById("run"));
  });
}

// The list of documents: the form for files, chosen rows, keys, and rows that follow what is being read.

import { toast } from "./dialogs.js";
import { followKeys } from "./list_keys.js";
import { follow as followReading } from "./reading.js";
import { send } from "./requests.js";
import { Selection } from "./selection.js";
import { showTimes } from "./times.js";
import { offerUndo } from "./undo.js";
import { takeOverPageForm } from "./upload_form.js";

const EVERY = 3000; // milliseconds

const upload = document.getElementById("upload");
if (upload) takeOverPageForm(upload);

const card = document.getElementById("reading-progress");
const reading = followReading(card, card.dataset);
document.addEventListener("documents-changed", () => {
  reading.again();
  refresh();
});

// Addresses without what is empty are shorter, to be kept and shared.
const filters = document.getElementById("filters");
filters.addEventListener("formdata", ({ formData }) => {
  const triples = formData.getAll("field").map((field, at) => [field, formData.getAll("operator")[at], formData.getAll("value")[at]]);
  const columns = formData.getAll("column");
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  for (const name of ["field", "operator", "value", "column"]) formData.delete(name);
  for (const [field, operator, value] of triples.filter((triple) => triple[0])) {
    formData.append("field", field);
    formData.append("operator", operator);
    formData.append("value", value);
  }
  // Choosing no column says something only if there were some.
  if (columns.length > 1 || "columns" in filters.dataset) columns.forEach((column) => formData.append("column", column));
  else formData.delete("of");
});

const selection = new Selection(document.getElementById("chosen"), refresh);
const keys = followKeys(selection);
let isTold = false;

async function refresh() {
  const { ok, status, reply } = await send(location.href, { method: "GET", as: "text" });
  if (ok) {
    isTold = false;
    show(new DOMParser().parseFromString(reply, "text/html"));
  } else if (!isTold) {
    isTold = true;
    const signIn = status === 401 ? { label: "Sign in", act: () => location.reload() } : {};
    toast(reply.message, { kind: "bad", seconds: 60, ...signIn });
  }
  if (status !== 401) follow();
}

// Shows the list as it is in another page, with the focus where it was.
function show(fresh) {
  const focused = document.activeElement;
  for (const id of ["rows", "paging"]) document.getElementById(id).replaceChildren(...fresh.getElementById(id).childNodes);
  const rows = document.getElementById("rows");
  rows.toggleAttribute("data-changing", "changing" in fresh.getElementById("rows").dataset);
  showTimes(rows);
  document.getElementById("count").textContent = fresh.getElementById("count").textContent;
  selection.form.dataset.total = fresh.getElementById("chosen").dataset.total;
  selection.renew();
  keys.renew();
  if (focused.isConnected) return;
  const same = (link) => link.href === focused.href && link.value === focused.value;
  [...document.querySelectorAll("#rows :is(a, input), #paging a")].find(same)?.focus({ preventScroll: true });
}

let timer = null;
function follow() {
  clearTimeout(timer);
  if ("changing" in document.getElementById("rows").dataset) timer = setTimeout(refresh, EVERY);
}

offerUndo();
follow();

// The form for files, and rows that follow what is being read.

import { follow as followReading } from "./reading.js";
import { takeOver } from "./upload_form.js";
import { offerUndo } from "./undo.js";
import { followSelection } from "./selection.js";

const EVERY = 3000; // milliseconds

const upload = document.getElementById("upload");
if (upload) takeOver(upload);

const card = document.getElementById("reading");
const reading = followReading(card, card.dataset);
document.addEventListener("documents-changed", () => {
  reading.again();
  refresh();
});

async function refresh() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok) {
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const rows = document.getElementById("rows");
    const chosen = new Set([...rows.querySelectorAll(":checked")].map((box) => box.value));
    rows.replaceWith(fresh.getElementById("rows"));
    document.getElementById("count").textContent = fresh.getElementById("count").textContent;
    for (const box of document.querySelectorAll("#rows input")) box.checked = chosen.has(box.value);
  }
  follow();
}

let timer = null;
function follow() {
  clearTimeout(timer);
  if ("changing" in document.getElementById("rows").dataset) timer = setTimeout(refresh, EVERY);
}

offerUndo();
followSelection(document.getElementById("chosen"));
follow();

// Compares reading offline and with the language model on reviewed documents, one after the other.

import { element } from "./modal.js";
import { send } from "./requests.js";

const root = document.getElementById("modes");
const start = document.getElementById("modes-start");
const stop = document.getElementById("modes-stop");
const progress = document.getElementById("modes-progress");
const region = root.querySelector(".scroll");
let isStopped = false;

stop.addEventListener("click", () => {
  isStopped = true;
  stop.disabled = true;
});

start.addEventListener("click", async () => {
  const documents = root.dataset.documents.split(" ");
  const sums = { offline: {}, model: {} };
  const warnings = new Set();
  isStopped = stop.disabled = false;
  start.disabled = true;
  stop.hidden = false;
  let done = 0;
  let failure = "";
  for (const id of documents) {
    if (isStopped || failure) break;
    tell(done, documents.length, warnings, "The next one is being read …");
    const { ok, reply } = await send(`${root.dataset.at}/${id}`, { body: {} });
    if (!ok) {
      failure = reply.message;
      break;
    }
    done += 1;
    for (const way of ["offline", "model"]) {
      for (const [name, count] of Object.entries(reply[way])) sums[way][name] = (sums[way][name] ?? 0) + count;
      show(way, sums[way]);
    }
    for (const warning of reply.warnings) warnings.add(warning);
  }
  tell(done, documents.length, warnings, failure);
  start.disabled = false;
  stop.hidden = true;
});

function tell(done, of, warnings, more) {
  progress.replaceChildren(`${done} of ${of} documents compared. ${more}`);
  for (const warning of warnings) progress.append(element("br"), warning);
}

function show(way, sum) {
  region.hidden = false;
  const row = root.querySelector(`[data-way="${way}"]`);
  const cells = [
    f1(sum, "values"),
    f1(sum, "cells"),
    `${sum.perfect} of ${sum.documents}`,
    (sum.seconds / sum.documents).toFixed(1),
    sum.tokensRead.toLocaleString("en"),
    sum.tokensWritten.toLocaleString("en"),
    sum.cost.toFixed(4),
  ];
  row.replaceChildren(row.querySelector("th"), ...cells.map((text) => element("td", text)));
}

// The harmonic mean of precision and recall; nothing if there is no such value.
function f1(sum, kind) {
  const count = sum[`${kind}True`] + sum[`${kind}Read`];
  return count ? ((2 * sum[`${kind}Right`]) / count).toFixed(3) : "";
}

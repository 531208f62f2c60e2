// Asks for each document what reading it again would change, and chooses those that change.

import { element } from "./modal.js";
import { send } from "./requests.js";

const AT_ONCE = 2;
const AGAIN = 1000; // milliseconds

if (document.getElementById("alike-waits")) setTimeout(() => location.reload(), AGAIN);

const form = document.getElementById("alike");
if (form) {
  const rows = [...form.querySelectorAll("[data-id]")];
  const progress = document.getElementById("alike-progress");
  const bar = progress.querySelector("progress");
  const summary = document.getElementById("alike-summary");
  const button = document.getElementById("alike-send");
  const waiting = [...rows];
  const counts = { looked: 0, changing: 0, same: 0 };

  const look = async () => {
    while (waiting.length) {
      const row = waiting.shift();
      const answer = await send(`${form.dataset.at}/${row.dataset.id}`, { method: "GET" });
      counts.looked += 1;
      show(row, answer);
      tell();
    }
  };

  // Shows what changes in a document; one of another look goes.
  const show = (row, { ok, reply: effect }) => {
    row.hidden = false;
    const box = row.querySelector(".changes");
    if (!ok) return box.append(line("error", effect.message));
    if (!effect.isAlike) return row.remove();
    if (!effect.changes.length) {
      counts.same += 1;
      return box.append(line("faint", "Nothing changes"));
    }
    counts.changing += 1;
    row.querySelector("input").checked = true;
    const list = element("dl");
    for (const [place, before, after] of effect.changes) {
      const value = element("dd");
      value.append(before ? element("del", before) : "empty", " → ", after ? element("ins", after) : "empty");
      list.append(element("dt", place), value);
    }
    box.append(list);
    if (effect.leftOut) box.append(line("faint", `and ${effect.leftOut} more`));
  };

  const tell = () => {
    bar.value = counts.looked;
    const { looked, changing, same } = counts;
    summary.textContent = `${looked} of ${rows.length} looked at: ${changing} would change, ${same} look alike and stay as they are, ${looked - changing - same} are of another look`;
    const chosen = form.querySelectorAll("input:checked").length;
    button.textContent = chosen === 1 ? "Read it again" : `Read the ${chosen} again`;
    button.disabled = !chosen;
  };

  for (const row of rows) row.hidden = true;
  progress.hidden = false;
  form.addEventListener("change", tell);
  document.getElementById("alike-stop").addEventListener("click", (event) => {
    for (const row of waiting.splice(0)) row.remove();
    event.target.hidden = true;
  });
  tell();
  Promise.all(Array.from({ length: AT_ONCE }, look)).then(() => {
    document.getElementById("alike-stop").hidden = true;
    bar.hidden = true;
  });
}

function line(className, text) {
  return element("p", text, { className });
}

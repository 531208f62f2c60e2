// What somebody else changed while values were entered, and whose values are to stay.

import { element, modal } from "./modal.js";

// Shows the other person's corrections; ``mine`` are texts of what was entered, by field id. Resolves to the ids of
// fields whose other value stays, or null if the person wants to go on entering first.
export async function askWhose(message, later, mine) {
  const table = element("table");
  const head = table.createTHead().insertRow();
  for (const text of ["Value", "Was", "Theirs", "Yours", ""]) head.append(element("th", text, { scope: "col" }));
  const body = table.createTBody();
  const choices = new Map();
  for (const correction of later) {
    const row = body.insertRow();
    const at = new Date(correction.at).toLocaleString();
    for (const text of [correction.name, correction.before, correction.after]) row.insertCell().textContent = text || "–";
    row.cells[2].append(element("div", `${correction.by}, ${at}`, { className: "faint" }));
    row.insertCell().textContent = mine[correction.field] ?? "–";
    const cell = row.insertCell();
    if (correction.field in mine) {
      const choice = element("select", "", { "aria-label": correction.name });
      choice.append(new Option("Keep mine", "mine"), new Option("Take theirs", "theirs"));
      cell.append(choice);
      choices.set(correction.field, choice);
    }
  }
  const scroll = element("div", "", { className: "scroll" });
  scroll.append(table);
  const buttons = choices.size
    ? [
      { label: "Save as chosen", value: "chosen" },
      { label: "Keep all mine", value: "mine", kind: "plain" },
      { label: "Take all theirs", value: "theirs", kind: "plain" },
    ]
    : [{ label: "Keep both", value: "chosen" }];
  const answer = await modal(message, [scroll], buttons);
  if (!answer) return null;
  return [...choices].filter(([, choice]) => answer === "theirs" || (answer === "chosen" && choice.value === "theirs"))
    .map(([id]) => id);
}

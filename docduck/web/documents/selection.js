// The chosen rows of the list: what is asked before something is done with them.

import { askDeleting, askReading, setAsk } from "./asks.js";

export function followSelection(form) {
  const button = (action) => form.querySelector(`button[value="${action}"]`);
  const update = () => {
    const chosen = [...form.querySelectorAll('input[name="document"]:checked')];
    const discards = form.querySelector('[name="discard_corrections"]')?.checked;
    const count = (mark) => chosen.filter((box) => mark in box.dataset).length;
    const reading = askReading(chosen.length, {
      approved: count("approved"),
      corrected: discards ? count("corrected") : 0,
    });
    const asks = { delete: chosen.length ? askDeleting(chosen.length) : "", "read-again": reading };
    for (const [action, text] of Object.entries(asks)) {
      if (button(action)) setAsk(button(action), text);
    }
  };
  form.addEventListener("change", update);
  update();
}

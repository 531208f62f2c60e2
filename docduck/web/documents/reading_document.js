// A document that waits or is read: its pages can be looked at, and its values are shown as soon as they are read.

import { send } from "./requests.js";

const EVERY = 2000; // milliseconds
const POLL = { method: "GET", isPoll: true };

export function followReading(root, pages) {
  const { id } = root.dataset;
  const told = root.querySelector("#reading");
  if (pages) {
    send(`/documents/${id}/pages/count`, POLL).then(({ ok, told }) => {
      if (ok && told.count !== pages.count) pages.setCount(told.count);
    });
  }
  async function look() {
    const { ok, told: answer } = await send(`/documents/${id}/reading`, POLL);
    if (ok && answer.isRead) {
      location.reload();
      return;
    }
    const text = answer.status === "processing" ? "It is being read." : "It waits to be read.";
    told.textContent = ok ? [text, answer.told].filter(Boolean).join(" ") : answer.message;
    setTimeout(look, EVERY);
  }
  setTimeout(look, EVERY);
}

// A document that waits or is read: its pages can be looked at, and its values are shown as soon as they are read.

import { send } from "./requests.js";

const EVERY = 2000; // milliseconds
const POLL = { method: "GET", isPoll: true };

export function followReading(root, pages) {
  const { id } = root.dataset;
  const status = root.querySelector("#reading");
  if (pages) {
    send(`/documents/${id}/pages/count`, POLL).then(({ ok, reply }) => {
      if (ok && reply.count !== pages.count) pages.setCount(reply.count);
    });
  }
  async function look() {
    const { ok, reply } = await send(`/documents/${id}/reading`, POLL);
    if (ok && reply.isRead) {
      location.reload();
      return;
    }
    const text = reply.status === "processing" ? "It is being read." : "It waits to be read.";
    status.textContent = ok ? [text, reply.message].filter(Boolean).join(" ") : reply.message;
    setTimeout(look, EVERY);
  }
  setTimeout(look, EVERY);
}

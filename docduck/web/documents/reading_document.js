// A document that waits or is read: its pages can be looked at, and its values are shown as soon as they are read.

import { element } from "./modal.js";
import { send } from "./requests.js";

const EVERY = 2000; // milliseconds
const POLL = { method: "GET", isPoll: true };

// Asks how many pages a document has that is not read; one that failed may have none that can be shown.
export async function countPages(root, pages) {
  const { ok, reply } = await send(`/documents/${root.dataset.id}/pages/count`, POLL);
  if (!ok && "failed" in root.dataset) pages.area.replaceWith(element("p", "There are no pages to show."));
  if (ok && reply.count !== pages.count) pages.setCount(reply.count);
}

export function followReading(root, pages) {
  const { id } = root.dataset;
  const status = root.querySelector("#reading");
  if (pages) countPages(root, pages);
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

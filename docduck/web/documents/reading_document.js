// A document that waits or is read: its pages can be looked at, and its values are shown as soon as they are read.

const EVERY = 2000; // milliseconds

export function followReading(root, pages) {
  const { id } = root.dataset;
  const told = root.querySelector("#reading");
  if (pages) {
    ask(`/documents/${id}/pages/count`).then((answer) => {
      if (answer && answer.count !== pages.count) pages.setCount(answer.count);
    });
  }
  async function look() {
    const answer = await ask(`/documents/${id}/reading`);
    if (answer?.isRead) {
      location.reload();
      return;
    }
    const text = answer ? `${answer.status === "processing" ? "It is being read" : "It waits to be read"}.` : "";
    if (answer) told.textContent = [text, answer.told].filter(Boolean).join(" ");
    setTimeout(look, EVERY);
  }
  setTimeout(look, EVERY);
}

// Returns what the server answers, null if it doesn't now.
async function ask(path) {
  const answer = await fetch(path, { cache: "no-store", headers: { "X-Poll": "yes" } }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

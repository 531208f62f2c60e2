// Actions on very many documents: some at a time, with progress, and until they are stopped.

import { documents } from "./asks.js";
import { toast } from "./dialogs.js";
import { element } from "./modal.js";
import { send } from "./requests.js";

const AT_ONCE = 100;
const DONE = { delete: "deleted", "read-again": "wait to be read again", assign: "assigned", move: "moved" };
const FAILED = "docduck.failed"; // what the page that is loaded after deleting tells

const failed = sessionStorage.getItem(FAILED);
sessionStorage.removeItem(FAILED);
if (failed) tellFailure(failed);

// Returns the batch of deleted documents, which can be restored; empty for other actions.
export async function actOnAll(ids, action) {
  const progress = new Progress(ids.length);
  const failures = [];
  let done = 0;
  let batch = "";
  const left = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) left.push(ids.slice(start, start + AT_ONCE));
  while (left.length && !progress.isStopped) {
    const some = left.shift();
    const { ok, status, reply } = await send("/documents/actions", { body: { ...action, documents: some, batch } });
    if (ok) {
      done += some.length;
      batch ||= reply.batch;
    } else if (status === 0 || status === 401) {
      failures.push(reply.message);
      break;
    } else if (some.length > 1) {
      // One that can't be done keeps none of the others back.
      const half = Math.ceil(some.length / 2);
      left.unshift(some.slice(0, half), some.slice(half));
    } else {
      failures.push(reply.message);
    }
    progress.show(done + failures.length);
  }
  progress.end();
  if (failures.length) {
    const text = `${documents(done)} ${DONE[action.action]}, ${(ids.length - done).toLocaleString()} not: ${failures[0]}`;
    if (batch) sessionStorage.setItem(FAILED, text);
    else tellFailure(text);
  } else if (!batch) {
    toast(`${documents(done)} ${DONE[action.action]}`);
  }
  return batch;
}

function tellFailure(text) {
  toast(text, { kind: "bad", seconds: 60 });
}

class Progress {
  constructor(total) {
    this.total = total;
    this.isStopped = false;
    this.dialog = element("dialog", "", { className: "modal", "aria-label": "Progress" });
    this.text = element("p", "", { role: "status" });
    this.bar = element("progress", "", { max: total, "aria-label": "Progress" });
    const stop = element("button", "Stop", { type: "button", className: "plain", onclick: () => this.dialog.close() });
    this.dialog.addEventListener("close", () => (this.isStopped = true));
    this.dialog.append(this.text, this.bar, stop);
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.show(0);
  }

  show(done) {
    this.bar.value = done;
    this.text.textContent = `${done.toLocaleString()} of ${documents(this.total)}`;
  }

  end() {
    this.dialog.remove();
  }
}

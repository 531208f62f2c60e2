// How far the reading of documents is: asks the server until all are read.

import { element } from "./modal.js";
import { countInTitle } from "./reading_title.js";
import { send } from "./requests.js";

const EVERY = 2000; // milliseconds

// Shows the progress in a box: of a parser or classifier (`to`) or of the team, of what was queued `since`
// then, or without of what waits now. Returns what stops it and looks again.
export function follow(box, { to = "", since = "", onEnd = () => {} }) {
  const lines = parts(box);
  let [timer, before, isStopped] = [null, null, false];

  async function look() {
    clearTimeout(timer);
    timer = null;
    const query = new URLSearchParams({ to, ...(since && { since }) });
    const { ok, status, reply: progress } = await send(`/documents/progress?${query}`, { method: "GET", isPoll: true });
    if (isStopped || (!ok && status)) return;
    if (ok && progress.total) {
      since = progress.since;
      show(lines, progress, to);
      box.hidden = false;
      countInTitle(progress.total - progress.done);
      const isNews = before !== null && before !== progress.done;
      before = progress.done;
      if (isNews) document.dispatchEvent(new Event("documents-changed"));
    }
    if (!ok || progress.done < progress.total) timer = setTimeout(look, EVERY);
    else if (progress.total) {
      since = "";
      onEnd();
    }
  }

  look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    again: () => timer === null || look(),
  };
}

function parts(box) {
  const line = element("p");
  const bar = element("progress", "", { "aria-label": "Read" });
  const failed = element("details", "", { hidden: true });
  failed.append(element("summary"), element("ul"));
  box.replaceChildren(line, bar, failed);
  return { line, bar, failed };
}

function show({ line, bar, failed }, progress, to) {
  const { total, done, secondsLeft, undecided, parsers, failures } = progress;
  line.replaceChildren(`${done} of ${total} read`);
  if (done < total) line.append(secondsLeft === null ? "" : `, ${timeLeft(secondsLeft)}`);
  if (to.startsWith("classifier:")) {
    for (const { name, count, path } of parsers) line.append(` · ${count} to `, element("a", name, { href: path }));
    if (undecided) line.append(` · ${undecided} wait for a decision`);
  }
  Object.assign(bar, { max: total, value: done, hidden: done === total });
  failed.hidden = !progress.failed;
  failed.querySelector("summary").textContent = `${progress.failed} could not be read`;
  failed.querySelector("ul").replaceChildren(
    ...failures.map(({ name, error, path }) => {
      const item = element("li");
      item.append(element("a", name, { href: path }), `: ${error}`);
      return item;
    }),
  );
}

function timeLeft(seconds) {
  if (seconds < 60) return "less than a minute left";
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}

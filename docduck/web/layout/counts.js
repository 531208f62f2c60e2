// The counts beside the navigation, kept up to date while the page is seen.

import { send } from "./requests.js";

const EVERY = 30_000; // milliseconds

async function refresh() {
  if (document.hidden) return;
  const { ok, reply } = await send("/counts", { method: "GET", isPoll: true });
  if (!ok) return;
  for (const place of document.querySelectorAll("[data-count]")) {
    const { count, label } = reply[place.dataset.count];
    place.hidden = !count;
    place.textContent = count > 999 ? "999+" : count;
    place.title = label;
  }
}

if (document.querySelector("[data-count]")) {
  refresh();
  setInterval(refresh, EVERY);
  document.addEventListener("visibilitychange", refresh);
}

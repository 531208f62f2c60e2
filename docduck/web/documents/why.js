// "Why?" at each value: what speaks for it and against it, in the server's words.

import { element } from "./modal.js";
import { send } from "./requests.js";

const root = document.getElementById("document");

for (const value of root.querySelectorAll(".value[data-field]")) {
  const why = element("details", "", { className: "why" });
  const told = element("div", "", { role: "status" });
  why.append(element("summary", "Why?"), told);
  value.append(why);
  why.addEventListener("toggle", async () => {
    if (!why.open) return;
    told.replaceChildren(element("p", "…"));
    const { ok, reply } = await send(`/documents/${root.dataset.id}/why/${value.dataset.field}`, { method: "GET" });
    told.replaceChildren(...(ok ? reply : [reply.message]).map((text) => element("p", text)));
  });
}

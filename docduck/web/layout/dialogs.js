// Questions, and messages that go away by themselves.

import { element, modal } from "./modal.js";

const SECONDS = 8;

// Asks a question; resolves to whether the person agreed. ``text`` may be several, which are listed;
// ``isUnsafe`` if Enter is to cancel.
export async function ask({ title, text = "", label = "OK", danger = false, isUnsafe = false }) {
  const content = Array.isArray(text) ? [listOf(text)] : text ? [element("p", text)] : [];
  return (await modal(title, content, [{ label, value: "yes", kind: danger ? "danger" : "", isUnsafe }])) === "yes";
}

export function listOf(texts) {
  const list = element("ul");
  list.append(...texts.map((text) => element("li", text)));
  return list;
}

// Shows a message for some seconds, with a button if ``act`` is given; returns a function that takes it away.
export function toast(text, { kind = "good", label = "", act = null, seconds = SECONDS } = {}) {
  const message = element("div", "", { className: `toast ${kind}` });
  message.append(element("span", text));
  const end = () => message.remove();
  if (act) {
    const does = element("button", label, { className: "plain small", type: "button" });
    does.addEventListener("click", () => {
      end();
      act();
    });
    message.append(does);
  }
  toasts().append(message);
  let timer = setTimeout(end, 1000 * seconds);
  // Whoever reads it or is about to press its button has the time to.
  for (const event of ["pointerenter", "focusin"]) message.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["pointerleave", "focusout"]) {
    message.addEventListener(event, () => {
      clearTimeout(timer);
      timer = setTimeout(end, 1000 * seconds);
    });
  }
  return end;
}

function toasts() {
  let area = document.getElementById("toasts");
  if (!area) {
    area = element("div", "", { id: "toasts", role: "status" });
    document.body.append(area);
  }
  return area;
}

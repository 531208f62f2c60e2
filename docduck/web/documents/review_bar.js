// The bar below the values: messages, dialogs, the way from document to document, and keys for all of them.

import { element } from "./modal.js";

const TRAIL = "documents"; // those that were shown in this tab, the last one last
const LONGEST = 50;

export class ReviewBar {
  constructor(root) {
    this.root = root;
    this.message = root.querySelector("#message");
    this.byKey = new Map();
    for (const details of root.querySelectorAll("details[data-dialog]")) this.#makeDialog(details);
    const skip = root.querySelector("#skip");
    if (skip) this.byKey.set("j", () => skip.click());
    this.#keepTrail(root.dataset.id);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  tell(text, { kind = "", label = "", act = null } = {}) {
    this.message.className = kind === "bad" ? "error" : "";
    this.message.textContent = text;
    this.message.parentElement.querySelector("button")?.remove();
    if (!act) return;
    this.message.after(element("button", label, { type: "button", className: "small", onclick: act }));
  }

  // Turns a part that opens by itself without scripts into a dialog.
  #makeDialog(details) {
    const summary = details.querySelector("summary");
    const head = element("h2", summary.textContent, { id: `dialog-${details.dataset.key.charCodeAt(0)}` });
    const dialog = element("dialog", "", { className: "modal", "aria-labelledby": head.id });
    const close = element("button", "Close", { type: "button", className: "plain", onclick: () => dialog.close() });
    const open = () => {
      dialog.showModal();
      (dialog.querySelector("input:not([type=hidden])") ?? close).focus();
    };
    const button = element("button", summary.textContent, {
      type: "button", className: "plain small", title: summary.title, "aria-haspopup": "dialog", onclick: open,
    });
    summary.remove();
    dialog.append(head, ...details.childNodes);
    const send = dialog.querySelector("[type=submit]");
    const actions = element("div", "", { className: "actions" });
    (send?.form ?? dialog).append(actions);
    actions.append(...(send ? [send] : []), close);
    details.replaceWith(button);
    document.body.append(dialog);
    this.byKey.set(details.dataset.key, open);
  }

  #keepTrail(id) {
    const trail = JSON.parse(sessionStorage.getItem(TRAIL) ?? "[]");
    const back = this.root.querySelector("#back");
    if (trail[trail.length - 1] !== id) trail.push(id);
    sessionStorage.setItem(TRAIL, JSON.stringify(trail.slice(-LONGEST)));
    if (!back || trail.length < 2) return;
    const go = () => {
      sessionStorage.setItem(TRAIL, JSON.stringify(trail.slice(0, -1)));
      location.assign(`/documents/${trail[trail.length - 2]}`);
    };
    back.hidden = false;
    back.addEventListener("click", go);
    this.byKey.set("k", go);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog:modal")) return;
    const isTyping = event.target.matches("input, textarea, select, td, [contenteditable]");
    if (isTyping && !event.altKey) return;
    // With Alt some keyboards type other letters, so the key's place counts then.
    const letter = event.altKey && event.code.startsWith("Key") ? event.code.slice(3) : event.key;
    const act = this.byKey.get(letter.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
  }
}

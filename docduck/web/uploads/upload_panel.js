// A panel in the corner of any page: asks where dropped files go, sends them, and follows their reading.

import { element } from "./modal.js";
import { follow } from "./reading.js";
import { takeOver } from "./upload_form.js";

const KEPT = "docduck.reading";

let panel = null;

// Asks where the files go; what is dropped while it asks is asked for anew.
export async function askWhere(files) {
  const { uploadTo } = document.getElementById("content").dataset;
  const answer = await fetch(`/add-documents?${new URLSearchParams({ to: uploadTo ?? "" })}`).catch(() => null);
  const fresh = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const form = fresh.getElementById("upload");
  if (!form) {
    // There is no parser yet, the session has ended, or the connection is lost: the page says which.
    location.assign("/add-documents");
    return;
  }
  const choice = form.querySelector("[name=to]");
  const named = files.length === 1 ? files[0].name : `${files.length} files`;
  open(`Add ${named}`, form);
  const send = takeOver(form, { onTaken: ({ to, since }) => keep({ to, since }), onEnd: forget });
  for (const input of form.querySelectorAll("input[type=file]")) input.closest(".field").remove();
  form.classList.remove("card");
  form.addEventListener("submit", () => {
    for (const part of form.querySelectorAll(".field, button")) part.hidden = true;
    send(files);
  });
  choice.focus();
}

// Shows again what was being read when the page before this one was left.
export function showKept() {
  const last = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  if (!last || panel) return;
  const box = element("div", "", { className: "reading", hidden: true });
  open("Documents are read", box);
  follow(box, { ...last, onEnd: forget });
}

function open(title, content) {
  panel?.remove();
  const head = element("h2", title, { id: "upload-panel-title" });
  const close = element("button", "Close", { type: "button", className: "plain small", onclick: end });
  panel = element("dialog", "", { className: "upload-panel", "aria-labelledby": head.id });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });
  panel.append(head, close, content);
  document.body.append(panel);
  panel.open = true; // show() would take the focus
}

function end() {
  forget();
  panel.remove();
  panel = null;
}

function keep(batch) {
  sessionStorage.setItem(KEPT, JSON.stringify(batch));
}

function forget() {
  sessionStorage.removeItem(KEPT);
}

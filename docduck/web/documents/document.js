// Joins the page's picture with the values beside it, and saves what was changed.

import { Capture } from "./capture.js";
import { PageSearch } from "./page_search.js";
import { Pages } from "./pages.js";
import { followReading } from "./reading_document.js";
import { Values } from "./values.js";

const root = document.getElementById("document");
const mayCorrect = root.dataset.mayCorrect === "yes";
const mayDecide = root.dataset.mayDecide === "yes";
const values = new Values(root, mayCorrect);
const pages = Number(root.dataset.pages) ? new Pages(root, (element) => values.focus(element)) : null;
const message = root.querySelector("#message");
const save = root.querySelector("#save");
const undo = root.querySelector("#undo");
const capture = pages && mayCorrect ? new Capture(root, pages, values, (text) => (message.textContent = text)) : null;
const search = pages && root.querySelector("#find") ? new PageSearch(root, pages) : null;
if ("reading" in root.dataset) followReading(root, pages);
const DONE = "done"; // what the page after saving tells
let leaving = false;

function showBoxes() {
  pages?.setBoxes(values.boxes(pages.number));
}

values.onCurrent = (element) => {
  const first = element.dataset.places.split(":")[0];
  if (first) pages?.show(Number(first));
  showBoxes();
};
values.onChange = () => {
  // What was changed is compared when it is saved: in large tables that takes too long for each cell.
  if (save) save.disabled = !values.done.length;
  if (undo) undo.disabled = !values.done.length;
  showBoxes();
};
if (pages) {
  pages.onShow = () => {
    showBoxes();
    search?.show();
  };
}

async function send(then) {
  const changed = values.changes();
  if (!changed && !then) {
    message.textContent = "Nothing is changed";
    return;
  }
  message.className = "";
  message.textContent = "Saving …";
  const answer = await fetch(`/documents/${root.dataset.id}/changes`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Form-Token": root.dataset.token },
    body: JSON.stringify({ seen: root.dataset.seen, then, ...(changed ?? {}) }),
  }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (answer?.ok) {
    leaving = true;
    if (told.done) sessionStorage.setItem(DONE, JSON.stringify([told.done, told.link]));
    location.assign(told.next);
    return;
  }
  message.className = "error";
  message.textContent = told?.message ?? "This could not be saved. Try again.";
  values.showProblems(told?.details ?? []);
}

save?.addEventListener("click", () => send(""));
root.querySelector("#confirm")?.addEventListener("click", () => send("confirm"));
undo?.addEventListener("click", () => values.undo());
root.querySelector("#fields")?.addEventListener("submit", (event) => event.preventDefault());
root.querySelector("#approve")?.addEventListener("submit", (event) => {
  if (!mayCorrect) return;
  event.preventDefault();
  send("approve");
});
window.addEventListener("beforeunload", (event) => {
  if (!leaving && values.changes() !== null) event.preventDefault();
});
window.addEventListener("resize", () => pages?.load());

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  const isText = event.target.matches("input, textarea");
  if (command && event.key === "Enter" && mayDecide) {
    document.activeElement.blur(); // so that the value that is being entered counts
    send("approve");
  } else if (command && event.key === "s" && mayCorrect) {
    document.activeElement.blur();
    send("");
  } else if (command && event.key === "z" && mayCorrect && (!isText || values.isSettled(event.target))) {
    values.undo();
  } else if (capture?.key(event) || search?.key(event) || pages?.key(event)) {
    // done
  } else if (event.key === "Enter" && event.target.matches(".value input, .value select")) {
    values.step(event.shiftKey ? -1 : 1);
  } else return;
  event.preventDefault();
});

if (message) {
  const [done, link] = JSON.parse(sessionStorage.getItem(DONE) ?? '[""]');
  message.textContent = done;
  if (link) message.append(" ", Object.assign(document.createElement("a"), { href: link, textContent: "See what changes in them" }));
  sessionStorage.removeItem(DONE);
}

const first = values.looks()[0] ?? values.fields[0];
if (first && mayCorrect) values.focus(first);
showBoxes();

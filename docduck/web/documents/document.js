// The page of a document: joins its picture with its values, saves, and warns who leaves it unsaved.

import { Capture } from "./capture.js";
import { Doubts } from "./doubts.js";
import { element as item, modal } from "./modal.js";
import { PageSearch } from "./page_search.js";
import { Pages } from "./pages.js";
import { followReading } from "./reading_document.js";
import { ReviewBar } from "./review_bar.js";
import { Saving } from "./saving.js";
import { Values } from "./values.js";

const root = document.getElementById("document");
const mayCorrect = root.dataset.mayCorrect === "yes";
const mayDecide = root.dataset.mayDecide === "yes";
const { stage } = root.dataset; // of the review
const values = new Values(root, mayCorrect);
const pages = Number(root.dataset.pages) ? new Pages(root, (element) => values.focus(element)) : null;
const bar = new ReviewBar(root);
const saving = new Saving(root, (text, more) => bar.tell(text, more));
const doubts = new Doubts(root, values);
const save = root.querySelector("#save");
const undo = root.querySelector("#undo");
const capture = pages && mayCorrect ? new Capture(root, pages, values, (text) => bar.tell(text)) : null;
const search = pages && root.querySelector("#find") ? new PageSearch(root, pages) : null;
if ("reading" in root.dataset) followReading(root, pages);
const CHECK_AFTER = 300; // milliseconds without another change
const DONE = "done"; // what the page after saving tells
let leaving = false;
let checking = null;
let checks = 0; // that were asked for; only the reply to the last one counts

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
  clearTimeout(checking);
  if (mayCorrect) checking = setTimeout(() => check(), CHECK_AFTER);
};
if (pages) {
  pages.onShow = () => {
    showBoxes();
    search?.show();
  };
}

// Saves what was entered, and does what else is wanted; then the page that the server names is shown.
async function send(then) {
  await capture?.settle();
  const changed = values.changes();
  if (!changed && !then) {
    bar.tell("Nothing is changed");
    return;
  }
  if (then === "approve" && !(await mayApprove())) return;
  await post({ then, stage, ...(changed ?? {}) });
}

async function post(changes) {
  clearTimeout(checking);
  checks += 1;
  const reply = await saving.save(changes);
  if (reply.next) {
    leaving = true;
    if (reply.done) sessionStorage.setItem(DONE, JSON.stringify([reply.done, reply.link]));
    location.assign(reply.next);
  } else if (reply.failed) {
    if (reply.details) values.showProblems(reply.details);
  } else {
    doubts.show(reply);
    bar.tell("");
    if (changes.entered) showLearned();
  }
  return reply;
}

// Tells at the values what was learned from them, and shows where on the pages they are.
async function showLearned() {
  const reply = await saving.learned();
  if (!reply) return;
  values.showLearned(reply);
  showBoxes();
}

// Takes a value as right, as it is or as it was typed, and goes to the next one; the last one approves.
async function confirm(element) {
  await capture?.settle();
  const isLook = "look" in element.dataset;
  const changed = values.changes();
  const isEntered = values.isEntered(element);
  // Before it is saved, as keys come faster than answers.
  const restored = [values.taken(), doubts.settle(element)];
  const next = doubts.next(element) ?? (isLook ? null : values.fieldAfter(element));
  const confirmed = isEntered && element.matches(".value") ? [] : [values.pathOf(element)];
  const isLast = isLook && !next && mayDecide;
  if (next) values.focus(next);
  else root.querySelector("#approve button, #save, #confirm")?.focus();
  const reply = isLast && !(await mayApprove(changed?.entered))
    ? await post({ ...(changed ?? {}), confirmed, stay: true })
    : await post({ ...(changed ?? {}), confirmed, stay: !isLast, then: isLast ? "approve" : "", stage });
  if (reply.failed) for (const restore of restored) restore();
}

// Resolves to whether the document may be approved: if checks fail, the person decides, unless the stage blocks it.
async function mayApprove(entered = values.changes()?.entered) {
  if (entered) await check(entered);
  const failed = doubts.problems();
  if (!failed.length) return true;
  const list = document.createElement("ul");
  list.append(...failed.map(({ name, text }) => item("li", `${name}: ${text}`)));
  const isBlocked = root.dataset.failedChecks === "block";
  const buttons = isBlocked ? [] : [{ label: "Approve anyway", value: "yes" }];
  const note = isBlocked ? [item("p", "This stage approves only documents whose checks hold.")] : [];
  const answer = await modal(failed.length === 1 ? "A check fails" : `${failed.length} checks fail`, [list, ...note], buttons);
  return answer === "yes";
}

async function check(entered = values.changes()?.entered ?? {}) {
  clearTimeout(checking);
  const mine = checks += 1;
  const reply = await saving.check(entered);
  if (reply && mine === checks) doubts.show(reply);
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
  if (!leaving && (saving.pending || values.changes() !== null)) event.preventDefault();
});
window.addEventListener("resize", () => pages?.load());

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  const isText = event.target.matches("input, textarea");
  if (document.querySelector("dialog:modal")) return;
  if (command && event.key === "Enter" && mayDecide) {
    if (event.repeat) return;
    document.activeElement.blur(); // so that the value that is being entered counts
    send("approve");
  } else if (command && event.key === "s" && mayCorrect) {
    document.activeElement.blur();
    send("");
  } else if (command && event.key === "z" && mayCorrect && (!isText || values.isSettled(event.target))) {
    values.undo();
  } else if (capture?.key(event) || search?.key(event) || pages?.key(event)) {
    // done
  } else return;
  event.preventDefault();
});

// A key that is held down decides on nothing.
root.querySelector("#actions")?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.repeat) event.preventDefault();
});

// Before the table takes Enter: a cell to look at is confirmed, also from within its input.
root.addEventListener("keydown", (event) => {
  const value = event.target.closest(".value, td[data-look]");
  const isLine = !event.target.matches("textarea") || event.altKey;
  if (event.target.closest("a, button")) return;
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing || !value || !mayCorrect || !isLine) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat) return;
  event.target.blur(); // so that the value that is being entered counts
  if (event.shiftKey) {
    const before = doubts.next(value, -1);
    if (before) values.focus(before);
  } else confirm(value);
}, true);

const [done, link] = JSON.parse(sessionStorage.getItem(DONE) ?? '[""]');
if (done) {
  bar.tell(done); // the try-out of a parser has no bar
  if (mayCorrect) showLearned();
}
if (link) bar.message.append(" ", item("a", "See what changes in them", { href: link }));
sessionStorage.removeItem(DONE);

const first = doubts.all()[0] ?? (mayDecide ? null : values.fields[0]);
if (first && mayCorrect) values.focus(first);
else root.querySelector("#approve button")?.focus({ preventScroll: true });
showBoxes();

// The first page of the next document is there when it is shown.
if (pages && root.dataset.next) {
  addEventListener("load", () => {
    const { sizes, srcset } = pages.picture;
    Object.assign(new Image(), { sizes, srcset: srcset.replace(/\S*\/pages\/\d+/g, `${root.dataset.next}/pages/1`) });
  });
}

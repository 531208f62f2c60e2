// The page of a document: joins its picture with its values, saves, and warns who leaves it unsaved.

import { Capture } from "./capture.js";
import { listOf, toast } from "./dialogs.js";
import { Doubts } from "./doubts.js";
import { element as item, modal } from "./modal.js";
import { PageSearch } from "./page_search.js";
import { Pages } from "./pages.js";
import { countPages, followReading } from "./reading_document.js";
import { send as request } from "./requests.js";
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
const isFilling = "failed" in root.dataset; // saved as a whole: it is no document with values before
if ("reading" in root.dataset) followReading(root, pages);
else if (isFilling && pages) countPages(root, pages);
const CHECK_AFTER = 300; // milliseconds without another change
const DONE = "done"; // what the page after saving tells: {text, link, undo}, and what was looked at: {id, looked}
const UNDONE_SECONDS = 20; // for which the page after an approval offers to undo it
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
  if (save) save.disabled = !values.isTouched;
  showUndo();
  showBoxes();
  clearTimeout(checking);
  if (mayCorrect && !isFilling) checking = setTimeout(() => check(), CHECK_AFTER);
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
  const restore = changed ? values.taken(() => takeBack()) : null;
  const reply = await post({ then, ...(changed ?? {}) });
  if (reply.failed) restore?.();
}

async function post(changes) {
  clearTimeout(checking);
  checks += 1;
  const reply = await saving.save({ ...changes, stage, looked: [...values.looked] });
  if (reply.next) {
    leaving = true;
    tellNext({ text: reply.done, link: reply.link, undo: reply.undo });
    location.assign(reply.next);
  } else if (reply.failed) {
    if (reply.details) values.showProblems(reply.details);
  } else {
    doubts.show(reply);
    bar.tell("");
    if (reply.questions) await approveAnyway(reply);
    if (changes.entered) showLearned();
  }
  return reply;
}

// Keeps what the page that is loaded next tells, and what was looked at here.
function tellNext(done) {
  sessionStorage.setItem(DONE, JSON.stringify({ ...done, id: root.dataset.id, looked: [...values.looked] }));
}

// Asks whether to approve what looks wrong; the stage may forbid it.
async function approveAnyway({ questions, isBlocked }) {
  const note = isBlocked ? [item("p", "This stage approves only documents whose checks hold.")] : [];
  const buttons = isBlocked ? [] : [{ label: "Approve anyway", value: "yes", isUnsafe: true }];
  const title = isBlocked ? "This can't be approved yet" : "Approve this anyway?";
  const answer = await modal(title, [listOf(questions), ...note], buttons);
  if (answer === "yes") await post({ then: "approve", despite: true });
}

// Undoes what was saved last, and shows it by ``restored`` as it was before; without these the page is loaded again.
async function takeBack(element, restored) {
  const reply = await saving.undo();
  if (reply.failed) return;
  if (!restored) {
    leaving = true;
    tellNext({ text: "The last change is undone" });
    location.reload();
    return;
  }
  for (const restore of restored) restore();
  doubts.show(reply);
  values.focus(element);
  bar.tell("Undone");
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
  if (isFilling) {
    const following = doubts.next(element) ?? values.fieldAfter(element);
    if (following) values.focus(following);
    else save.focus();
    return;
  }
  const isLook = "look" in element.dataset;
  const changed = values.changes();
  const isEntered = values.isEntered(element);
  // Before it is saved, as keys come faster than answers.
  let saved = null;
  const undo = async () => {
    if (!(await saved).failed) await takeBack(element, restored);
  };
  const restored = [values.taken(undo), doubts.settle(element)];
  const next = doubts.next(element) ?? (isLook ? null : values.fieldAfter(element));
  const confirmed = isEntered && element.matches(".value") ? [] : [values.pathOf(element)];
  const isLast = isLook && !next && mayDecide;
  if (next) values.focus(next);
  else root.querySelector("#approve button, #save, #confirm")?.focus();
  values.looked.add(values.fieldOf(element));
  saved = post({ ...(changed ?? {}), confirmed, stay: !isLast, then: isLast ? "approve" : "" });
  const reply = await saved;
  if (reply.failed) for (const restore of restored) restore();
  else if (!reply.next && reply.done) values.tellLearned(values.fieldOf(element), reply.done, reachOf(reply));
}

// A link to the documents for which a correction counts; none if there are none.
function reachOf({ link }) {
  return link ? item("a", "See what changes in them", { href: link }) : null;
}

async function check(entered = values.changes()?.entered ?? {}) {
  clearTimeout(checking);
  const mine = checks += 1;
  const reply = await saving.check(entered);
  if (reply && mine === checks) doubts.show(reply);
}

save?.addEventListener("click", () => send(""));
root.querySelector("#confirm")?.addEventListener("click", () => send("confirm"));
undo?.addEventListener("click", () => undoLast());
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
  } else if (command && event.key === "z" && canUndo() && (!isText || values.isSettled(event.target))) {
    undoLast();
  } else if (capture?.key(event) || search?.key(event) || pages?.key(event)) {
    // done
  } else return;
  event.preventDefault();
});

// What Ctrl+Z undoes: what was done on this page, the approval that led to it, what was saved here before.
function canUndo() {
  return Boolean(values.done.length || approval || "undo" in root.dataset);
}

function showUndo() {
  if (undo) undo.disabled = !canUndo();
}

function undoLast() {
  if (values.done.length) values.undo();
  else if (approval) undoApproval();
  else takeBack();
}

async function undoApproval() {
  const { path, stage } = approval;
  approval = null;
  endOffer();
  showUndo();
  const { ok, reply } = await request(`${path}/undo`, { body: { stage } });
  if (ok) location.assign(reply.next);
  else toast(reply.message, { kind: "bad", label: "Show it", act: () => location.assign(path), seconds: UNDONE_SECONDS });
}

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

const done = JSON.parse(sessionStorage.getItem(DONE) ?? "{}");
sessionStorage.removeItem(DONE);
let approval = done.undo ?? null; // the one that was made just now: {path, stage, text}
if (done.text) {
  bar.tell(done.text); // the try-out of a parser has no bar
  if (mayCorrect) showLearned();
}
if (done.link) bar.message.append(" ", reachOf(done));
const endOffer = approval
  ? toast(approval.text, { label: "Undo", act: undoApproval, seconds: UNDONE_SECONDS })
  : () => {};

const first = doubts.all()[0] ?? (mayDecide ? null : values.fields[0]);
if (first && mayCorrect) values.focus(first);
else root.querySelector("#approve button")?.focus({ preventScroll: true });
values.looked = new Set(done.id === root.dataset.id ? done.looked : []); // nobody chose the focus of now
showBoxes();
showUndo();

// The first page of the next document is there when it is shown.
if (pages && root.dataset.next) {
  addEventListener("load", () => {
    const { sizes, srcset } = pages.picture;
    Object.assign(new Image(), { sizes, srcset: srcset.replace(/\S*\/pages\/\d+/g, `${root.dataset.next}/pages/1`) });
  });
}

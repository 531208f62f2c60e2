// Approving documents as cards, one by one or all that were seen and have no doubts, by mouse and keys, and undoing it.

import "./crops.js";
import { ask, toast } from "./dialogs.js";
import { send } from "./requests.js";

const DONE = "docduck.approved"; // what the page after the last card tells: {text, documents, bad}
const SECONDS = 20; // for which it is offered to undo an approval
const approvals = []; // those made last, the last one last: {documents, end}

const message = JSON.parse(sessionStorage.getItem(DONE) ?? "null");
sessionStorage.removeItem(DONE);
if (message) tell(message);

// Tells what was done; ``documents``, stages by id, are those that were approved.
function tell({ text, documents = null, bad = "" }) {
  if (bad) toast(bad, { kind: "bad", seconds: SECONDS });
  if (!text) return;
  if (!documents) {
    toast(text);
    return;
  }
  const approval = { documents, end: null };
  approval.end = toast(text, { label: "Undo", act: () => undo(approval), seconds: SECONDS });
  approvals.push(approval);
}

async function undo(approval) {
  approval.end();
  approvals.splice(approvals.indexOf(approval), 1);
  const { ok, reply } = await send("/review/batch/undo", { body: { documents: approval.documents } });
  if (!ok) {
    toast(reply.message, { kind: "bad" });
    return;
  }
  const count = reply.done.length;
  const text = count && `${count} approval${count === 1 ? " is" : "s are"} undone`;
  sessionStorage.setItem(DONE, JSON.stringify({ text, bad: reply.refused[0]?.message }));
  location.reload(); // shows them again
}

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || !approvals.length) return;
  event.preventDefault();
  undo(approvals.at(-1));
});

const bar = document.getElementById("batch");
if (bar) {
  const all = document.getElementById("approve-clean");
  const seen = new Set(); // the cards whose end was in view
  let waiting = Number(bar.dataset.total);

  const cards = () => [...document.querySelectorAll(".cards article")];
  const concernsOf = (card) => JSON.parse(card.dataset.concerns);
  const isClean = (card) => !concernsOf(card).length && card.dataset.doubts === "0";
  const clean = () => cards().filter((card) => seen.has(card) && isClean(card) && !card.inert);
  const current = () => document.activeElement.closest?.(".cards article");

  function step(by) {
    const [list, card] = [cards(), current()];
    const next = list[card ? list.indexOf(card) + by : 0];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  function count() {
    const left = cards().length;
    document.getElementById("batch-count").textContent = `${left} of ${waiting} that wait for you`;
    const unseen = cards().filter((card) => !seen.has(card)).length;
    document.getElementById("unseen").textContent = unseen ? `${unseen} not seen yet` : "";
    document.getElementById("clean-count").textContent = clean().length;
    all.disabled = !clean().length;
  }

  async function approve(chosen, more = {}) {
    for (const card of chosen) {
      card.inert = true;
      card.querySelector(".status-line").textContent = "";
    }
    count();
    const documents = Object.fromEntries(chosen.map((card) => [card.dataset.id, card.dataset.stage]));
    const { ok, reply } = await send("/review/batch/approve", { body: { documents, ...more } });
    for (const card of chosen) card.inert = false;
    if (!ok) {
      count();
      chosen[0].focus();
      toast(reply.message, { kind: "bad" });
      return;
    }
    const reasons = new Map(reply.refused.map(({ id, message }) => [id, message]));
    const gone = chosen.filter((card) => !reasons.has(card.dataset.id));
    const next = cards().slice(cards().indexOf(chosen[0])).find((card) => !gone.includes(card));
    for (const card of gone) card.remove();
    for (const card of chosen) card.querySelector(".status-line").textContent = reasons.get(card.dataset.id) ?? "";
    waiting -= gone.length;
    const text = gone.length === 1 ? `${gone[0].dataset.name} is approved` : `${gone.length} documents are approved`;
    const done = { text, documents: Object.fromEntries(gone.map((card) => [card.dataset.id, card.dataset.stage])) };
    if (!cards().length) {
      sessionStorage.setItem(DONE, JSON.stringify(done));
      location.reload(); // shows the next ones
      return;
    }
    if (gone.length) tell(done);
    if (reasons.size) toast(`${reasons.size} not approved: see the reason on each`, { kind: "bad" });
    count();
    (next ?? cards().at(-1))?.focus();
  }

  async function approveOne(card) {
    const concerns = concernsOf(card);
    const title = `Approve ${card.dataset.name} although it looks wrong?`;
    if (concerns.length && !(await ask({ title, text: concerns, label: "Approve anyway", isUnsafe: true }))) {
      card.focus();
      return;
    }
    const drawn = [...card.querySelectorAll(".crop-row")].filter((row) => row.querySelector(".crop img"));
    await approve([card], { despite: concerns.length > 0, looked: drawn.map((row) => row.dataset.path) });
  }

  const inView = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      inView.unobserve(target);
      seen.add(target.closest("article"));
    }
    count();
  });
  for (const button of document.querySelectorAll(".approve, #approve-clean")) button.hidden = false;
  all.addEventListener("click", () => approve(clean(), { sure: true }));
  for (const card of cards()) {
    card.querySelector(".approve").addEventListener("click", () => approveOne(card));
    inView.observe(card.querySelector(".end"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
    if (document.querySelector("dialog:modal")) return;
    const card = current();
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.repeat) return; // held, it would approve what nobody looked at
    else if (event.key === "a" && card) approveOne(card);
    else if (event.key === "Enter" && event.target === card) location.assign(`/documents/${card.dataset.id}`);
    else return;
    event.preventDefault();
  });
  cards()[0].focus({ preventScroll: true });
}

// Approving documents as cards, one by one or all without a failed check, by mouse and keys.

import "./crops.js";
import { ask, toast } from "./dialogs.js";
import { send } from "./requests.js";

const DONE = "docduck.approved"; // what the page after the last card tells

const message = sessionStorage.getItem(DONE);
sessionStorage.removeItem(DONE);
if (message) toast(message);

const bar = document.getElementById("batch");
if (bar) {
  const all = document.getElementById("approve-clean");
  let waiting = Number(bar.dataset.total);

  const cards = () => [...document.querySelectorAll(".cards article")];
  const clean = () => cards().filter((card) => !("problem" in card.dataset) && !card.inert);
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
    document.getElementById("clean-count").textContent = clean().length;
    all.disabled = !clean().length;
  }

  async function approve(chosen, despite = false) {
    for (const card of chosen) {
      card.inert = true;
      card.querySelector(".status-line").textContent = "";
    }
    all.disabled = !clean().length;
    const documents = Object.fromEntries(chosen.map((card) => [card.dataset.id, card.dataset.stage]));
    const { ok, reply } = await send("/review/batch/approve", { body: { documents, despite } });
    for (const card of chosen) card.inert = false;
    if (!ok) {
      all.disabled = !clean().length;
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
    const done = gone.length === 1 ? `${gone[0].dataset.name} is approved` : `${gone.length} documents are approved`;
    if (!cards().length) {
      sessionStorage.setItem(DONE, done);
      location.reload(); // shows the next ones
      return;
    }
    if (gone.length) toast(done);
    if (reasons.size) toast(`${reasons.size} not approved: see the reason on each`, { kind: "bad" });
    count();
    (next ?? cards().at(-1))?.focus();
  }

  async function approveOne(card) {
    const { problem, name } = card.dataset;
    if (problem && !(await ask({ title: `Approve ${name} although it fails a check?`, text: problem, label: "Approve" }))) {
      card.focus();
      return;
    }
    await approve([card], Boolean(problem));
  }

  for (const button of document.querySelectorAll(".approve, #approve-clean")) button.hidden = false;
  all.addEventListener("click", () => approve(clean()));
  for (const card of cards()) card.querySelector(".approve").addEventListener("click", () => approveOne(card));
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

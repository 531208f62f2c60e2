// Confirming and correcting unsure values: Enter saves one and goes on to the next, Ctrl+Z undoes it.

import "./crops.js";
import { toast } from "./dialogs.js";
import { send } from "./requests.js";

const count = document.getElementById("unsure-count");
const forms = [...document.querySelectorAll("form.unsure")].filter((form) => form.elements.text);
const left = new Set(forms);
const saved = []; // the forms that were saved, the last one last
let endOffer = () => {};

for (const form of forms) {
  form.seen = form.elements.text.value;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(form);
  });
  form.elements.text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (event.repeat) return; // held, it would confirm what nobody looked at
    form.requestSubmit();
  });
  form.elements.text.addEventListener("focus", () => form.elements.text.select?.());
}
forms[0]?.elements.text.focus();
window.addEventListener("beforeunload", (event) => {
  if (forms.some((form) => left.has(form) && form.elements.text.value !== form.seen)) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const isTyped = forms.some((form) => form.contains(event.target) && form.elements.text.value !== form.seen);
  if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || isTyped || !saved.length) return;
  event.preventDefault();
  undo();
});

async function undo() {
  const form = saved.pop();
  endOffer();
  const sent = { path: form.dataset.path, text: form.seen, seen: form.seen, undo: true };
  const answer = await send(`/review/values/${form.dataset.id}`, { body: sent });
  if (!answer.ok) {
    toast(answer.reply.message, { kind: "bad" });
    return;
  }
  const [input, note] = [form.elements.text, form.querySelector(".status-line")];
  input.value = form.seen = answer.reply.text;
  note.className = "status-line faint";
  note.textContent = "Undone";
  form.classList.remove("settled");
  left.add(form);
  showCount();
  input.focus();
}

function showCount() {
  count.textContent = left.size ? `${left.size} to look at` : "All of these are settled";
}

async function save(form) {
  const input = form.elements.text;
  const note = form.querySelector(".status-line");
  const others = [...left].filter((other) => other !== form && !other.inert);
  const next = others.find((other) => forms.indexOf(other) > forms.indexOf(form)) ?? others[0];
  note.className = "status-line faint";
  note.textContent = "Saving …";
  next?.elements.text.focus();
  form.inert = true; // what is typed meanwhile would be lost
  const sent = { path: form.dataset.path, text: input.value, seen: form.seen };
  const answer = await send(`/review/values/${form.dataset.id}`, { body: sent });
  form.inert = false;
  if (document.activeElement === document.body) input.focus();
  if (!answer.ok) {
    note.className = "status-line error";
    note.textContent = answer.reply.message;
    input.setAttribute("aria-invalid", "true");
    toast(`${input.getAttribute("aria-label")}: ${answer.reply.message}`, { kind: "bad", label: "Show", act: () => input.focus() });
    return;
  }
  input.removeAttribute("aria-invalid");
  note.textContent = answer.reply.told || "Confirmed";
  note.className = "status-line done";
  saved.push(form);
  endOffer();
  endOffer = toast(`${input.getAttribute("aria-label")}: ${answer.reply.told ? "saved" : "confirmed"}`, { label: "Undo", act: undo });
  input.value = form.seen = answer.reply.text;
  form.classList.add("settled");
  left.delete(form);
  showCount();
  if (!left.size) document.getElementById("unsure-further")?.focus();
}

// Confirming and correcting unsure values: Enter saves one and goes on to the next.

import "./crops.js";
import { toast } from "./dialogs.js";
import { send } from "./requests.js";

const count = document.getElementById("unsure-count");
const forms = [...document.querySelectorAll("form.unsure")].filter((form) => form.elements.text);
const left = new Set(forms);

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
  note.textContent = answer.reply.text === form.seen ? "Confirmed" : "Saved";
  note.className = "status-line done";
  input.value = form.seen = answer.reply.text;
  form.classList.add("settled");
  left.delete(form);
  count.textContent = left.size ? `${left.size} to look at` : "All of these are settled";
  if (!left.size) document.getElementById("unsure-further")?.focus();
}

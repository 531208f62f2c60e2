// Forms with data-ask, or buttons of forms with it, ask before they are sent.

import { ask } from "./dialogs.js";

const agreed = new WeakSet();

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const asking = submitter?.dataset.ask ? submitter : form.dataset.ask ? form : null;
  if (!asking || event.defaultPrevented || agreed.delete(form)) return;
  event.preventDefault();
  const { ask: title, askText: text, askLabel: label } = asking.dataset;
  if (!(await ask({ title, text, label: label || submitter?.textContent.trim(), danger: "askDanger" in asking.dataset }))) return;
  agreed.add(form);
  form.requestSubmit(submitter);
});

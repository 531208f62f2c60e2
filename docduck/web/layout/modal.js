// Elements, and a dialog with content of its own.

// Returns a new element; ``more`` are its properties, and attributes whose names have a "-" or that are its role.
export function element(name, text = "", more = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(more)) {
    if (key === "role" || key.includes("-")) made.setAttribute(key, value);
    else made[key] = value;
  }
  return made;
}

// Shows a dialog; resolves to the value of the button that was pressed, empty if it was closed. ``buttons`` are
// {label, value, kind, isUnsafe}, the first one has the focus, unless it is unsafe: then Cancel has. ``check`` may keep it
// open by resolving to false.
export function modal(title, content, buttons, check = async () => true) {
  return new Promise((resolve) => {
    const head = element("h2", title, { id: "modal-title" });
    const dialog = element("dialog", "", { className: "modal", "aria-labelledby": head.id });
    const form = element("form");
    const actions = element("div", "", { className: "actions" });
    for (const { label, value, kind = "" } of buttons) {
      actions.append(element("button", label, { className: kind, value, type: "submit" }));
    }
    actions.append(element("button", "Cancel", { className: "plain", type: "button", onclick: () => dialog.close("") }));
    form.append(...content, actions);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const value = event.submitter?.value ?? buttons[0]?.value ?? "";
      if (await check(value)) dialog.close(value);
    });
    dialog.append(head, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
    const safe = buttons[0]?.isUnsafe ? actions.lastElementChild : actions.firstElementChild;
    (form.querySelector("[autofocus]") ?? safe).focus();
  });
}

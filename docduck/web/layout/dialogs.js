// Dialogs that ask, and messages that go away by themselves.

const SECONDS = 8;

// Asks a question; resolves to whether the person agreed.
export function ask({ title, text = "", label = "OK", danger = false }) {
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    dialog.className = "modal";
    const head = element("h2", title);
    head.id = "dialog-title";
    dialog.setAttribute("aria-labelledby", head.id);
    const form = document.createElement("form");
    form.method = "dialog";
    const actions = element("div", "");
    actions.className = "actions";
    const no = button("Cancel", "plain", "no");
    const yes = button(label, danger ? "danger" : "", "yes");
    actions.append(no, yes);
    form.append(actions);
    dialog.append(head);
    if (text) dialog.append(element("p", text));
    dialog.append(form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    yes.focus();
  });
}

// Shows a message for some seconds, with a button if ``act`` is given; returns a function that takes it away.
export function toast(text, { kind = "good", label = "", act = null, seconds = SECONDS } = {}) {
  const one = element("div", "");
  one.className = `toast ${kind}`;
  one.append(element("span", text));
  const end = () => one.remove();
  if (act) {
    const does = button(label, "plain small");
    does.type = "button";
    does.addEventListener("click", () => {
      end();
      act();
    });
    one.append(does);
  }
  toasts().append(one);
  let timer = setTimeout(end, 1000 * seconds);
  // Whoever reads it or is about to press its button has the time to.
  for (const event of ["pointerenter", "focusin"]) one.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["pointerleave", "focusout"]) {
    one.addEventListener(event, () => {
      clearTimeout(timer);
      timer = setTimeout(end, 1000 * seconds);
    });
  }
  return end;
}

function toasts() {
  let area = document.getElementById("toasts");
  if (!area) {
    area = element("div", "");
    area.id = "toasts";
    area.setAttribute("role", "status");
    document.body.append(area);
  }
  return area;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function button(text, className, value = "") {
  const made = element("button", text);
  made.className = className;
  made.value = value;
  return made;
}

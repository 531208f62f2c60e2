// The chosen documents of the list: rows of the page, ranges of them, or all that the list has.

import { askDeleting, askReading, documents, setAsk } from "./asks.js";
import { toast } from "./dialogs.js";
import { actOnAll } from "./list_actions.js";
import { element } from "./modal.js";
import { send } from "./requests.js";

export class Selection {
  // `refresh` shows the rows as they are now.
  constructor(form, refresh) {
    this.form = form;
    this.refresh = refresh;
    this.all = null; // ids and counts, if all documents of the list are chosen
    this.last = null; // the id of the document that was chosen last
    this.bar = document.getElementById("bulk");
    this.chooseAll = document.getElementById("choose-all");
    this.chosenIds = new Set();
    form.addEventListener("change", (event) => this.#changed(event.target));
    form.addEventListener("click", (event) => this.#clicked(event));
    this.chooseAll?.addEventListener("click", () => this.#chooseAll());
    // After the layout asked: it prevents what is not agreed to.
    window.addEventListener("submit", (event) => this.#submitted(event));
    this.renew();
  }

  get boxes() {
    return [...this.form.querySelectorAll('input[name="document"]')];
  }

  get chosen() {
    return this.boxes.filter((box) => box.checked);
  }

  get count() {
    return this.all ? this.all.ids.length : this.chosen.length;
  }

  // Chooses again what was chosen, in rows that are shown anew.
  renew() {
    for (const box of this.boxes) box.checked = box.checked || this.chosenIds.has(box.value);
    const head = document.getElementById("all-here");
    if (head) head.hidden = false;
    this.#show();
  }

  toggle(box) {
    box.checked = !box.checked;
    this.last = box.value;
    this.#changed(box);
  }

  button(action) {
    return this.form.querySelector(`button[value="${action}"]`);
  }

  #clicked(event) {
    const box = event.target;
    if (box.name !== "document") return;
    const boxes = this.boxes;
    const last = boxes.findIndex((box) => box.value === this.last);
    if (event.shiftKey && last >= 0) {
      const [from, to] = [last, boxes.indexOf(box)].sort((a, b) => a - b);
      for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
    }
    this.last = box.value;
  }

  #changed(target) {
    if (target.id === "all-here") for (const box of this.boxes) box.checked = target.checked;
    if (target.id === "all-here" || target.name === "document") this.all = null;
    this.#show();
  }

  async #chooseAll() {
    this.chooseAll.disabled = true;
    const { ok, reply } = await send(`/documents/selection${location.search}`, { method: "GET" });
    this.chooseAll.disabled = false;
    if (!ok) {
      toast(reply.message, { kind: "bad" });
      return;
    }
    for (const box of this.boxes) box.checked = true;
    this.all = reply;
    this.#show();
  }

  #show() {
    const chosen = this.chosen;
    const head = document.getElementById("all-here");
    if (head) {
      head.checked = chosen.length > 0 && chosen.length === this.boxes.length;
      head.indeterminate = chosen.length > 0 && !head.checked;
    }
    this.chosenIds = new Set(chosen.map((box) => box.value));
    if (!this.bar) return;
    const total = Number(this.form.dataset.total);
    this.bar.hidden = !this.count;
    const label = document.getElementById("chosen-count");
    label.hidden = false;
    label.textContent = `${this.all ? "All " : ""}${this.count.toLocaleString()} chosen`;
    this.chooseAll.textContent = `Choose all ${total.toLocaleString()}`;
    this.chooseAll.hidden = Boolean(this.all) || total <= this.boxes.length;
    const discards = this.form.querySelector('[name="discard_corrections"]')?.checked;
    const count = (mark) => this.all?.[mark] ?? chosen.filter((box) => mark in box.dataset).length;
    const lost = { approved: count("approved"), corrected: discards ? count("corrected") : 0 };
    const asks = { delete: askDeleting(this.count), "read-again": askReading(this.count, lost) };
    if (this.all) asks["read-again"] ||= `Read ${documents(this.count)} again?`;
    for (const [action, text] of Object.entries(asks)) {
      if (this.button(action)) setAsk(this.button(action), text);
    }
  }

  async #submitted(event) {
    if (event.target !== this.form || event.defaultPrevented || !this.all) return;
    event.preventDefault();
    const { ids } = this.all;
    if (event.submitter.id === "originals") {
      this.#download(ids);
      return;
    }
    const form = new FormData(this.form);
    const batch = await actOnAll(ids, {
      action: event.submitter.value,
      discard_corrections: form.get("discard_corrections") === "yes",
      assignee: form.get("assignee") ?? "",
      folder: form.get("folder") ?? "",
    });
    this.all = null;
    this.chosenIds.clear();
    if (batch) {
      const address = new URL(location.href);
      address.searchParams.set("deleted", batch);
      address.searchParams.delete("page");
      location.assign(address);
      return;
    }
    for (const box of this.boxes) box.checked = false;
    this.refresh();
  }

  #download(ids) {
    const most = Number(this.form.dataset.mostFiles);
    if (ids.length > most) {
      toast(`At most ${most.toLocaleString()} files can be downloaded at once. Narrow the list.`, { kind: "bad" });
      return;
    }
    const form = element("form", "", { method: "post", action: "/documents/originals" });
    const values = [["form_token", document.body.dataset.formToken], ...ids.map((id) => ["document", id])];
    form.append(...values.map(([name, value]) => element("input", "", { type: "hidden", name, value })));
    document.body.append(form);
    form.submit();
    form.remove();
  }
}

// The command palette: Ctrl+K opens it, words find pages, parsers and documents, Enter goes there.

import { element } from "./modal.js";
import { send } from "./requests.js";

const WAIT = 150; // milliseconds after the last key
const MORE = [
  ["/parsers/new", "New parser"],
  ["/classifiers/new", "New classifier"],
  ["/team/members", "Members"],
  ["/team/keys", "API keys"],
  ["/team/audit", "Audit log"],
  ["/profile/connections", "Connections"],
];

const open = document.getElementById("palette-open");
open.hidden = false;
open.addEventListener("click", show);
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  show();
});

let dialog = null;

function show() {
  dialog ??= make();
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector("input");
  input.select();
  input.dispatchEvent(new Event("input"));
}

function make() {
  const made = element("dialog", "", { className: "modal palette", "aria-label": "Go to" });
  const input = element("input", "", {
    type: "text", placeholder: "Page, parser or document", autocomplete: "off", role: "combobox",
    "aria-label": "Go to", "aria-expanded": "true", "aria-controls": "places", "aria-autocomplete": "list",
  });
  const list = element("ul", "", { id: "places", role: "listbox", "aria-label": "Places" });
  made.append(input, list);
  document.body.append(made);

  let last = 0;
  let timer = null;
  const choose = (option) => {
    list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const fill = (places) => {
    list.replaceChildren(...places.map(optionOf));
    choose(list.firstElementChild);
  };
  input.addEventListener("input", () => {
    const words = input.value.trim();
    const pages = ownPages(words);
    const mine = (last += 1);
    fill(pages);
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const { ok, reply } = await send(`/palette?q=${encodeURIComponent(words)}`, { method: "GET" });
      if (mine !== last) return;
      fill(ok ? [...pages, ...reply.places] : [...pages, { label: reply.message, kind: "" }]);
    }, WAIT);
  });
  input.addEventListener("keydown", (event) => {
    const chosen = list.querySelector("[aria-selected=true]");
    if (event.key === "ArrowDown") choose(chosen?.nextElementSibling ?? list.firstElementChild);
    else if (event.key === "ArrowUp") choose(chosen?.previousElementSibling ?? list.lastElementChild);
    else if (event.key === "Enter") go(chosen);
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  return made;
}

// The pages of the navigation and some more that the navigation leads to, with all of the words in their names.
function ownPages(words) {
  const links = [...document.querySelectorAll("#side nav a")].map((link) => [
    link.getAttribute("href"), link.querySelector("span").textContent,
  ]);
  const reachable = new Set(links.map(([path]) => path));
  const more = MORE.filter(([path]) => reachable.has(`/${path.split("/")[1]}`));
  const parts = words.toLowerCase().split(/\s+/);
  return [...links, ...more]
    .filter(([, label]) => parts.every((word) => label.toLowerCase().includes(word)))
    .map(([path, label]) => ({ path, label, kind: "Page" }));
}

function optionOf({ path, label, kind }, index) {
  const option = element("li", "", { id: `place-${index}`, role: "option", "aria-selected": "false" });
  if (path) option.dataset.path = path;
  option.append(element("span", label), element("span", kind, { className: "faint" }));
  return option;
}

function go(option) {
  if (option?.dataset.path) location.assign(option.dataset.path);
}

// Completion of names and words in a text area: a listbox below the caret, moved through by the arrow keys.

import { element } from "./modal.js";
import { candidates } from "./sql_candidates.js";

const LEAST_TYPED = 2;

/** Complete in a text area; ``pre`` has the same text at the same place, ``insert`` replaces a part of it. */
export function complete(editor, textarea, pre, tables, insert) {
  const list = element("ul", "", { id: "completions", role: "listbox", "aria-label": "Completions", hidden: true });
  editor.append(list);
  textarea.setAttribute("aria-autocomplete", "list");
  let offers = [];
  let start = 0;
  let active = -1;

  function close() {
    list.hidden = true;
    active = -1;
    textarea.removeAttribute("aria-controls");
    textarea.removeAttribute("aria-activedescendant");
  }

  function open(isAsked) {
    const caret = textarea.selectionStart;
    const offered = candidates(textarea.value, caret, tables);
    const typed = textarea.value.slice(offered.start, caret);
    offers = offered.candidates.filter((candidate) => candidate.text !== typed);
    start = offered.start;
    if (!offers.length || (!isAsked && typed.length < LEAST_TYPED && !/\.$/.test(textarea.value.slice(0, start)))) {
      close();
      return;
    }
    list.replaceChildren(...offers.map(option));
    list.hidden = false;
    place();
    textarea.setAttribute("aria-controls", list.id);
    select(isAsked ? 0 : -1);
  }

  function option({ text, kind }, at) {
    const item = element("li", text, { id: `completion-${at}`, role: "option" });
    item.append(element("span", kind));
    return item;
  }

  function place() {
    const range = document.createRange();
    const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    let left = start;
    let node = walker.nextNode();
    while (node && node.length < left) {
      left -= node.length;
      node = walker.nextNode();
    }
    if (!node) return;
    range.setStart(node, left);
    range.setEnd(node, Math.min(left + 1, node.length));
    const [at, around] = [range.getBoundingClientRect(), editor.getBoundingClientRect()];
    list.style.top = `${Math.min(at.bottom - around.top + 4, around.height)}px`;
    list.style.left = `${Math.max(0, Math.min(at.left - around.left, around.width - list.offsetWidth))}px`;
  }

  function select(at) {
    active = at;
    for (const [place, item] of [...list.children].entries()) item.setAttribute("aria-selected", place === at);
    if (at < 0) textarea.removeAttribute("aria-activedescendant");
    else {
      textarea.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    }
  }

  function accept(at) {
    const { text } = offers[at];
    close();
    insert(text, start, textarea.selectionStart);
    close();
  }

  textarea.addEventListener("input", () => open(false));
  textarea.addEventListener("blur", close);
  textarea.addEventListener("click", close);
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const item = event.target.closest("li");
    if (item) accept([...list.children].indexOf(item));
  });
  textarea.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      open(true);
    } else if (list.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      select((Math.max(active, step > 0 ? -1 : 0) + step + offers.length) % offers.length);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if ((event.key === "Enter" || event.key === "Tab") && active >= 0) {
      event.preventDefault();
      accept(active);
    } else if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") close();
  });
  return { close };
}

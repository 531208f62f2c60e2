// Picking words on the page: a click picks one, dragging those in the area.

import { followBox } from "./box_drawing.js";
import { around } from "./page_words.js";

const CLICK = 4; // pixels that the pointer may move in a click

// Calls onPicked with {page, box, text} and whether Shift was held. A click on the box of a value leads to the
// value, but picks the word if Ctrl is held.
export function pickWords(pages, onPicked) {
  const hovered = pages.mark("word");
  hovered.hidden = true;
  const hide = () => (hovered.hidden = true);
  pages.boxes.classList.add("pickable");
  pages.boxes.addEventListener("mousedown", (event) => event.preventDefault()); // the value keeps the focus
  pages.boxes.addEventListener("pointerenter", () => pages.words.linesOf(pages.number).catch(() => {}));
  pages.boxes.addEventListener("pointerleave", hide);
  pages.boxes.addEventListener("pointermove", async (event) => {
    if (event.pointerType !== "mouse" || event.buttons || pages.stopDrawing) return hide();
    const word = await pages.words.wordAt(pages.number, ...pages.at(event));
    if (!word) return hide();
    if (!hovered.isConnected) pages.boxes.append(hovered);
    hovered.hidden = false;
    pages.place(hovered, word.box);
  });
  pages.boxes.addEventListener("pointerdown", (event) => {
    if (pages.stopDrawing || event.button || event.target.closest(".current, .remove")) return;
    const isPick = !event.target.closest("button") || event.ctrlKey || event.metaKey;
    const start = pages.at(event);
    const listening = new AbortController();
    const options = { signal: listening.signal };
    pages.boxes.addEventListener("pointermove", async (moved) => {
      const far = Math.max(Math.abs(moved.clientX - event.clientX), Math.abs(moved.clientY - event.clientY));
      if (far <= CLICK || event.pointerType === "touch") return;
      listening.abort();
      hide();
      const page = pages.number;
      const box = await followBox(pages, start, event.pointerId);
      const lines = box ? await pages.words.linesIn(page, box) : [];
      if (!lines.length) return;
      const text = lines.map((line) => line.text).join(" ");
      onPicked({ page, box: around(lines.map((line) => line.box)), text }, event.shiftKey);
    }, options);
    pages.boxes.addEventListener("pointerup", async () => {
      listening.abort();
      const page = pages.number;
      const word = isPick && (await pages.words.wordAt(page, ...start));
      if (word) onPicked({ page, ...word }, event.shiftKey);
    }, options);
    pages.boxes.addEventListener("pointercancel", () => listening.abort(), options);
  });
  // A box that was dragged over, or picked from, was not clicked.
  pages.boxes.addEventListener("click", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.target.closest(".current, .remove")) event.stopPropagation();
  }, { capture: true });
}

// Moving, resizing and removing the boxes of the current value, by the pointer and by keys.

import { element } from "./modal.js";

const STEP = 0.004; // of the page, for an arrow key
const SMALLEST = 0.004;
const PAUSE = 400; // milliseconds after the last key until the box counts
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CORNERS = { "top left": [1, 1], "top right": [0, 1], "bottom left": [1, 0], "bottom right": [0, 0] };

// Calls onChanged with the key of the boxes, the number of the place and its new box, null for one that was removed.
// onLeft is called when Escape is pressed in a box. Returns {nudge, settle}: settle resolves when all changes count.
export function editBoxes(pages, onChanged, onLeft) {
  let timer = null;
  let waiting = null; // {button, box}: what the last key did, until it counts
  let last = Promise.resolve(); // of all changes so far, which count one after the other
  const isOther = (button) => waiting
    && (waiting.button.key !== button.key || waiting.button.dataset.place !== button.dataset.place);
  const count = ({ button, box }) => {
    const place = Number(button.dataset.place);
    last = last.then(() => onChanged(button.key, place, box));
  };
  const settle = () => {
    clearTimeout(timer);
    if (waiting) count(waiting);
    waiting = null;
    return last;
  };
  const change = (button, box) => {
    if (!isOther(button)) waiting = null;
    settle();
    count({ button, box });
  };

  pages.onCurrentBox = (button) => {
    button.tabIndex = 0;
    button.setAttribute("aria-description", "Arrow keys move it, with Shift they resize it, Delete removes it");
    for (const corner of Object.keys(CORNERS)) {
      button.append(element("span", "", { className: `handle ${corner}` }));
    }
    const remove = element("button", "×", {
      type: "button", className: "remove", tabIndex: -1, title: "Remove this box (Delete)", "aria-label": "Remove this box",
    });
    remove.addEventListener("click", (event) => {
      event.stopPropagation();
      change(button, null);
    });
    const [left, top, width] = button.box;
    remove.style.left = `${100 * (left + width)}%`;
    remove.style.top = `${100 * top}%`;
    button.after(remove);
  };

  pages.boxes.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button.current");
    if (!button || event.button || pages.stopDrawing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    button.setPointerCapture(event.pointerId);
    pages.holdBoxes();
    const [start, before] = [pages.at(event), button.box];
    const corner = CORNERS[event.target.className.replace("handle ", "")];
    const listening = new AbortController();
    const options = { signal: listening.signal };
    let box = before;
    button.addEventListener("pointermove", (moved) => {
      const [x, y] = pages.at(moved);
      const by = [x - start[0], y - start[1]];
      box = corner ? resized(before, by, corner) : shifted(before, by);
      pages.place(button, box);
    }, options);
    button.addEventListener("pointerup", () => {
      listening.abort();
      pages.releaseBoxes();
      if (box !== before && box.some((edge, index) => Math.abs(edge - before[index]) > 0.001)) change(button, box);
      else pages.place(button, before);
    }, options);
    button.addEventListener("pointercancel", () => {
      listening.abort();
      pages.place(button, before);
      pages.releaseBoxes();
    }, options);
  });

  pages.boxes.addEventListener("keydown", (event) => {
    const button = event.target.closest("button.current");
    if (!button || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") change(button, null);
    else if (event.key === "Escape") onLeft();
    else if (!nudge(button, event)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  // Moves or resizes a box by an arrow key; returns whether it was one.
  function nudge(button, event) {
    const arrow = ARROWS[event.key];
    if (!arrow) return false;
    const by = pages.turned(arrow).map((share) => share * STEP);
    const box = event.shiftKey ? resized(button.box, by, [0, 0]) : shifted(button.box, by);
    pages.place(button, box);
    if (isOther(button)) settle();
    clearTimeout(timer);
    waiting = { button, box };
    timer = setTimeout(settle, PAUSE);
    return true;
  }

  return {
    // Alt and an arrow key in the field do the same with its first box on the page.
    nudge(event) {
      const button = pages.boxes.querySelector("button.current");
      return Boolean(button) && nudge(button, event);
    },
    settle,
  };
}

function shifted([left, top, width, height], [x, y]) {
  return [within(left + x, 0, 1 - width), within(top + y, 0, 1 - height), width, height];
}

// Moves the corner that is given by whether it is at the left and at the top.
function resized([left, top, width, height], [x, y], [atLeft, atTop]) {
  const [right, bottom] = [left + width, top + height];
  const newLeft = atLeft ? within(left + x, 0, right - SMALLEST) : left;
  const newTop = atTop ? within(top + y, 0, bottom - SMALLEST) : top;
  const newRight = atLeft ? right : within(right + x, left + SMALLEST, 1);
  const newBottom = atTop ? bottom : within(bottom + y, top + SMALLEST, 1);
  return [newLeft, newTop, newRight - newLeft, newBottom - newTop];
}

function within(value, least, most) {
  return Math.min(Math.max(value, least), Math.max(least, most));
}

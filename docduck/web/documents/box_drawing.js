// Drawing a box on the page.

const SMALLEST = 0.002; // of the page: less is a click, not a box

// Follows the pointer from a point of the page until it is released; returns the box, or null for a click.
export function followBox(pages, start, pointerId) {
  const mark = pages.mark("drawn");
  const box = ([x, y]) => [
    Math.min(start[0], x), Math.min(start[1], y), Math.abs(start[0] - x), Math.abs(start[1] - y),
  ];
  pages.boxes.setPointerCapture(pointerId);
  return new Promise((resolve) => {
    const listening = new AbortController();
    const end = (drawn) => {
      listening.abort();
      mark.remove();
      resolve(drawn && drawn[2] >= SMALLEST && drawn[3] >= SMALLEST ? drawn : null);
    };
    const options = { signal: listening.signal };
    pages.boxes.addEventListener("pointermove", (event) => pages.place(mark, box(pages.at(event))), options);
    pages.boxes.addEventListener("pointerup", (event) => end(box(pages.at(event))), options);
    pages.boxes.addEventListener("pointercancel", () => end(null), options);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") end(null);
    }, options);
  });
}

// Lets the person draw a box; returns {page, box}, or null if they stop, which pages.stopDrawing does as well.
export function drawBox(pages) {
  pages.words.linesOf(pages.number).catch(() => {}); // while the box is drawn
  pages.boxes.classList.add("drawing");
  return new Promise((resolve) => {
    const listening = new AbortController();
    const end = (box) => {
      listening.abort();
      pages.boxes.classList.remove("drawing");
      pages.stopDrawing = null;
      resolve(box && { page: pages.number, box });
    };
    pages.stopDrawing = () => end(null);
    pages.boxes.addEventListener("pointerdown", async (event) => {
      event.preventDefault();
      end(await followBox(pages, pages.at(event), event.pointerId));
    }, { signal: listening.signal, once: true });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") end(null);
    }, { signal: listening.signal });
  });
}

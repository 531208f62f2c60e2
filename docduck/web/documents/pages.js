// The page's picture: turning, zooming, boxes of values, and drawing a box.

const WIDTHS = [800, 1400, 2400];
const SMALLEST = 0.002; // of the page: less is a click, not a box

export class Pages {
  constructor(root, onBox) {
    this.root = root;
    this.onBox = onBox;
    this.count = Number(root.dataset.pages);
    this.number = 1;
    this.zoom = 1;
    this.words = new Map();
    this.picture = root.querySelector("#picture");
    this.sheet = root.querySelector("#sheet");
    this.boxes = root.querySelector("#boxes");
    this.input = root.querySelector("#page");
    this.input.addEventListener("change", () => this.show(Number(this.input.value)));
    root.querySelector("#previous").addEventListener("click", () => this.show(this.number - 1));
    root.querySelector("#next").addEventListener("click", () => this.show(this.number + 1));
    root.querySelector("#larger").addEventListener("click", () => this.setZoom(this.zoom * 1.25));
    root.querySelector("#smaller").addEventListener("click", () => this.setZoom(this.zoom / 1.25));
    this.strip = root.querySelector("#strip");
    this.strip?.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.show(Number(button.dataset.page));
    });
    this.load();
  }

  url(number, what) {
    return `/documents/${this.root.dataset.id}/pages/${number}/${what}`;
  }

  show(number) {
    const wanted = Math.min(Math.max(1, number || 1), this.count);
    this.input.value = wanted;
    if (wanted === this.number) return;
    this.number = wanted;
    this.picture.alt = `Page ${wanted}`;
    this.load();
    this.onShow?.();
  }

  load() {
    const pixels = this.sheet.clientWidth * window.devicePixelRatio;
    const width = WIDTHS.find((one) => one >= pixels) ?? WIDTHS[WIDTHS.length - 1];
    const wanted = `${this.url(this.number, "picture")}?width=${width}`;
    if (this.picture.getAttribute("src") !== wanted) this.picture.src = wanted;
    this.strip?.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const small = this.strip?.querySelector(`[data-page="${this.number}"]`);
    small?.setAttribute("aria-current", "page");
    if (small) reveal(small, this.strip);
  }

  setZoom(zoom) {
    this.zoom = Math.min(Math.max(0.5, zoom), 5);
    this.sheet.style.width = `${100 * this.zoom}%`;
    this.load();
  }

  // Shows boxes, given as {page, box, kind, label, isCurrent, key}; those of other pages are left out.
  setBoxes(found) {
    const shown = found.filter((one) => one.page === this.number).map((one) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.className = one.isCurrent ? `${one.kind} current` : one.kind;
      button.title = one.label;
      button.setAttribute("aria-label", one.label);
      place(button, one.box);
      button.addEventListener("click", () => this.onBox(one.key));
      return button;
    });
    this.boxes.replaceChildren(...shown);
    const current = this.boxes.querySelector(".current");
    if (current) reveal(current, this.sheet.parentElement);
  }

  async linesOf(number) {
    if (!this.words.has(number)) {
      const answer = await fetch(this.url(number, "words"));
      if (!answer.ok) throw new Error("The words of this page can't be read");
      this.words.set(number, (await answer.json()).lines);
    }
    return this.words.get(number);
  }

  // Lets the person draw a box; returns {page, box, text}, or null if they stop.
  draw() {
    this.linesOf(this.number).catch(() => {}); // while the box is drawn
    this.boxes.classList.add("drawing");
    return new Promise((resolve) => {
      let start = null;
      let mark = null;
      const at = (event) => {
        const area = this.boxes.getBoundingClientRect();
        const x = (event.clientX - area.left) / area.width;
        const y = (event.clientY - area.top) / area.height;
        return [Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1)];
      };
      const box = (end) => [
        Math.min(start[0], end[0]), Math.min(start[1], end[1]),
        Math.abs(end[0] - start[0]), Math.abs(end[1] - start[1]),
      ];
      const stop = async (drawn) => {
        listening.abort();
        mark?.remove();
        this.boxes.classList.remove("drawing");
        this.stopDrawing = null;
        if (drawn === null || drawn[2] < SMALLEST || drawn[3] < SMALLEST) return resolve(null);
        const page = this.number;
        try {
          resolve({ page, box: drawn, text: textIn(await this.linesOf(page), drawn) });
        } catch {
          resolve({ page, box: drawn, text: "" });
        }
      };
      const listening = new AbortController();
      const options = { signal: listening.signal };
      this.stopDrawing = () => stop(null);
      this.boxes.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this.boxes.setPointerCapture(event.pointerId);
        start = at(event);
        mark = document.createElement("div");
        mark.className = "drawn";
        this.boxes.append(mark);
      }, options);
      this.boxes.addEventListener("pointermove", (event) => {
        if (start) place(mark, box(at(event)));
      }, options);
      this.boxes.addEventListener("pointerup", (event) => {
        if (start) stop(box(at(event)));
      }, options);
      document.addEventListener("keydown", (event) => {
        if (event.key === "Escape") stop(null);
      }, options);
    });
  }
}

// Scrolls an element into view within its area alone, so that what has the focus stays where it is.
function reveal(element, area) {
  const [inner, outer] = [element.getBoundingClientRect(), area.getBoundingClientRect()];
  const by = (start, end, first, last) =>
    start < first ? start - first : end > last ? Math.min(end - last, start - first) : 0;
  area.scrollBy(
    by(inner.left, inner.right, outer.left, outer.right),
    by(inner.top, inner.bottom, outer.top, outer.bottom),
  );
}

function place(element, [left, top, width, height]) {
  element.style.left = `${100 * left}%`;
  element.style.top = `${100 * top}%`;
  element.style.width = `${100 * width}%`;
  element.style.height = `${100 * height}%`;
}

// Returns the places, [{page, box}], of an element's data-places: "page:left,top,width,height …".
export function placesOf(element) {
  return element.dataset.places.split(" ").filter(Boolean).map((text) => {
    const [page, box] = text.split(":");
    return { page: Number(page), box: box.split(",").map(Number) };
  });
}

// Returns the words whose centre is in the box, line by line.
export function textIn(lines, [left, top, width, height]) {
  const inside = ([, x, y, w, h]) =>
    x + w / 2 >= left && x + w / 2 <= left + width && y + h / 2 >= top && y + h / 2 <= top + height;
  return lines
    .map((line) => line.filter(inside).map((word) => word[0]).join(" "))
    .filter((text) => text)
    .join(" ");
}

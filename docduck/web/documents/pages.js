// The page's picture: paging, zooming, turning the view, and boxes of values.

import { PageWords } from "./page_words.js";

const LARGEST = 6; // times the width of its area
const AROUND = 8; // how many times as high as a value the area is that is zoomed to

export class Pages {
  constructor(root, onBox) {
    this.root = root;
    this.onBox = onBox;
    this.count = Number(root.dataset.pages);
    this.number = 1;
    this.zoom = 1;
    this.turns = 0; // quarters, clockwise
    this.isHeld = false;
    this.words = new PageWords((number) => this.url(number, "words"));
    this.picture = root.querySelector("#picture");
    this.sheet = root.querySelector("#sheet");
    this.turnedSheet = root.querySelector("#turned");
    this.area = this.sheet.parentElement;
    this.boxes = root.querySelector("#boxes");
    this.input = root.querySelector("#page");
    this.input.addEventListener("change", () => this.show(Number(this.input.value)));
    this.picture.addEventListener("load", () => this.#layOut());
    const on = (id, act) => root.querySelector(`#${id}`)?.addEventListener("click", act);
    on("previous", () => this.show(this.number - 1));
    on("next", () => this.show(this.number + 1));
    on("larger", () => this.setZoom(this.zoom * 1.25));
    on("smaller", () => this.setZoom(this.zoom / 1.25));
    on("to-width", () => this.setZoom(1));
    on("to-page", () => this.zoomToPage());
    on("to-value", () => this.zoomToValue());
    on("turn", () => this.turn());
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

  setCount(count) {
    this.count = count;
    this.input.max = count;
    this.root.querySelector("#page-count").textContent = count;
  }

  show(number) {
    const page = Math.min(Math.max(1, number || 1), this.count);
    this.input.value = page;
    if (page === this.number) return;
    this.number = page;
    this.picture.alt = `Page ${page}`;
    this.load();
    this.onShow?.();
  }

  load() {
    this.picture.sizes = `${this.sheet.clientWidth}px`;
    const sources = this.picture.srcset.replace(/pages\/\d+\//g, `pages/${this.number}/`);
    if (this.picture.srcset !== sources) this.picture.srcset = sources;
    this.strip?.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const small = this.strip?.querySelector(`[data-page="${this.number}"]`);
    small?.setAttribute("aria-current", "page");
    if (small) reveal(small, this.strip);
  }

  setZoom(zoom) {
    this.zoom = Math.min(Math.max(0.2, zoom), LARGEST);
    this.sheet.style.width = `${100 * this.zoom}%`;
    this.#layOut();
    this.load();
  }

  zoomToPage() {
    this.setZoom(Math.min(1, (this.area.clientHeight * this.sheet.clientWidth) / this.sheet.clientHeight
      / this.area.clientWidth));
  }

  // Shows the current value large, with what is around it.
  zoomToValue() {
    const current = this.boxes.querySelector(".current");
    if (!current) return;
    const { width, height } = current.getBoundingClientRect();
    const factor = Math.min(this.area.clientHeight / (AROUND * height), this.area.clientWidth / (1.5 * width));
    this.setZoom(this.zoom * factor);
    const [inner, outer] = [current.getBoundingClientRect(), this.area.getBoundingClientRect()];
    this.area.scrollBy(
      inner.left + inner.width / 2 - outer.left - outer.width / 2,
      inner.top + inner.height / 2 - outer.top - outer.height / 2,
    );
  }

  // Turns the view by a quarter.
  turn() {
    this.turns = (this.turns + 1) % 4;
    this.#layOut();
    this.load();
  }

  // Handles a key; returns whether it was one of these.
  key(event) {
    const acts = event.altKey
      ? { w: () => this.setZoom(1), p: () => this.zoomToPage(), z: () => this.zoomToValue(), r: () => this.turn() }
      : { pagedown: () => this.show(this.number + 1), pageup: () => this.show(this.number - 1) };
    const act = event.ctrlKey || event.metaKey ? null : acts[event.key.toLowerCase()];
    act?.();
    return Boolean(act);
  }

  // Returns the point of the page, in fractions of it, at which an event is.
  at(event) {
    const area = this.boxes.getBoundingClientRect();
    const x = Math.min(Math.max((event.clientX - area.left) / area.width, 0), 1);
    const y = Math.min(Math.max((event.clientY - area.top) / area.height, 0), 1);
    return [[x, y], [y, 1 - x], [1 - x, 1 - y], [1 - y, x]][this.turns];
  }

  // Returns a direction of the view as one of the page.
  turned([x, y]) {
    return [[x, y], [y, -x], [-x, -y], [-y, x]][this.turns];
  }

  // Adds an element without content on the page.
  mark(className) {
    const mark = document.createElement("div");
    mark.className = className;
    this.boxes.append(mark);
    return mark;
  }

  place(element, box) {
    element.box = box;
    const [left, top, width, height] = box.map((share) => `${100 * share}%`);
    Object.assign(element.style, { left, top, width, height });
  }

  // Keeps the boxes as they are while one of them is dragged: a new one in its place would lose the pointer.
  holdBoxes() {
    this.heldBoxes = null;
    this.isHeld = true;
  }

  releaseBoxes() {
    this.isHeld = false;
    if (this.heldBoxes) this.setBoxes(this.heldBoxes);
  }

  // Shows boxes, given as {page, box, kind, label, isCurrent, key}; those of other pages are left out.
  setBoxes(boxes) {
    if (this.isHeld) {
      this.heldBoxes = boxes;
      return;
    }
    const focused = [...this.boxes.querySelectorAll(".current")].indexOf(document.activeElement);
    const places = new Map(); // how many places of a key there were so far
    const buttons = [];
    for (const place of boxes) {
      const number = places.get(place.key) ?? 0;
      places.set(place.key, number + 1);
      if (place.page === this.number) buttons.push(this.#box(place, number));
    }
    this.boxes.replaceChildren(...buttons, ...this.boxes.querySelectorAll(":scope > div"));
    const current = [...this.boxes.querySelectorAll(".current")];
    current.forEach((button) => this.onCurrentBox?.(button));
    if (current.length) reveal(current[0], this.area);
    if (focused >= 0) current[Math.min(focused, current.length - 1)]?.focus();
  }

  #box(place, number) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.className = place.isCurrent ? `${place.kind} current` : place.kind;
    button.dataset.place = number;
    button.key = place.key;
    button.title = place.label;
    button.setAttribute("aria-label", place.label);
    this.place(button, place.box);
    button.addEventListener("click", () => this.onBox(place.key));
    return button;
  }

  // Lays the turned page out in the sheet, whose width is that of the view.
  #layOut() {
    const { naturalWidth: width, naturalHeight: height } = this.picture;
    const isAcross = this.turns % 2 === 1;
    this.sheet.style.aspectRatio = isAcross && width ? `${height} / ${width}` : "";
    this.turnedSheet.style.width = isAcross && width ? `${(100 * width) / height}%` : "";
    this.turnedSheet.dataset.turns = this.turns;
  }
}

// Scrolls an element into view within its area alone, so that what has the focus stays where it is.
export function reveal(element, area) {
  const [inner, outer] = [element.getBoundingClientRect(), area.getBoundingClientRect()];
  const by = (start, end, first, last) =>
    start < first ? start - first : end > last ? Math.min(end - last, start - first) : 0;
  area.scrollBy(
    by(inner.left, inner.right, outer.left, outer.right),
    by(inner.top, inner.bottom, outer.top, outer.bottom),
  );
}

// Returns the places, [{page, box}], of an element's data-places: "page:left,top,width,height …".
export function placesOf(element) {
  return element.dataset.places.split(" ").filter(Boolean).map((text) => {
    const [page, box] = text.split(":");
    return { page: Number(page), box: box.split(",").map(Number) };
  });
}

// Joins the suggestions with their boxes on the page of the sample.

import { Pages, placesOf } from "./pages.js";

const root = document.getElementById("suggestions");
const items = [...root.querySelectorAll("[data-places]")];
const switchOf = (item) => item.querySelector("input[type=checkbox]");
const pages = Number(root.dataset.pages) ? new Pages(root, (item) => switchOf(item).focus()) : null;
let current = null;

function show() {
  for (const item of items) {
    item.classList.toggle("declined", !switchOf(item).checked);
    item.classList.toggle("current", item === current);
  }
  pages?.setBoxes(items.flatMap((item) => placesOf(item).map((place) => ({
    ...place,
    kind: switchOf(item).checked ? "high" : "declined",
    label: item.querySelector("strong").textContent,
    isCurrent: item === current,
    key: item,
  }))));
}

if (pages) pages.onShow = show;
root.addEventListener("change", show);
root.addEventListener("focusin", (event) => {
  const item = event.target.closest("[data-places]");
  if (!item || item === current) return;
  current = item;
  const [first] = placesOf(item);
  if (first) pages?.show(first.page);
  show();
});
window.addEventListener("resize", () => pages?.load());
show();

// Keys of the list: j and k move, x chooses, Enter opens, # and Delete delete.

const TYPED = "input:not([type='checkbox']), select, textarea, dialog *, [contenteditable]";

export function followKeys(selection) {
  document.getElementById("keys").hidden = false;
  let current = null; // the id of a document
  const rowOf = (box) => box.closest("tr");
  const at = () => selection.boxes.findIndex((box) => box.value === current);

  const mark = () => {
    for (const box of selection.boxes) rowOf(box).classList.toggle("current", box.value === current);
  };

  const show = (index) => {
    const boxes = selection.boxes;
    const box = boxes[Math.max(0, Math.min(index, boxes.length - 1))];
    if (!box) return;
    current = box.value;
    mark();
    const link = rowOf(box).querySelector("a");
    link.focus({ preventScroll: true });
    rowOf(box).scrollIntoView({ block: "nearest" });
  };

  const acts = {
    j: () => show(at() + 1),
    k: () => show(at() - 1),
    x: () => at() >= 0 && selection.toggle(selection.boxes[at()]),
    "#": () => remove(),
    Delete: () => remove(),
  };

  function remove() {
    if (!selection.count && at() >= 0) selection.toggle(selection.boxes[at()]);
    if (selection.count) selection.button("delete")?.click();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches(TYPED) || !acts[event.key]) return;
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    acts[event.key]();
  });
  return { renew: mark }; // for rows that are shown anew
}

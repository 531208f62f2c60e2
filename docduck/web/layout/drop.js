// Files that are dropped on a page: for a form of the page, or for a panel that asks where they go.

import { droppedFiles } from "./dropped_files.js";

const classes = document.documentElement.classList;

if ("uploadTo" in document.getElementById("content").dataset) {
  document.addEventListener("dragover", drag);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) classes.remove("dropping");
  });
  document.addEventListener("drop", drop);
  if (sessionStorage.getItem("docduck.reading") && !document.getElementById("reading-progress")) {
    import("./upload_panel.js").then(({ showKept }) => showKept());
  }
}

function drag(event) {
  if (!hasFiles(event) || isInput(event)) return;
  event.preventDefault();
  classes.add("dropping");
}

async function drop(event) {
  classes.remove("dropping");
  if (!hasFiles(event) || isInput(event)) return;
  event.preventDefault();
  const dropped = droppedFiles(event.dataTransfer); // before the first wait
  const form = event.target.closest("form[data-drop]");
  if (form) {
    form.querySelector("input[type=file]").files = event.dataTransfer.files;
    form.requestSubmit();
    return;
  }
  const { sendFiles } = await import("./upload_form.js");
  const { askWhere } = await import("./upload_panel.js");
  const files = await dropped.catch(() => []);
  if (sendFiles) sendFiles(files);
  else if (files.length) askWhere(files);
}

function hasFiles(event) {
  return event.dataTransfer.types.includes("Files");
}

// Inputs for files take what is dropped on them.
function isInput(event) {
  return event.target.closest?.("input[type=file]");
}

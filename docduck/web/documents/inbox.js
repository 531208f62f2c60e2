// Uploads with progress and by drag and drop, and rows that follow what is being read.

import { droppedFiles, folderFiles } from "./dropped_files.js";
import { Uploads } from "./uploads.js";

const EVERY = 3000; // milliseconds
const MOST_TOLD = 5;

const upload = document.getElementById("upload");
if (upload) {
  const input = document.getElementById("files");
  const folder = document.getElementById("folder-files");
  const progress = document.getElementById("progress");
  const told = document.getElementById("told");

  const uploads = new Uploads(
    upload,
    ({ sent, total }) => {
      progress.value = total ? (100 * sent) / total : 0;
    },
    ({ taken, refused }) => {
      progress.hidden = true;
      const some = refused.slice(0, MOST_TOLD).map(([name, reason]) => `${name}: ${reason}`).join(" · ");
      const not = refused.length ? `, ${refused.length} not. ${some}` : "";
      told.textContent = `${taken} uploaded${not}`;
      told.className = refused.length ? "error" : "done";
      refresh();
    },
  );
  const send = (files) => {
    told.className = "";
    told.textContent = files.length ? `Sending ${files.length} …` : "There are no files in it";
    if (!files.length) return;
    progress.hidden = false;
    progress.value = 0;
    uploads.add(files);
  };

  upload.addEventListener("submit", (event) => {
    event.preventDefault();
    send([...input.files]);
    input.value = "";
  });
  folder.closest("[hidden]").hidden = false;
  folder.addEventListener("change", () => {
    send(folderFiles(folder));
    folder.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    upload.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) upload.classList.remove("over");
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    upload.classList.remove("over");
    try {
      send(await droppedFiles(event.dataTransfer));
    } catch {
      told.className = "error";
      told.textContent = "What was dropped can't be read";
    }
  });
  window.addEventListener("beforeunload", (event) => {
    if (uploads.isSending) event.preventDefault();
  });
}

async function refresh() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok) {
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const rows = document.getElementById("rows");
    const chosen = new Set([...rows.querySelectorAll(":checked")].map((box) => box.value));
    rows.replaceWith(fresh.getElementById("rows"));
    document.getElementById("count").textContent = fresh.getElementById("count").textContent;
    for (const box of document.querySelectorAll("#rows input")) box.checked = chosen.has(box.value);
  }
  follow();
}

let timer = null;
function follow() {
  clearTimeout(timer);
  if ("changing" in document.getElementById("rows").dataset) timer = setTimeout(refresh, EVERY);
}

follow();

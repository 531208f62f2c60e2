// A form for files: sends what is chosen or dropped, and tells what was taken and what was refused.

import { toast } from "./dialogs.js";
import { folderFiles } from "./dropped_files.js";
import { element } from "./modal.js";
import { follow } from "./reading.js";
import { Uploads } from "./uploads.js";

const MOST_TOLD = 5;

// Sends files by the form of this page; null if it has none.
export let sendFiles = null;

export function takeOverPageForm(form) {
  sendFiles = takeOver(form);
}

// Takes the form over; returns what sends files by it. onTaken is given the server's first answer, and onEnd is called
// when all is read.
export function takeOver(form, { onTaken = () => {}, onEnd } = {}) {
  const input = form.querySelector("input[name=file]");
  const folder = form.querySelector("input[webkitdirectory]");
  const progress = form.querySelector("progress");
  const status = form.querySelector(".status-line");
  let reading = null;

  const uploads = new Uploads(
    form,
    ({ sent, total }) => (progress.value = total ? (100 * sent) / total : 0),
    ({ taken, refused }) => {
      progress.hidden = true;
      const line = result(taken, refused);
      status.replaceChildren(line);
      if (!form.isConnected) toast(line.textContent, { kind: refused.length ? "bad" : "good" });
      if (taken.length && !document.getElementById("reading-progress")) {
        reading?.stop();
        reading = follow(form.querySelector(".reading"), { ...taken[0], onEnd });
      }
      if (taken.length) onTaken(taken[0]);
      document.dispatchEvent(new Event("documents-changed"));
    },
  );

  function send(files) {
    status.textContent = files.length ? `Sending ${files.length} …` : "There are no files in it";
    if (!files.length) return;
    progress.hidden = false;
    progress.value = 0;
    uploads.add(files);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.files.length) send([...input.files]);
    input.value = "";
  });
  folder.closest("[hidden]").hidden = false;
  folder.addEventListener("change", () => {
    if (form.elements.to.reportValidity()) send(folderFiles(folder));
    folder.value = "";
  });
  window.addEventListener("beforeunload", (event) => {
    if (uploads.isSending) event.preventDefault();
  });
  return (files) => {
    if (form.elements.to.reportValidity()) send(files);
  };
}

function result(taken, refused) {
  const line = element("p", "", { className: refused.length ? "error" : "done" });
  const count = taken.reduce((sum, answer) => sum + answer.documents.length, 0);
  line.append(`${count} uploaded`);
  if (taken.length) {
    const [{ name, path }] = taken;
    line.append(" to ", element("a", name, { href: path }));
  }
  const some = refused.slice(0, MOST_TOLD).map(([name, reason]) => `${name}: ${reason}`).join(" · ");
  if (refused.length) line.append(`, ${refused.length} not. ${some}`);
  return line;
}

// Sends files one by one, each in a request of its own. Without this program the page is a plain form.
"use strict";

(() => {
  const form = document.getElementById("upload");
  const drop = document.getElementById("drop");
  const list = document.getElementById("list");
  const summary = document.getElementById("summary");
  const template = document.getElementById("row");
  const mostBytes = Number(form.dataset.maxBytes);
  const waiting = [];
  const counts = { all: 0, received: 0, refused: 0 };
  let sending = false;

  document.documentElement.classList.add("js");

  function add(files) {
    for (const file of files) {
      const row = template.content.firstElementChild.cloneNode(true);
      row.querySelector(".name").textContent = file.name;
      row.querySelector("progress").setAttribute("aria-label", file.name);
      show(row, file);
      list.append(row);
      counts.all += 1;
      const item = { file, row };
      row.querySelector(".again").addEventListener("click", () => {
        counts.refused -= 1;
        enqueue(item);
      });
      if (file.size > mostBytes) {
        end(item, false, "The file is too large");
      } else {
        enqueue(item);
      }
    }
    tell();
  }

  function show(row, file) {
    if (!/^image\/(jpeg|png|gif|webp)$/.test(file.type)) return;
    const picture = row.querySelector("img");
    picture.addEventListener("load", () => URL.revokeObjectURL(picture.src));
    picture.src = URL.createObjectURL(file);
    picture.hidden = false;
    row.classList.add("pictured");
  }

  function enqueue(item) {
    item.row.className = item.row.classList.contains("pictured") ? "pictured" : "";
    item.row.querySelector(".again").hidden = true;
    item.row.querySelector("progress").hidden = false;
    state(item, "Waiting", 0);
    waiting.push(item);
    next();
  }

  function next() {
    if (sending || !waiting.length) return;
    sending = true;
    const item = waiting.shift();
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append("file", item.file, item.file.name);
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable) return;
      const percent = Math.floor((100 * event.loaded) / event.total);
      state(item, percent < 100 ? `Sending, ${percent} %` : "Sent, being stored", percent);
    });
    request.addEventListener("loadend", () => {
      sending = false;
      answered(item, request);
      tell();
      next();
    });
    state(item, "Sending", 0);
    request.send(body);
  }

  function answered(item, request) {
    const answer = request.response;
    const file = answer && answer.files && answer.files[0];
    if (file) {
      end(item, file.accepted, file.message);
      return;
    }
    const message = answer && answer.message;
    const words = request.status === 413 ? "The file is too large" : "The file could not be sent";
    end(item, false, message || words, request.status !== 413);
    if (request.status === 429) {
      // The files behind it would be refused as well.
      for (const later of waiting.splice(0)) end(later, false, message || words, true);
    }
  }

  function end(item, accepted, words, mayTryAgain = false) {
    counts[accepted ? "received" : "refused"] += 1;
    item.row.classList.add(accepted ? "received" : "refused");
    item.row.querySelector("progress").hidden = true;
    item.row.querySelector(".again").hidden = !mayTryAgain;
    state(item, words, 100);
  }

  function state(item, words, percent) {
    item.row.querySelector(".state").textContent = words;
    item.row.querySelector("progress").value = percent;
  }

  function tell() {
    if (sending || waiting.length) {
      summary.textContent = `${counts.received} of ${counts.all} received so far`;
    } else if (counts.all) {
      const refused = counts.refused ? `, ${counts.refused} not accepted` : "";
      summary.textContent = `${counts.received} of ${counts.all} received${refused}`;
    }
  }

  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      add([...input.files]);
      // The same file can be chosen again.
      input.value = "";
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    add([...event.dataTransfer.files]);
  });
  window.addEventListener("beforeunload", (event) => {
    if (sending || waiting.length) event.preventDefault();
  });
})();

// Sends files in as many requests as the server's limits need, one after the other.

const REFUSED = new Set([400, 409, 413, 415]);

export class Uploads {
  // onProgress is given {sent, total} in bytes, onEnd {taken, refused: [[name, reason]]}.
  constructor(form, onProgress, onEnd) {
    this.form = form;
    this.onProgress = onProgress;
    this.onEnd = onEnd;
    this.waiting = [];
    this.isSending = false;
  }

  add(files) {
    this.waiting.push(...this.#batches(files));
    if (this.isSending) this.total += bytesOf(files);
    else this.#sendAll(bytesOf(files));
  }

  async #sendAll(total) {
    this.isSending = true;
    Object.assign(this, { sent: 0, total });
    const [refused, batches] = [[], this.waiting];
    let taken = 0;
    while (batches.length) {
      const files = batches.shift();
      const answer = await this.#send(files);
      if (answer.status !== 200 && REFUSED.has(answer.status) && files.length > 1) {
        // One of them is at fault: the others are still taken.
        batches.unshift(...files.map((file) => [file]));
        continue;
      }
      this.sent += bytesOf(files);
      if (answer.status === 200) taken += files.length;
      else refused.push(...files.map((file) => [file.name, answer.reason]));
    }
    this.isSending = false;
    this.onEnd({ taken, refused });
  }

  #batches(files) {
    const { mostFiles, mostBytes } = this.form.dataset;
    const found = [];
    let [last, bytes] = [null, 0];
    for (const file of files) {
      if (!last || last.length >= Number(mostFiles) || bytes + file.size > Number(mostBytes)) {
        found.push((last = []));
        bytes = 0;
      }
      last.push(file);
      bytes += file.size;
    }
    return found;
  }

  #send(files) {
    const body = new FormData();
    body.append("form_token", this.form.elements.form_token.value);
    for (const file of files) body.append("file", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", this.form.action);
    request.upload.addEventListener("progress", (event) => {
      this.onProgress({ sent: this.sent + Math.min(event.loaded, bytesOf(files)), total: this.total });
    });
    return new Promise((resolve) => {
      request.addEventListener("loadend", () => {
        const told = new DOMParser().parseFromString(request.responseText, "text/html");
        const reason = told.querySelector("[role=alert]")?.textContent ?? "it could not be sent";
        resolve({ status: request.status, reason });
      });
      request.send(body);
    });
  }
}

function bytesOf(files) {
  return files.reduce((sum, file) => sum + file.size, 0);
}

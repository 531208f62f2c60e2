// Sends files in as many requests as the server's limits need, one after the other.

const REFUSED = new Set([400, 409, 413, 415]);

export class Uploads {
  // onProgress is given {sent, total} in bytes, onEnd {taken, refused: [[name, reason]]}; taken are the
  // answers of the server.
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
    const [taken, refused, batches] = [[], [], this.waiting];
    while (batches.length) {
      const files = batches.shift();
      const { status, reply } = await this.#send(files);
      if (REFUSED.has(status) && files.length > 1) {
        // One of them is at fault: the others are still taken.
        batches.unshift(...files.map((file) => [file]));
        continue;
      }
      this.sent += bytesOf(files);
      if (status === 200) taken.push(reply);
      else refused.push(...files.map((file) => [file.name, reply.message]));
    }
    this.isSending = false;
    this.onEnd({ taken, refused });
  }

  #batches(files) {
    const { mostFiles, mostBytes } = this.form.dataset;
    const batches = [];
    let [last, bytes] = [null, 0];
    for (const file of files) {
      if (!last || last.length >= Number(mostFiles) || bytes + file.size > Number(mostBytes)) {
        batches.push((last = []));
        bytes = 0;
      }
      last.push(file);
      bytes += file.size;
    }
    return batches;
  }

  #send(files) {
    const { form_token, to } = this.form.elements;
    const body = new FormData();
    body.append("form_token", form_token.value);
    body.append("to", to.value);
    for (const file of files) body.append("file", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", this.form.action);
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", (event) => {
      this.onProgress({ sent: this.sent + Math.min(event.loaded, bytesOf(files)), total: this.total });
    });
    return new Promise((resolve) => {
      request.addEventListener("loadend", () => resolve({ status: request.status, reply: replyOf(request) }));
      request.send(body);
    });
  }
}

function replyOf(request) {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return { message: request.status ? "the server could not take it" : "it could not be sent: is the connection lost?" };
  }
}

function bytesOf(files) {
  return files.reduce((sum, file) => sum + file.size, 0);
}

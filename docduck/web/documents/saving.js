// Saving what was entered and confirmed: one request after the other, and nothing is lost when one fails.

import { askWhose } from "./conflict.js";
import { send } from "./requests.js";
import { freshToken, signInAgain } from "./sign_in_again.js";

export class Saving {
  // ``tell`` shows a message in the bar, with a button if {label, act} is given.
  constructor(root, tell) {
    this.path = `/documents/${root.dataset.id}`;
    this.seen = root.dataset.seen;
    this.page = root.dataset; // whose it is: email, user, team
    this.tell = tell;
    this.last = Promise.resolve();
    this.pending = 0; // changes that are not saved yet
    this.repeat = null; // what sends changes again that could not be sent
  }

  // Undoes the last change that was saved, after what is being saved; resolves to what the server replied.
  async undo() {
    this.last = this.last.then(() => send(`${this.path}/undo`, { body: { seen: this.seen } }));
    const { ok, reply } = await this.last;
    if (ok) this.seen = reply.seen;
    else this.tell(reply.message, { kind: "bad" });
    return { ...reply, failed: !ok };
  }

  // Sends changes after those before; resolves to what the server replied, with ``failed`` if they were not saved.
  async save(changes) {
    if (this.repeat) {
      this.repeat();
      return { failed: true };
    }
    this.tell("Saving …");
    this.pending += 1;
    this.last = this.last.then(() => this.#attempt(changes));
    const reply = await this.last;
    this.pending -= 1;
    return reply;
  }

  // Resolves to what the checks say of what is being entered, after what is being saved; null if that can't be told.
  async check(entered) {
    if (this.repeat) return null;
    await this.last;
    const { ok, reply } = await send(`${this.path}/checks`, { body: { entered } });
    return ok ? reply : null;
  }

  // Resolves to what is learned from what was corrected, once that is saved; null if that can't be told.
  async learned() {
    await this.last;
    const { ok, reply } = await send(`${this.path}/learned`, { body: {} });
    return ok ? reply : null;
  }

  async #attempt(changes) {
    const { ok, status, reply } = await send(`${this.path}/changes`, { body: { seen: this.seen, ...changes } });
    if (ok) {
      this.seen = reply.seen ?? this.seen;
      return reply;
    }
    if (status === 401) return this.#again(reply.message, "Sign in", changes, () => signInAgain(this.page));
    if (status === 0) return this.#again(reply.message, "Try again", changes, async () => document.body.dataset.formToken);
    if (status === 409 && reply.later) return this.#conflict(reply, changes);
    if (status === 403) {
      const session = await freshToken(this.page);
      if (session?.message) reply.message = session.message;
      else if (session && session.token !== document.body.dataset.formToken) {
        document.body.dataset.formToken = session.token;
        return this.#attempt(changes);
      }
    }
    this.seen = reply.seen ?? this.seen; // the values were saved, and only what follows failed
    this.tell(reply.message, { kind: "bad" });
    return { ...reply, failed: true };
  }

  // Offers to send the same again; what ``prepare`` resolves to is the form token, null if it didn't work.
  #again(message, label, changes, prepare) {
    return new Promise((resolve) => {
      this.repeat = async () => {
        const token = await prepare();
        if (!token) return;
        this.repeat = null;
        for (const field of document.querySelectorAll("input[name=form_token]")) field.value = token;
        document.body.dataset.formToken = token;
        this.tell("Saving …");
        resolve(await this.#attempt(changes));
      };
      this.tell(message, { kind: "bad", label, act: () => this.repeat?.() });
    });
  }

  async #conflict(reply, changes) {
    const mine = Object.fromEntries(Object.entries(changes.entered ?? {}).map(([id, value]) =>
      [id, typeof value === "string" ? value : `${value.length} row${value.length === 1 ? "" : "s"}`]));
    const theirs = await askWhose(reply.message, reply.later, mine);
    if (theirs === null) {
      this.tell(`${reply.message}. Yours is not saved: save again to choose.`, { kind: "bad" });
      return { failed: true };
    }
    this.seen = reply.seen;
    const isTaken = (id) => theirs.includes(id);
    const entered = Object.fromEntries(Object.entries(changes.entered ?? {}).filter(([id]) => !isTaken(id)));
    const places = (changes.places ?? []).filter((place) => !isTaken(place.field));
    // The page shows neither the others' values nor those that were taken, so it is loaded again.
    return this.#attempt({ ...changes, entered, places, stay: false });
  }
}

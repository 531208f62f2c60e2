// Signing in without leaving the page, whose session has ended.

import { element, modal } from "./modal.js";

const TOKEN = "/form-token";

// Returns the form token of the present session; null without one.
export async function freshToken() {
  const answer = await fetch(TOKEN).catch(() => null);
  return answer?.ok ? (await answer.json()).token : null;
}

// Asks for the password, or lets the person sign in otherwise in another tab; resolves to the new form token, or null.
export async function signInAgain(email) {
  const address = field("again-email", "E-mail address", { type: "email", value: email, autocomplete: "username" });
  const password = field("again-password", "Password", { type: "password", autocomplete: "current-password", autofocus: true });
  const told = element("p", "", { className: "error" });
  told.setAttribute("role", "alert");
  const other = element("p", "Or ", { className: "faint" });
  const link = element("a", "sign in in another tab", { href: "/sign-in", target: "_blank" });
  other.append(link, ", and then choose Go on here.");
  let token = null;
  await modal("Sign in again", [told, address, password, other], [
    { label: "Sign in", value: "password" },
    { label: "Go on", value: "other", kind: "plain" },
  ], async (value) => {
    if (value === "other") {
      token = await freshToken();
      if (!token) told.textContent = "You are not signed in yet.";
    } else {
      const form = new URLSearchParams({
        email: address.querySelector("input").value, password: password.querySelector("input").value, next: TOKEN,
      });
      const answer = await fetch("/sign-in", { method: "POST", body: form }).catch(() => null);
      if (answer?.ok) token = (await answer.json()).token;
      else told.textContent = refusal(answer);
    }
    return token !== null;
  });
  return token;
}

function refusal(answer) {
  if (!answer) return "There is no connection to the server.";
  if (answer.status === 429) return "There were too many attempts. Wait some minutes.";
  return "The e-mail address or the password is wrong.";
}

function field(id, label, more) {
  const place = element("div", "", { className: "field" });
  const input = element("input", "", { id, ...more });
  place.append(element("label", label, { htmlFor: id }), input);
  return place;
}

// Signing in without leaving the page, whose session has ended.

import { element, modal } from "./modal.js";

const TOKEN = "/form-token";

const OTHER_USER = "This page was opened by somebody else, so what was entered can't be saved as yours.";
const OTHER_TEAM = "This page is another team's. Choose its team in another tab, and then choose Go on.";

// Returns {token} of the present session, null without one; {message} if it is not that of the page's user and team,
// {user, team}.
export async function freshToken(page) {
  const answer = await fetch(TOKEN).catch(() => null);
  return answer?.ok ? tokenFor(page, await answer.json()) : null;
}

function tokenFor(page, { token, user, team }) {
  if (user !== page.user) return { message: OTHER_USER };
  return team === page.team ? { token } : { message: OTHER_TEAM };
}

// Asks for the password, or lets the person sign in otherwise in another tab; resolves to the new form token, or null.
// ``page`` is {email, user, team} of the page.
export async function signInAgain(page) {
  const address = field("again-email", "E-mail address", { type: "email", value: page.email, autocomplete: "username" });
  const password = field("again-password", "Password", { type: "password", autocomplete: "current-password", autofocus: true });
  const problem = element("p", "", { className: "error", role: "alert" });
  const other = element("p", "Or ", { className: "faint" });
  const link = element("a", "sign in in another tab", { href: "/sign-in", target: "_blank" });
  other.append(link, ", and then choose Go on here.");
  let token = null;
  await modal("Sign in again", [problem, address, password, other], [
    { label: "Sign in", value: "password" },
    { label: "Go on", value: "other", kind: "plain" },
  ], async (value) => {
    let session;
    if (value === "other") {
      session = await freshToken(page) ?? { message: "You are not signed in yet." };
    } else {
      const form = new URLSearchParams({
        email: address.querySelector("input").value, password: password.querySelector("input").value, next: TOKEN,
      });
      const answer = await fetch("/sign-in", { method: "POST", body: form }).catch(() => null);
      session = answer?.ok ? tokenFor(page, await answer.json()) : { message: refusal(answer) };
    }
    problem.textContent = session.message ?? "";
    token = session.token ?? null;
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

// Requests of scripts to this server, whose failures are told in words.

const OFFLINE = "There is no connection to the server. Nothing is lost; try again when it is back.";
const ENDED = "Your session has ended. Sign in again.";
const FAILED = "This did not work. Try again.";

// Sends a request; returns whether it was successful, its status (0 without a connection, 401 if the session has
// ended), and what the server replied, as JSON or, with ``as: "text"``, as text. After a failure ``reply.message`` is for
// people. Polls don't keep the session from expiring.
export async function send(path, { method = "POST", body, token = document.body.dataset.formToken, as = "json", isPoll = false, signal } = {}) {
  const headers = { Accept: as === "json" ? "application/json" : "text/html" };
  if (isPoll) headers["X-Poll"] = "yes";
  if (method !== "GET") headers["X-Form-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { ok: false, status: 0, reply: { message: OFFLINE } };
  }
  if (answer.status === 401 || (answer.redirected && new URL(answer.url).pathname === "/sign-in")) {
    return { ok: false, status: 401, reply: { message: ENDED } };
  }
  const reply = await (as === "json" || !answer.ok ? answer.json() : answer.text()).catch(() => null);
  if (answer.ok) return { ok: true, status: answer.status, reply };
  return { ok: false, status: answer.status, reply: { message: FAILED, ...reply } };
}

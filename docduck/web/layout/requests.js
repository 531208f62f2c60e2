// Requests of scripts to this server, whose failures are told in words.

const OFFLINE = "There is no connection to the server. Nothing is lost; try again when it is back.";
const ENDED = "Your session has ended. Sign in again.";
const FAILED = "This did not work. Try again.";

// Sends a request; returns whether it was successful, its status (0 without a connection, 401 if the session has
// ended), and what the server told, as JSON or, with ``as: "text"``, as text. After a failure ``told.message`` is for
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
    return { ok: false, status: 0, told: { message: OFFLINE } };
  }
  if (answer.status === 401 || (answer.redirected && new URL(answer.url).pathname === "/sign-in")) {
    return { ok: false, status: 401, told: { message: ENDED } };
  }
  const told = await (as === "json" || !answer.ok ? answer.json() : answer.text()).catch(() => null);
  if (answer.ok) return { ok: true, status: answer.status, told };
  return { ok: false, status: answer.status, told: { message: FAILED, ...told } };
}

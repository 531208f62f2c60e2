// Shows what was just deleted as a message with Undo, which the page has as a form.

import { toast } from "./dialogs.js";

const SECONDS = 15;

export function offerUndo() {
  const form = document.getElementById("undo");
  if (!form) return;
  form.hidden = true;
  toast(form.querySelector("span").textContent, { label: "Undo", act: () => form.requestSubmit(), seconds: SECONDS });
  // Loaded again, the page does not offer it again; the bin's page does.
  const address = new URL(location.href);
  address.searchParams.delete("deleted");
  history.replaceState(null, "", address);
}

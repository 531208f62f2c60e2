// Asks before the document is read again, if that discards what people did on it.

import { askReading, setAsk } from "./asks.js";

const form = document.getElementById("read-again");
const discards = form?.elements.discard_corrections;
const update = () => {
  const lost = { approved: "approved" in form.dataset, corrected: "corrected" in form.dataset && discards.checked };
  setAsk(form, askReading(1, { approved: Number(lost.approved), corrected: Number(lost.corrected) }));
};

form?.addEventListener("change", update);
if (form) update();

// What is asked before documents are deleted, or read again although people worked on them.

export function documents(count) {
  return `${count.toLocaleString()} document${count === 1 ? "" : "s"}`;
}

export function askDeleting(count) {
  return `Delete ${documents(count)}?`;
}

// The question is empty if nothing would be lost; `approved` and `corrected` are how many of the documents are.
export function askReading(count, { approved, corrected }) {
  const lost = [
    approved && `the approvals of ${documents(approved)}`,
    corrected && `the corrected values of ${documents(corrected)}`,
  ].filter(Boolean);
  return lost.length ? `Read ${documents(count)} again? This discards ${lost.join(" and ")}.` : "";
}

// Lets the layout ask before `element`, a form or its button, sends; an empty text asks nothing.
export function setAsk(element, text) {
  if (text) element.dataset.ask = text;
  else delete element.dataset.ask;
}

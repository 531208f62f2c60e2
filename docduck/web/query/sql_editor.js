// The colours of a SQL text, drawn behind its text area, which stays the control.

import { tokens } from "./sql_tokens.js";

/** Colour the text of a text area; return the element behind it, which has the same text at the same place. */
export function highlight(editor, textarea) {
  const pre = editor.querySelector("pre");
  let wrong = Number(textarea.dataset.errorLine) || 0;

  function draw() {
    let line = 1;
    pre.replaceChildren();
    for (const { kind, text } of tokens(textarea.value)) {
      for (const [at, piece] of text.split("\n").entries()) {
        if (at) {
          pre.append("\n");
          line += 1;
        }
        if (!piece) continue;
        const span = document.createElement("span");
        span.textContent = piece;
        span.className = line === wrong ? `${kind} wrong` : kind;
        pre.append(span);
      }
    }
    // The last line has a height even when it is empty.
    pre.append("\n");
    follow();
  }

  function follow() {
    pre.scrollTop = textarea.scrollTop;
    pre.scrollLeft = textarea.scrollLeft;
  }

  pre.hidden = false;
  editor.classList.add("highlighted");
  textarea.addEventListener("input", () => {
    wrong = 0;
    draw();
  });
  textarea.addEventListener("scroll", follow);
  draw();
  if (wrong) {
    const before = textarea.value.split("\n").slice(0, wrong);
    const end = before.join("\n").length;
    textarea.focus();
    textarea.setSelectionRange(end, end);
  }
  return pre;
}

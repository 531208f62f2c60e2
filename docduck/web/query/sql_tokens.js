// The parts of a SQL text.

import { KEYWORDS } from "./sql_words.js";

const PART =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*(?:'|$))|("(?:[^"]|"")*(?:"|$))|(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_$]*)|([\s\S])/giuy;

/** Return the parts of a text in their order as {kind, text}; what needs no colour has an empty kind. */
export function tokens(sql) {
  const parts = [];
  for (const [text, comment, quoted, name, number, word] of sql.matchAll(PART)) {
    let kind = "";
    if (comment) kind = "comment";
    else if (quoted) kind = "text";
    else if (name) kind = "name";
    else if (number) kind = "number";
    else if (word && KEYWORDS.has(word.toUpperCase())) kind = "keyword";
    else if (word) kind = "word";
    parts.push({ kind, text });
  }
  for (const [at, part] of parts.entries()) {
    if (part.kind === "word" && parts[at + 1]?.text === "(") part.kind = "function";
  }
  return parts;
}

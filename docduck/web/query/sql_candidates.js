// What can be at a place of a SQL text: columns, tables, words and functions.

import { tokens } from "./sql_tokens.js";
import { FUNCTIONS, KEYWORDS } from "./sql_words.js";

const MOST = 40;
const LAST_NAME = /(?:(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)\.)*(?:"[^"]*|[\p{L}_][\p{L}\p{N}_$]*)?$/u;

const plain = (name) => name.replaceAll('"', "").toLowerCase();

/** Return what begins as the text before ``caret`` ends: {start, candidates}, where candidates are {text, kind}. */
export function candidates(sql, caret, tables) {
  const before = sql.slice(0, caret);
  const kind = tokens(before).at(-1)?.kind;
  if (kind === "comment" || kind === "text") return { start: caret, candidates: [] };
  const typed = before.match(LAST_NAME)[0];
  const dot = typed.lastIndexOf(".");
  const [owner, begun] = [plain(typed.slice(0, Math.max(dot, 0))), plain(typed.slice(dot + 1))];
  const all = owner ? ofOwner(owner, sql, tables) : anywhere(sql, tables, begun);
  const matches = all.filter((candidate) => plain(candidate.text).startsWith(begun) || (!owner && plain(candidate.text).split(".").at(-1).startsWith(begun)));
  return { start: caret - (typed.length - dot - 1), begun, candidates: unique(matches).slice(0, MOST) };
}

function ofOwner(owner, sql, tables) {
  const schema = tables.filter((table) => plain(table.name).split(".")[0] === owner);
  const table = names(sql, tables).get(owner);
  return [
    ...(table ? columns([table]) : []),
    ...schema.map(({ name }) => ({ text: name.slice(name.lastIndexOf(".") + 1), kind: "table" })),
  ];
}

function anywhere(sql, tables, begun) {
  const used = [...new Set(names(sql, tables).values())].filter((table) => used_in(sql, table));
  return [
    ...columns(used),
    ...tables.map((table) => ({ text: table.name, kind: "table" })),
    ...(begun ? [...KEYWORDS].map((text) => ({ text, kind: "keyword" })) : []),
    ...(begun ? FUNCTIONS.map((name) => ({ text: `${name}(`, kind: "function" })) : []),
  ];
}

function used_in(sql, table) {
  return sql.replaceAll('"', "").toLowerCase().includes(plain(table.name));
}

function columns(tables) {
  return tables.flatMap((table) => table.columns.map(({ name, type }) => ({ text: name, kind: type })));
}

/** Return the tables by their names, by those without a schema, and by their aliases in a query. */
function names(sql, tables) {
  const known = new Map();
  for (const table of tables) {
    const name = plain(table.name);
    known.set(name, table);
    const last = name.split(".").at(-1);
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const alias = new RegExp(`${escaped}\\s+(?:as\\s+)?([\\p{L}_][\\p{L}\\p{N}_]*)`, "iu").exec(sql.replaceAll('"', ""));
    if (alias && !KEYWORDS.has(alias[1].toUpperCase())) known.set(alias[1].toLowerCase(), table);
    if (used_in(sql, table)) known.set(last, table);
  }
  return known;
}

function unique(matches) {
  return [...new Map(matches.map((candidate) => [candidate.text, candidate])).values()];
}

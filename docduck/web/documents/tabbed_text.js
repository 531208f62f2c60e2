// Cells as text between tabs, as spreadsheets copy and paste them.

// Returns rows of cells as text; cells with tabs, line ends or quotes are quoted.
export function tabbed(rows) {
  const quoted = (text) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(quoted).join("\t")).join("\n");
}

// Returns the rows of cells of a text; a line end at its end begins no row.
export function parseTabbed(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "") break;
    if (end !== "\t") rows.push([]);
  }
  if (rows.length > 1 && rows.at(-1).every((cell) => !cell)) rows.pop();
  return rows;
}

// Fills a column of a table from lines of text on a page.

// Returns [row, line] for each of the lines, {text, box}: rows are known by their places on the page; where there
// are more lines, insert(index) makes a row. Rows that aren't on the page are filled from row on.
export function rowsForLines(body, row, page, lines, insert) {
  const extents = extentsOn(body, page);
  if (!extents.length) {
    return lines.map((line, number) => {
      const index = row.sectionRowIndex + number;
      return [body.rows[index] ?? insert(index), line];
    });
  }
  const filled = [];
  for (const line of lines) {
    const [, top, , height] = line.box;
    const middle = top + height / 2;
    const place = extents.findLastIndex((extent) => extent.top - height / 2 <= middle);
    const isTaken = place >= 0 && filled.some(([row]) => row === extents[place].row);
    const isBelow = place >= 0 && middle > extents[place].bottom + height / 2;
    if (place < 0 || (isBelow && (isTaken || place === extents.length - 1))) {
      const near = extents[Math.max(place, 0)].row.sectionRowIndex;
      const added = { row: insert(place < 0 ? near : near + 1), top, bottom: top + height };
      extents.splice(place + 1, 0, added);
      filled.push([added.row, line]);
    } else filled.push([extents[place].row, line]);
  }
  return filled;
}

// Returns the rows that have places on a page, from the top, with the range that they take.
function extentsOn(body, page) {
  const extents = new Map();
  for (const cell of body.querySelectorAll(`[data-places^="${page}:"]`)) {
    const [, top, , height] = cell.dataset.places.split(" ")[0].split(":")[1].split(",").map(Number);
    const row = cell.parentElement;
    const former = extents.get(row) ?? { row, top, bottom: top + height };
    extents.set(row, { row, top: Math.min(top, former.top), bottom: Math.max(top + height, former.bottom) });
  }
  return [...extents.values()].sort((first, second) => first.top - second.top);
}

// The words of a document's pages, loaded when they are asked for; boxes are [left, top, width, height] of the page.

export class PageWords {
  constructor(url) {
    this.url = url; // of a page's words, by its number
    this.pages = new Map();
  }

  // Returns the lines of a page, each a list of [text, left, top, width, height].
  async linesOf(number) {
    if (!this.pages.has(number)) {
      this.pages.set(number, fetch(this.url(number)).then(async (answer) => {
        if (!answer.ok) throw new Error("The words of this page can't be read");
        return (await answer.json()).lines;
      }));
      this.pages.get(number).catch(() => this.pages.delete(number));
    }
    return this.pages.get(number);
  }

  // Returns the lines of words in a box as {text, box}; none if the page can't be read.
  async linesIn(number, box) {
    return linesIn(await this.linesOf(number).catch(() => []), box);
  }

  async textIn(number, box) {
    return (await this.linesIn(number, box)).map((line) => line.text).join(" ");
  }

  // Returns the word at a point as {text, box}.
  async wordAt(number, x, y) {
    const word = (await this.linesOf(number).catch(() => [])).flat()
      .find(([, left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height);
    return word && { text: word[0], box: word.slice(1) };
  }
}

// Returns the smallest box around boxes.
export function around(boxes) {
  const [left, top] = [0, 1].map((index) => Math.min(...boxes.map((box) => box[index])));
  const [right, bottom] = [0, 1].map((index) => Math.max(...boxes.map((box) => box[index] + box[index + 2])));
  return [left, top, right - left, bottom - top];
}

// Whether two boxes are beside each other on a line, at most a space apart.
export function isBeside([left, top, width, height], [otherLeft, otherTop, otherWidth, otherHeight]) {
  const gap = Math.max(otherLeft - (left + width), left - (otherLeft + otherWidth));
  return overlap(top, height, otherTop, otherHeight) > 0.5 && gap < 1.5 * Math.max(height, otherHeight);
}

// Words whose centre is in the box. What is read as several lines but is printed beside each other is one.
function linesIn(lines, [left, top, width, height]) {
  const inside = ([, x, y, w, h]) =>
    x + w / 2 >= left && x + w / 2 <= left + width && y + h / 2 >= top && y + h / 2 <= top + height;
  const rows = [];
  for (const words of lines.map((line) => line.filter(inside)).filter((line) => line.length)) {
    const box = around(words.map((word) => word.slice(1)));
    const beside = rows.find((line) => overlap(line.box[1], line.box[3], box[1], box[3]) > 0.5);
    if (beside) {
      beside.words.push(...words);
      beside.box = around([beside.box, box]);
    } else rows.push({ words, box });
  }
  return rows.sort((first, second) => first.box[1] - second.box[1]).map(({ words, box }) => ({
    text: words.sort((first, second) => first[1] - second[1]).map((word) => word[0]).join(" "),
    box,
  }));
}

// The part of the lower of two vertical ranges that both have.
function overlap(top, height, otherTop, otherHeight) {
  const shared = Math.min(top + height, otherTop + otherHeight) - Math.max(top, otherTop);
  return shared / Math.max(Math.min(height, otherHeight), 1e-9);
}

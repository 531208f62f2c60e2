// The number of documents that wait to be read, in the title of the page, and a dot on its icon.

const title = document.title;
const icon = document.querySelector("link[rel=icon]");
const plain = icon?.href;

export function countInTitle(waiting) {
  document.title = waiting ? `(${waiting}) ${title}` : title;
  if (icon) icon.href = waiting ? "/static/icon_reading.svg" : plain;
}

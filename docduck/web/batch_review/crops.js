// Cuts crops out of the pictures of pages once they come into view, and marks the values in them.

const A4 = 842 / 595; // until the picture is there

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      show(target);
    }
  },
  { rootMargin: "300px" },
);

for (const box of document.querySelectorAll(".crop[data-part]")) {
  shape(box, A4);
  seen.observe(box);
}

function show(box) {
  const [left, top, width, height] = numbers(box.dataset.part);
  const picture = document.createElement("img");
  picture.alt = "";
  Object.assign(picture.style, {
    width: percent(1 / width),
    height: percent(1 / height),
    left: percent(-left / width),
    top: percent(-top / height),
  });
  picture.addEventListener("load", () => shape(box, picture.naturalHeight / picture.naturalWidth));
  picture.addEventListener("error", () => {
    picture.remove();
    box.textContent = "The page can't be shown";
  });
  picture.src = box.dataset.picture;
  const mark = document.createElement("span");
  const edges = numbers(box.dataset.mark).map(percent);
  [mark.style.left, mark.style.top, mark.style.width, mark.style.height] = edges;
  box.append(picture, mark);
}

// Gives a crop its shape; ``tall`` is the height of the page in widths of it.
function shape(box, tall) {
  const [, , width, height] = numbers(box.dataset.part);
  box.style.aspectRatio = `${width} / ${height * tall}`;
}

function numbers(text) {
  return text.split(",").map(Number);
}

function percent(share) {
  return `${100 * share}%`;
}

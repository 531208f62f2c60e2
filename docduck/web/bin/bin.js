// Chooses all documents on the page at once.

const all = document.getElementById("all-here");
if (all) {
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of document.querySelectorAll('input[name="document"]')) box.checked = all.checked;
  });
}

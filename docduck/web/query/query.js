// Ctrl+Enter runs the query.

const form = document.getElementById("query");
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(document.getElementById("run"));
  }
});

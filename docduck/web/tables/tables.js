// Filters that are not set stay out of the address.

const form = document.getElementById("filters");
form.addEventListener("submit", () => {
  for (const control of form.querySelectorAll(".controls :is(input, select)")) control.disabled = !control.value;
});
addEventListener("pageshow", () => {
  for (const control of form.querySelectorAll(":disabled")) control.disabled = false;
});

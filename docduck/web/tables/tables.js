// Filters that are not set stay out of the address.

document.getElementById("filters").addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});

// The page for adding documents.

import { takeOverPageForm } from "./upload_form.js";

const form = document.getElementById("upload");
if (form) takeOverPageForm(form);

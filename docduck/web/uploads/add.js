// The page for adding documents.

import { takeOver } from "./upload_form.js";

const form = document.getElementById("upload");
if (form) takeOver(form);

// What every page of a signed-in user does: counts, files that are dropped, the palette, and times.

import "./counts.js";
import "./drop.js";
import "./palette.js";
import "./times.js";

// What every page of a signed-in user does: forms that ask first, counts, files that are dropped, the palette, and times.

import "./asking.js";
import "./counts.js";
import "./drop.js";
import "./palette.js";
import "./times.js";

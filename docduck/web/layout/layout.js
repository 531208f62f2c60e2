// What every page of a signed-in user does: forms that ask first, counts, files that are dropped, and the palette.

import "./asking.js";
import "./counts.js";
import "./drop.js";
import "./palette.js";

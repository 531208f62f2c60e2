// What every page of a signed-in user does: forms that ask first, counts, and the palette.

import "./asking.js";
import "./counts.js";

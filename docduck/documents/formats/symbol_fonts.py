"""Characters of the symbol fonts that office programs use for bullets and check boxes."""

from __future__ import annotations

WINGDINGS = {
    0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "☐", 0x70: "☐", 0x71: "☐",
    0x72: "☐", 0x76: "❖", 0x78: "☒", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xE0: "→", 0xF0: "⇨", 0xFB: "✗",
    0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐", 0x2A: "☐", 0x4F: "✗"}
_SYMBOL = {
    0xB7: "•", 0xB0: "°", 0xB1: "±", 0xA3: "≤", 0xB3: "≥", 0xB4: "×", 0xD7: "⋅", 0x6D: "μ", 0xA0: "€",
    0x2D: "−",
}  # fmt: skip


def symbol(font: str, code: str) -> str:
    """Return the character at a hexadecimal ``code`` of ``font``; empty for decoration."""
    try:
        at = int(code, 16)
    except ValueError:
        return ""
    at = at - 0xF000 if 0xF000 <= at <= 0xF0FF else at
    name = font.lower()
    if name.startswith("wingdings 2"):
        return _WINGDINGS_2.get(at, "")
    if name.startswith("wingdings"):
        return WINGDINGS.get(at, "")
    if name == "symbol":
        return _SYMBOL.get(at, chr(at) if 0x20 <= at < 0x7F and not chr(at).isalpha() else "")
    return chr(at) if 0x20 <= at < 0xD800 else ""

"""Companies and people, and the numbers that identify them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Party:
    """A company or person; ``address`` are the lines printed below the name."""

    name: str
    address: tuple[str, ...]
    tax_id: str | None = None
    phone: str = ""
    email: str = ""
    web: str = ""
    bank: str = ""
    iban: str | None = None
    bic: str = ""
    register: str = ""
    manager: str = ""

    @property
    def address_line(self) -> str:
        return ", ".join(self.address)


def iban(country: str, account: str) -> str:
    """Return the IBAN of a country's basic account number, with check digits (ISO 13616)."""
    digits = "".join(str(int(character, 36)) for character in f"{account}{country}00")
    return f"{country}{98 - int(digits) % 97:02}{account}"


def grouped(iban: str) -> str:
    """Return an IBAN as printed, in groups of four."""
    return " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))

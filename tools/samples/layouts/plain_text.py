"""An invoice as a text file in fixed columns, as simple billing scripts produce."""

from __future__ import annotations

from tools.samples.invoice import Invoice

WIDTH = 72


def plain_text(invoice: Invoice) -> bytes:
    """Print an invoice as plain text."""
    issuer, words = invoice.issuer, invoice.words
    lines = [issuer.name, *issuer.address, f"{issuer.phone}  {issuer.email}", ""]
    lines += [invoice.title.center(WIDTH).rstrip(), ""]
    for label, value in invoice.facts("number", "date", "due", "customer_number", "order", "terms"):
        lines.append(f"{label + ':':<16}{value}")
    lines += ["", f"{words['customer']}:", invoice.receiver.name, *invoice.receiver.address, ""]
    row = "{:<40}{:>8}{:>12}{:>12}"
    heads = [words[f"col_{key}"] for key in ("description", "quantity", "unit_price", "amount")]
    lines += [row.format(*heads), "-" * WIDTH]
    for cells in invoice.rows():
        lines.append(
            row.format(cells["description"], cells["quantity"], cells["unit_price"], cells["amount"])
        )
    lines.append("-" * WIDTH)
    lines += [f"{label:>52}{value:>20}" for label, value in invoice.totals()]
    lines += ["", invoice.closing, ""]
    return "\n".join(lines).encode()

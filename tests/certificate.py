"""A certificate of its own for servers on this machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

OPENSSL = (
    *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"),
    *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
)


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write ``cert.pem`` and ``key.pem`` into a folder; their paths."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run([*OPENSSL, "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key

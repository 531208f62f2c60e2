"""A PDF page as a picture."""

from __future__ import annotations

import pypdfium2.raw as pdfium
from PIL import Image

from docduck.documents.formats.pdf.frame import page_frame
from docduck.documents.formats.pdf.handles import Handle
from docduck.errors import DamagedFile


def rasterize(page: Handle, scale: float, max_pixels: int, extra_quarters: int = 0) -> Image.Image:
    """Return ``page`` in RGB at ``scale`` pixels a point, or less to have at most ``max_pixels``."""
    frame = page_frame(page, extra_quarters)
    scale = min(scale, (max_pixels / (frame.width * frame.height)) ** 0.5)
    width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, None, 0)
    if not bitmap:
        raise DamagedFile(f"a page of {width} × {height} pixels can't be drawn")
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, extra_quarters % 4, flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        address = pdfium.FPDFBitmap_GetBuffer(bitmap)
        pixels = (pdfium.c_ubyte * (stride * height)).from_address(
            pdfium.cast(address, pdfium.c_void_p).value
        )
        return Image.frombytes("RGB", (width, height), bytes(pixels), "raw", "BGRX", stride)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)

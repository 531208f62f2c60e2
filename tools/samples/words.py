"""Labels used by senders, by language; a document may override single words."""

from __future__ import annotations

Words = dict[str, str]

_WORDS = {
    "invoice": ("INVOICE", "Rechnung", "FACTURE", "FACTURA"),
    "credit_note": ("CREDIT NOTE", "Gutschrift", "AVOIR", "FACTURA RECTIFICATIVA"),
    "purchase_order": ("PURCHASE ORDER", "Bestellung", "BON DE COMMANDE", "PEDIDO"),
    "number": ("Invoice Number", "Rechnungsnummer", "Facture N°", "N.º de factura"),
    "date": ("Invoice Date", "Rechnungsdatum", "Date de facture", "Fecha de factura"),
    "due": ("Due Date", "Fällig am", "Date d'échéance", "Fecha de vencimiento"),
    "order": ("PO Number", "Ihre Bestellnummer", "Votre commande", "Su pedido"),
    "customer_number": ("Customer No.", "Kundennummer", "Code client", "N.º de cliente"),
    "tax_id": ("VAT No.", "USt-IdNr.", "N° TVA", "CIF"),
    "customer": ("Bill To", "Rechnungsempfänger", "Facturé à", "Cliente"),
    "ship_to": ("Ship To", "Lieferanschrift", "Adresse de livraison", "Dirección de entrega"),
    "supplier": ("Supplier", "Lieferant", "Fournisseur", "Proveedor"),
    "delivery": ("Delivery Date", "Liefertermin", "Date de livraison", "Fecha de entrega"),
    "delivery_terms": (
        "Delivery Terms",
        "Lieferbedingungen",
        "Conditions de livraison",
        "Condiciones de entrega",
    ),
    "terms": ("Payment Terms", "Zahlungsbedingungen", "Conditions de règlement", "Forma de pago"),
    "subtotal": ("Subtotal", "Nettobetrag", "Total HT", "Base imponible"),
    "tax": ("VAT {rate}%", "zzgl. {rate} % MwSt.", "TVA {rate} %", "IVA {rate} %"),
    "tax_sum": ("Total VAT", "Summe MwSt.", "Total TVA", "Total IVA"),
    "total": ("Total", "Gesamtbetrag", "Total TTC", "Total factura"),
    "page": (
        "Page {page} of {pages}",
        "Seite {page} von {pages}",
        "Page {page} / {pages}",
        "Página {page} de {pages}",
    ),
    "carry": ("Carried forward", "Übertrag", "À reporter", "Suma y sigue"),
    "phone": ("Phone", "Telefon", "Tél.", "Tel."),
    "col_position": ("#", "Pos.", "N°", "N.º"),
    "col_item": ("Item", "Artikel-Nr.", "Référence", "Referencia"),
    "col_description": ("Description", "Bezeichnung", "Désignation", "Descripción"),
    "col_quantity": ("Qty", "Menge", "Quantité", "Cantidad"),
    "col_unit": ("Unit", "Einheit", "Unité", "Ud."),
    "col_unit_price": ("Unit Price", "Einzelpreis", "P.U. HT", "Precio"),
    "col_tax_rate": ("VAT %", "MwSt. %", "TVA %", "% IVA"),
    "col_amount": ("Amount", "Gesamtpreis", "Montant HT", "Importe"),
}
"""In English, German, French and Spanish."""

EN, DE, FR, ES = ({name: words[at] for name, words in _WORDS.items()} for at in range(4))

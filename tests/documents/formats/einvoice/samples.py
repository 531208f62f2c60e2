"""One small invoice in every syntax: 2 chairs at 100.00 and 1 hour at 50.00, 19 % and 7 % tax."""

from __future__ import annotations

import ctypes
import io

import pypdfium2 as pdfium
import pypdfium2.raw as raw


def cii(root: str = "CrossIndustryInvoice", number: str = "R-7", extra: str = "") -> bytes:
    """Return cross Industry Invoice (D16B), or an order with root ``SCRDMCCBDACIOMessageStructure``."""
    order = root.startswith("SCRDM")
    kind, quantity = ("220", "Requested") if order else ("380", "Billed")

    def party(tag: str, name: str, vat: str) -> str:
        return f"""<ram:{tag}><ram:ID>ID-{name[:3]}</ram:ID><ram:Name>{name}</ram:Name>
          <ram:DefinedTradeContact><ram:PersonName>Ada Byron</ram:PersonName>
            <ram:TelephoneUniversalCommunication><ram:CompleteNumber>+49 30 1</ram:CompleteNumber>
            </ram:TelephoneUniversalCommunication></ram:DefinedTradeContact>
          <ram:PostalTradeAddress><ram:PostcodeCode>10115</ram:PostcodeCode><ram:LineOne>Weg 1</ram:LineOne>
            <ram:CityName>Berlin</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
          <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">21/815/08150</ram:ID>
          </ram:SpecifiedTaxRegistration>
          <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">{vat}</ram:ID></ram:SpecifiedTaxRegistration>
        </ram:{tag}>"""

    def line(number: int, name: str, count: str, unit: str, price: str, rate: str, total: str) -> str:
        return f"""<ram:IncludedSupplyChainTradeLineItem>
          <ram:AssociatedDocumentLineDocument><ram:LineID>{number}</ram:LineID>
          </ram:AssociatedDocumentLineDocument>
          <ram:SpecifiedTradeProduct><ram:SellerAssignedID>A-{number}</ram:SellerAssignedID>
            <ram:Name>{name}</ram:Name><ram:Description>Fine {name}</ram:Description>
          </ram:SpecifiedTradeProduct>
          <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>
            <ram:ChargeAmount>{price}</ram:ChargeAmount></ram:NetPriceProductTradePrice>
          </ram:SpecifiedLineTradeAgreement>
          <ram:SpecifiedLineTradeDelivery>
            <ram:{quantity}Quantity unitCode="{unit}">{count}</ram:{quantity}Quantity>
          </ram:SpecifiedLineTradeDelivery>
          <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax>
              <ram:RateApplicablePercent>{rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>
            <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>{total}</ram:LineTotalAmount>
            </ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
        </ram:IncludedSupplyChainTradeLineItem>"""

    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <rsm:{root} xmlns:rsm="urn:un:unece:uncefact:data:standard:{root}:100"
      xmlns:ram="urn:ram" xmlns:udt="urn:udt">
      <rsm:ExchangedDocument><ram:ID>{number}</ram:ID><ram:TypeCode>{kind}</ram:TypeCode>
        <ram:IssueDateTime><udt:DateTimeString format="102">20240731</udt:DateTimeString></ram:IssueDateTime>
        <ram:IncludedNote><ram:Content>First note</ram:Content></ram:IncludedNote>
        <ram:IncludedNote><ram:Content>Second note</ram:Content></ram:IncludedNote>
      </rsm:ExchangedDocument>
      <rsm:SupplyChainTradeTransaction>
        {line(1, "Chair", "2", "H87", "100.00", "19", "200.00")}
        {line(2, "Hour", "1", "HUR", "50.00", "7", "50.00")}
        <ram:ApplicableHeaderTradeAgreement>
          <ram:BuyerReference>04011000-1234</ram:BuyerReference>
          {party("SellerTradeParty", "Möbel Nord GmbH", "DE123456789")}
          {party("BuyerTradeParty", "Käufer &amp; Söhne AG", "DE987654321")}
          <ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO-55</ram:IssuerAssignedID>
          </ram:BuyerOrderReferencedDocument>
        </ram:ApplicableHeaderTradeAgreement>
        <ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>
          <udt:DateTimeString format="102">20240729</udt:DateTimeString></ram:OccurrenceDateTime>
          </ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
        <ram:ApplicableHeaderTradeSettlement>
          <ram:PaymentReference>Ref 9</ram:PaymentReference>
          <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
          <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode>
            <ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02 1203 0000 0000 2020 51</ram:IBANID>
            </ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
          <ram:ApplicableTradeTax><ram:CalculatedAmount>38.00</ram:CalculatedAmount>
            <ram:BasisAmount>200.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>
            <ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
          <ram:ApplicableTradeTax><ram:CalculatedAmount>3.50</ram:CalculatedAmount>
            <ram:BasisAmount>50.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>
            <ram:RateApplicablePercent>7</ram:RateApplicablePercent></ram:ApplicableTradeTax>
          <ram:SpecifiedTradePaymentTerms><ram:Description>14 days net</ram:Description>
            <ram:DueDateDateTime><udt:DateTimeString format="102">20240814</udt:DateTimeString>
            </ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>{extra}
          <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
            <ram:LineTotalAmount>250.00</ram:LineTotalAmount>
            <ram:TaxBasisTotalAmount>250.00</ram:TaxBasisTotalAmount>
            <ram:TaxTotalAmount currencyID="CHF">39.00</ram:TaxTotalAmount>
            <ram:TaxTotalAmount currencyID="EUR">41.50</ram:TaxTotalAmount>
            <ram:GrandTotalAmount>291.50</ram:GrandTotalAmount>
            <ram:TotalPrepaidAmount>91.50</ram:TotalPrepaidAmount>
            <ram:DuePayableAmount>200.00</ram:DuePayableAmount>
          </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        </ram:ApplicableHeaderTradeSettlement>
      </rsm:SupplyChainTradeTransaction>
    </rsm:{root}>""".encode()


ZUGFERD_1 = b"""<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"
  xmlns:ram="r" xmlns:udt="u"><rsm:HeaderExchangedDocument><ram:ID>Z1</ram:ID><ram:TypeCode>380</ram:TypeCode>
  <ram:IssueDateTime><udt:DateTimeString format="102">20130305</udt:DateTimeString></ram:IssueDateTime>
  </rsm:HeaderExchangedDocument><rsm:SpecifiedSupplyChainTradeTransaction>
  <ram:ApplicableSupplyChainTradeAgreement><ram:SellerTradeParty><ram:Name>Lieferant GmbH</ram:Name>
  </ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Kunde AG</ram:Name></ram:BuyerTradeParty>
  </ram:ApplicableSupplyChainTradeAgreement><ram:ApplicableSupplyChainTradeSettlement>
  <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementMonetarySummation>
  <ram:TaxBasisTotalAmount currencyID="EUR">198.00</ram:TaxBasisTotalAmount>
  <ram:TaxTotalAmount currencyID="EUR">37.62</ram:TaxTotalAmount>
  <ram:GrandTotalAmount currencyID="EUR">235.62</ram:GrandTotalAmount>
  </ram:SpecifiedTradeSettlementMonetarySummation></ram:ApplicableSupplyChainTradeSettlement>
  <ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedSupplyChainTradeAgreement>
  <ram:NetPriceProductTradePrice><ram:ChargeAmount currencyID="EUR">9.90</ram:ChargeAmount>
  </ram:NetPriceProductTradePrice></ram:SpecifiedSupplyChainTradeAgreement>
  <ram:SpecifiedSupplyChainTradeDelivery><ram:BilledQuantity unitCode="C62">20</ram:BilledQuantity>
  </ram:SpecifiedSupplyChainTradeDelivery><ram:SpecifiedSupplyChainTradeSettlement>
  <ram:ApplicableTradeTax><ram:ApplicablePercent>19.00</ram:ApplicablePercent></ram:ApplicableTradeTax>
  <ram:SpecifiedTradeSettlementMonetarySummation><ram:LineTotalAmount>198.00</ram:LineTotalAmount>
  </ram:SpecifiedTradeSettlementMonetarySummation></ram:SpecifiedSupplyChainTradeSettlement>
  <ram:SpecifiedTradeProduct><ram:Name>Trennblaetter A4</ram:Name></ram:SpecifiedTradeProduct>
  </ram:IncludedSupplyChainTradeLineItem></rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>"""


def ubl(root: str = "Invoice", net: str = "250.00", customization: str = "urn:cen.eu:en16931:2017") -> bytes:
    """Return UBL 2.1; ``root`` may also be ``CreditNote``."""
    line, quantity = ("CreditNoteLine", "CreditedQuantity") if root == "CreditNote" else (
        "InvoiceLine", "InvoicedQuantity")  # fmt: skip

    def party(tag: str, name: str, vat: str) -> str:
        return f"""<cac:{tag}><cac:Party><cac:PartyName><cbc:Name>{name} Brand</cbc:Name></cac:PartyName>
          <cac:PostalAddress><cbc:StreetName>Weg 1</cbc:StreetName><cbc:CityName>Berlin</cbc:CityName>
            <cbc:PostalZone>10115</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode>
            </cac:Country></cac:PostalAddress>
          <cac:PartyTaxScheme><cbc:CompanyID>{vat}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID>
            </cac:TaxScheme></cac:PartyTaxScheme>
          <cac:PartyLegalEntity><cbc:RegistrationName>{name}</cbc:RegistrationName></cac:PartyLegalEntity>
          <cac:Contact><cbc:Name>Ada Byron</cbc:Name><cbc:ElectronicMail>ada@example.com</cbc:ElectronicMail>
          </cac:Contact></cac:Party></cac:{tag}>"""

    def row(number: int, name: str, count: str, price: str, rate: str, total: str) -> str:
        return f"""<cac:{line}><cbc:ID>{number}</cbc:ID>
          <cbc:{quantity} unitCode="H87">{count}</cbc:{quantity}>
          <cbc:LineExtensionAmount currencyID="EUR">{total}</cbc:LineExtensionAmount>
          <cac:Item><cbc:Description>Fine {name}</cbc:Description><cbc:Name>{name}</cbc:Name>
            <cac:SellersItemIdentification><cbc:ID>A-{number}</cbc:ID></cac:SellersItemIdentification>
            <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>{rate}</cbc:Percent>
            </cac:ClassifiedTaxCategory></cac:Item>
          <cac:Price><cbc:PriceAmount currencyID="EUR">{price}</cbc:PriceAmount></cac:Price></cac:{line}>"""

    due = "<cbc:DueDate>2024-08-14</cbc:DueDate>" if root == "Invoice" else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <{root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:{root}-2"
      xmlns:cac="urn:cac" xmlns:cbc="urn:cbc">
      <cbc:CustomizationID>{customization}</cbc:CustomizationID><cbc:ID>U-7</cbc:ID>
      <cbc:IssueDate>2024-07-31</cbc:IssueDate>{due}
      <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
      <cac:OrderReference><cbc:ID>PO-55</cbc:ID></cac:OrderReference>
      {party("AccountingSupplierParty", "Möbel Nord GmbH", "DE123456789")}
      {party("AccountingCustomerParty", "Kunde AG", "DE987654321")}
      <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>
        <cbc:PaymentDueDate>2024-08-14</cbc:PaymentDueDate>
        <cac:PayeeFinancialAccount><cbc:ID>DE02120300000000202051</cbc:ID></cac:PayeeFinancialAccount>
      </cac:PaymentMeans>
      <cac:TaxTotal><cbc:TaxAmount currencyID="SEK">480.00</cbc:TaxAmount></cac:TaxTotal>
      <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">41.50</cbc:TaxAmount>
        <cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">200.00</cbc:TaxableAmount>
          <cbc:TaxAmount currencyID="EUR">38.00</cbc:TaxAmount>
          <cac:TaxCategory><cbc:Percent>19</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>
        <cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">50.00</cbc:TaxableAmount>
          <cbc:TaxAmount currencyID="EUR">3.50</cbc:TaxAmount>
          <cac:TaxCategory><cbc:Percent>7</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
      <cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">250.00</cbc:LineExtensionAmount>
        <cbc:TaxExclusiveAmount currencyID="EUR">{net}</cbc:TaxExclusiveAmount>
        <cbc:TaxInclusiveAmount currencyID="EUR">291.50</cbc:TaxInclusiveAmount>
        <cbc:PayableAmount currencyID="EUR">291.50</cbc:PayableAmount></cac:LegalMonetaryTotal>
      {row(1, "Chair", "2", "100.00", "19", "200.00")}{row(2, "Hour", "1", "50.00", "7", "50.00")}
    </{root}>""".encode()


FATTURAPA = b"""<?xml version="1.0" encoding="UTF-8"?>
<p:FatturaElettronica versione="FPA12" xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2">
<FatturaElettronicaHeader><DatiTrasmissione><CodiceDestinatario>AAAAAA</CodiceDestinatario></DatiTrasmissione>
<CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice>
</IdFiscaleIVA><Anagrafica><Denominazione>ALPHA SRL</Denominazione></Anagrafica></DatiAnagrafici>
<Sede><Indirizzo>VIALE ROMA</Indirizzo><NumeroCivico>5</NumeroCivico><CAP>07100</CAP><Comune>SASSARI</Comune>
<Provincia>SS</Provincia><Nazione>IT</Nazione></Sede></CedentePrestatore>
<CessionarioCommittente><DatiAnagrafici><CodiceFiscale>RSSMRA80A01H501U</CodiceFiscale><Anagrafica>
<Nome>Mario</Nome><Cognome>Rossi</Cognome></Anagrafica></DatiAnagrafici></CessionarioCommittente>
</FatturaElettronicaHeader><FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento>
<TipoDocumento>TD01</TipoDocumento><Divisa>EUR</Divisa><Data>2024-01-18</Data><Numero>123/A</Numero>
<Causale>Prima causale</Causale><Causale>Seconda causale</Causale></DatiGeneraliDocumento>
<DatiOrdineAcquisto><IdDocumento>66685</IdDocumento><CodiceCIG>456def</CodiceCIG></DatiOrdineAcquisto>
</DatiGenerali><DatiBeniServizi>
<DettaglioLinee><NumeroLinea>1</NumeroLinea><Descrizione>Sedie</Descrizione><Quantita>5.00</Quantita>
<UnitaMisura>PZ</UnitaMisura><PrezzoUnitario>1.00</PrezzoUnitario><PrezzoTotale>5.00</PrezzoTotale>
<AliquotaIVA>22.00</AliquotaIVA></DettaglioLinee>
<DettaglioLinee><NumeroLinea>2</NumeroLinea><Descrizione>Tavolo</Descrizione>
<PrezzoUnitario>20.00</PrezzoUnitario><PrezzoTotale>20.00</PrezzoTotale><AliquotaIVA>10.00</AliquotaIVA>
</DettaglioLinee>
<DatiRiepilogo><AliquotaIVA>22.00</AliquotaIVA><ImponibileImporto>5.00</ImponibileImporto><Imposta>1.10</Imposta>
</DatiRiepilogo><DatiRiepilogo><AliquotaIVA>10.00</AliquotaIVA><ImponibileImporto>20.00</ImponibileImporto>
<Imposta>2.00</Imposta></DatiRiepilogo></DatiBeniServizi>
<DatiPagamento><DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento>
<DataScadenzaPagamento>2024-02-18</DataScadenzaPagamento><ImportoPagamento>14.05</ImportoPagamento>
<IBAN>IT60X0542811101000000123456</IBAN></DettaglioPagamento><DettaglioPagamento>
<ModalitaPagamento>MP05</ModalitaPagamento><DataScadenzaPagamento>2024-03-18</DataScadenzaPagamento>
<ImportoPagamento>14.05</ImportoPagamento></DettaglioPagamento></DatiPagamento></FatturaElettronicaBody>
</p:FatturaElettronica>"""

FACTURAE = """<?xml version="1.0" encoding="UTF-8"?>
<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml"><Parties>
<SellerParty><TaxIdentification><TaxIdentificationNumber>A2800056F</TaxIdentificationNumber></TaxIdentification>
<LegalEntity><CorporateName>Muebles Sol S.A.</CorporateName><AddressInSpain><Address>Calle Alcalá 1</Address>
<PostCode>28014</PostCode><Town>Madrid</Town><Province>Madrid</Province><CountryCode>ESP</CountryCode>
</AddressInSpain></LegalEntity></SellerParty>
<BuyerParty><TaxIdentification><TaxIdentificationNumber>00000000T</TaxIdentificationNumber></TaxIdentification>
<Individual><Name>Juana</Name><FirstSurname>Mauriño</FirstSurname></Individual></BuyerParty></Parties>
<Invoices><Invoice><InvoiceHeader><InvoiceNumber>F-9</InvoiceNumber></InvoiceHeader>
<InvoiceIssueData><IssueDate>2024-03-01</IssueDate><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode>
</InvoiceIssueData><TaxesOutputs><Tax><TaxRate>21.00</TaxRate><TaxableBase><TotalAmount>100.00</TotalAmount>
</TaxableBase><TaxAmount><TotalAmount>21.00</TotalAmount></TaxAmount></Tax></TaxesOutputs>
<InvoiceTotals><TotalGrossAmount>100.00</TotalGrossAmount>
<TotalGrossAmountBeforeTaxes>100.00</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>21.00</TotalTaxOutputs>
<InvoiceTotal>121.00</InvoiceTotal><TotalOutstandingAmount>121.00</TotalOutstandingAmount>
<TotalExecutableAmount>121.00</TotalExecutableAmount></InvoiceTotals>
<Items><InvoiceLine><ItemDescription>Silla</ItemDescription><Quantity>2</Quantity>
<UnitPriceWithoutTax>50.00</UnitPriceWithoutTax><TotalCost>100.00</TotalCost><GrossAmount>100.00</GrossAmount>
</InvoiceLine></Items><PaymentDetails><Installment><InstallmentDueDate>2024-03-31</InstallmentDueDate>
<AccountToBeCredited><IBAN>ES9121000418450200051332</IBAN></AccountToBeCredited></Installment></PaymentDetails>
</Invoice></Invoices></fe:Facturae>""".encode()

EBINTERFACE = """<Invoice xmlns="http://www.ebinterface.at/schema/6p1/"
DocumentType="Invoice" InvoiceCurrency="EUR">
<InvoiceNumber>E-1</InvoiceNumber><InvoiceDate>2024-04-02</InvoiceDate>
<Biller><VATIdentificationNumber>ATU12345678</VATIdentificationNumber><Address><Name>Tischler GmbH</Name>
<Street>Ring 1</Street><Town>Wien</Town><ZIP>1010</ZIP><Country CountryCode="AT">Österreich</Country>
</Address></Biller><InvoiceRecipient><OrderReference><OrderID>B-3</OrderID></OrderReference>
<Address><Name>Amt Graz</Name></Address></InvoiceRecipient>
<Details><ItemList><ListLineItem><Description>Tisch</Description><Quantity Unit="C62">1</Quantity>
<UnitPrice>100</UnitPrice><TaxItem><TaxableAmount>100</TaxableAmount><TaxPercent>20</TaxPercent></TaxItem>
<LineItemAmount>100</LineItemAmount></ListLineItem></ItemList></Details>
<Tax><TaxItem><TaxableAmount>100</TaxableAmount><TaxPercent>20</TaxPercent><TaxAmount>20</TaxAmount></TaxItem></Tax>
<TotalGrossAmount>120</TotalGrossAmount><PayableAmount>120</PayableAmount>
<PaymentMethod><UniversalBankTransaction><BeneficiaryAccount><IBAN>AT611904300234573201</IBAN>
</BeneficiaryAccount></UniversalBankTransaction></PaymentMethod>
<PaymentConditions><DueDate>2024-05-02</DueDate></PaymentConditions></Invoice>""".encode()

KSEF = """<Faktura xmlns="http://crd.gov.pl/wzor/2023/06/29/12648/"><Podmiot1><DaneIdentyfikacyjne>
<NIP>9999999999</NIP><Nazwa>ABC AGD sp. z o. o.</Nazwa></DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju>
<AdresL1>ul. Kwiatowa 1</AdresL1><AdresL2>00-001 Warszawa</AdresL2></Adres></Podmiot1>
<Podmiot2><DaneIdentyfikacyjne><NIP>1111111111</NIP><Nazwa>F.H.U. Jan Kowalski</Nazwa></DaneIdentyfikacyjne>
</Podmiot2><Fa><KodWaluty>PLN</KodWaluty><P_1>2024-02-15</P_1><P_2>FV2024/02/150</P_2>
<P_13_1>1000</P_13_1><P_14_1>230</P_14_1><P_13_3>10</P_13_3><P_14_3>0.5</P_14_3><P_15>1240.50</P_15>
<RodzajFaktury>VAT</RodzajFaktury><FaWiersz><NrWierszaFa>1</NrWierszaFa><P_7>lodówka</P_7><P_8A>szt.</P_8A>
<P_8B>1</P_8B><P_9A>1000</P_9A><P_11>1000</P_11><P_12>23</P_12></FaWiersz>
<Platnosc><TerminPlatnosci><Termin>2024-03-15</Termin></TerminPlatnosci></Platnosc></Fa></Faktura>""".encode()


def signed(content: bytes, chunked: bool = False) -> bytes:
    """``content`` in a CMS SignedData without signers: DER, or BER with indefinite lengths and chunks."""

    def der(tag: int, body: bytes) -> bytes:
        size = len(body)
        length = bytes([size]) if size < 128 else b"\x84" + size.to_bytes(4, "big")
        return bytes([tag]) + length + body

    data_oid = bytes.fromhex("06092a864886f70d010701")
    signed_oid = bytes.fromhex("06092a864886f70d010702")
    head = der(0x02, b"\x01") + der(0x31, b"")
    if not chunked:
        inner = der(0x30, data_oid + der(0xA0, der(0x04, content)))
        return der(0x30, signed_oid + der(0xA0, der(0x30, head + inner)))
    end = b"\x00\x00"
    parts = b"".join(der(0x04, content[at : at + 1000]) for at in range(0, len(content), 1000))
    inner = b"\x30\x80" + data_oid + b"\xa0\x80" + b"\x24\x80" + parts + end * 3
    return b"\x30\x80" + signed_oid + b"\xa0\x80" + b"\x30\x80" + head + inner + end * 3


def with_attachments(pdf: bytes, files: dict[str, bytes]) -> bytes:
    """``pdf`` with embedded files."""
    document = pdfium.PdfDocument(pdf)
    for name, content in files.items():
        wide = (name + "\x00").encode("utf-16-le")
        text = ctypes.cast(ctypes.create_string_buffer(wide), raw.FPDF_WIDESTRING)
        attachment = raw.FPDFDoc_AddAttachment(document, text)
        buffer = (ctypes.c_char * len(content)).from_buffer_copy(content)
        raw.FPDFAttachment_SetFile(attachment, document, buffer, len(content))
    out = io.BytesIO()
    document.save(out)
    document.close()
    return out.getvalue()

"""Contracts in German, French, Spanish, Italian and Dutch."""

from __future__ import annotations

import pytest

from docduck.documents.document import Document
from docduck.fields import FieldType
from tests.extraction.extractors.prose.prose_documents import value, written

GERMAN = written("""
Mietvertrag

zwischen

Immobilien Sonnenhof GmbH, vertreten durch die Geschäftsführerin Anna Berger, Lindenstraße 5, 10115 Berlin
– nachfolgend „Vermieter“ genannt –

und

Herrn Thomas Krüger, Gartenweg 12, 14482 Potsdam – nachfolgend „Mieter“ genannt –

wird folgender Mietvertrag geschlossen:

§ 1 Vermietet wird die Wohnung im zweiten Obergeschoss mit drei Zimmern, die der Mieter besichtigt hat.

§ 2 Das Mietverhältnis beginnt am 1. Mai 2022 und läuft auf unbestimmte Zeit. Der Vertrag kann mit einer Frist
von drei Monaten zum Monatsende gekündigt werden.

§ 3 Die monatliche Kaltmiete beträgt 950,00 EUR. Der Mieter zahlt eine Kaution in Höhe von 2.850,00 EUR.

§ 4 Dieser Vertrag unterliegt dem Recht der Bundesrepublik Deutschland. Gerichtsstand ist Berlin.
""")
FRENCH = written("""
CONTRAT DE PRESTATION DE SERVICES

Entre les soussignés :

La société Dupont Conseil SARL, au capital de 10 000 euros, dont le siège social est situé 12 rue de la Paix,
75002 Paris, ci-après dénommée « le Prestataire »,

et

La société Boulangerie Moreau SAS, dont le siège est à Lyon, représentée par Monsieur Jean Moreau, ci-après
dénommée « le Client »,

Il a été convenu ce qui suit :

Article 1. Le Prestataire s'engage à fournir au Client les conseils décrits dans la présente convention.

Article 2. Le présent contrat est conclu pour une durée de deux ans et entre en vigueur le 1er janvier 2023.
Chaque partie peut le résilier avec un préavis de trois mois.

Article 3. Le présent contrat est soumis au droit français.

Fait à Paris, le 15 décembre 2022, en deux exemplaires.
""")
SPANISH = written("""
CONTRATO DE ARRENDAMIENTO

El presente contrato se celebra entre Inmobiliaria del Sol, S.L., con domicilio en Calle Mayor 3, Madrid (en
adelante, el «Arrendador»), y Don Carlos Ruiz Ortega, con DNI 12345678Z (en adelante, el «Arrendatario»).

Primera. El contrato tendrá una duración de cinco años y entrará en vigor el 1 de febrero de 2020.

Segunda. La renta mensual será de 800 euros. El arrendatario entrega una fianza de 1.600 euros.

Tercera. Cualquiera de las partes podrá resolver el contrato con un preaviso de dos meses por escrito.

Cuarta. El presente contrato se regirá por la legislación española y las partes se someten a los juzgados y
tribunales de Madrid.
""")
ITALIAN = written("""
CONTRATTO DI LOCAZIONE

Il presente contratto è stipulato tra Immobiliare Aurora S.r.l., con sede in Via Roma 10, Milano
(di seguito il
“Locatore”), e Marco Bianchi, nato a Torino il 3 aprile 1980 (di seguito il “Conduttore”).

Art. 1. La durata è di quattro anni. Il contratto decorre dal 1 settembre 2021 e può essere disdetto con
preavviso di sei mesi.

Art. 2. Il canone mensile è pari a 700,00 euro. Il contratto è regolato dalla legge italiana.
""")
DUTCH = written("""
HUUROVEREENKOMST

Deze overeenkomst is gesloten tussen Woonstad Beheer B.V., gevestigd te Utrecht (hierna: “Verhuurder”), en Jan
de Vries, wonende te Amersfoort (hierna: “Huurder”).

De overeenkomst wordt aangegaan voor de duur van twee jaar, met ingang van 1 juni 2022. Er geldt een
opzegtermijn van één maand.

De huurprijs bedraagt € 1.100,00 per maand. Op deze overeenkomst is Nederlands recht van toepassing. De
rechtbank te Utrecht is bevoegd. De partijen hebben de inhoud gelezen en stemmen daarmee volledig in.
""")


@pytest.mark.parametrize(
    ("document", "name", "type_", "expected"),
    [
        (GERMAN, "parties", "list", ["Immobilien Sonnenhof GmbH", "Thomas Krüger"]),
        (GERMAN, "Vermieter", "text", "Immobilien Sonnenhof GmbH"),
        (GERMAN, "tenant", "text", "Thomas Krüger"),
        (GERMAN, "start_date", "date", "2022-05-01"),
        (GERMAN, "Kaltmiete", "currency", 950),
        (GERMAN, "Kaution", "currency", 2850),
        (GERMAN, "Kündigungsfrist", "text", "drei Monaten"),
        (GERMAN, "governing_law", "text", "Bundesrepublik Deutschland"),
        (GERMAN, "Gerichtsstand", "text", "Berlin"),
        (FRENCH, "parties", "list", ["Dupont Conseil SARL", "Boulangerie Moreau SAS"]),
        (FRENCH, "client", "text", "Boulangerie Moreau SAS"),
        (FRENCH, "durée", "text", "deux ans"),
        (FRENCH, "effective_date", "date", "2023-01-01"),
        (FRENCH, "signature_date", "date", "2022-12-15"),
        (FRENCH, "préavis", "text", "trois mois"),
        (FRENCH, "governing_law", "text", "français"),
        (SPANISH, "parties", "list", ["Inmobiliaria del Sol, S.L.", "Carlos Ruiz Ortega"]),
        (SPANISH, "arrendador", "text", "Inmobiliaria del Sol, S.L."),
        (SPANISH, "duración", "text", "cinco años"),
        (SPANISH, "rent", "currency", 800),
        (SPANISH, "fianza", "currency", 1600),
        (SPANISH, "notice_period", "text", "dos meses"),
        (SPANISH, "governing_law", "text", "española"),
        (SPANISH, "venue", "text", "Madrid"),
        (ITALIAN, "parties", "list", ["Immobiliare Aurora S.r.l.", "Marco Bianchi"]),
        (ITALIAN, "conduttore", "text", "Marco Bianchi"),
        (ITALIAN, "durata", "text", "quattro anni"),
        (ITALIAN, "effective_date", "date", "2021-09-01"),
        (ITALIAN, "canone", "currency", 700),
        (ITALIAN, "preavviso", "text", "sei mesi"),
        (ITALIAN, "governing_law", "text", "italiana"),
        (DUTCH, "parties", "list", ["Woonstad Beheer B.V.", "Jan de Vries"]),
        (DUTCH, "huurder", "text", "Jan de Vries"),
        (DUTCH, "looptijd", "text", "twee jaar"),
        (DUTCH, "effective_date", "date", "2022-06-01"),
        (DUTCH, "huurprijs", "currency", 1100),
        (DUTCH, "opzegtermijn", "text", "één maand"),
        (DUTCH, "governing_law", "text", "Nederlands"),
    ],
)
def test_contract(document: Document, name: str, type_: str, expected: object) -> None:
    assert value(document, name, FieldType(type_)) == expected

"""The companies and people of the samples: all invented, with IBANs whose check digits are right."""

from __future__ import annotations

from tools.samples.party import Party, iban

BRANDT = Party(
    "Brandt & Söhne Werkzeugbau GmbH",
    ("Industriestraße 27", "70565 Stuttgart"),
    "DE814527390",
    "+49 711 5540 83-0",
    "rechnung@brandt-werkzeugbau.example",
    "www.brandt-werkzeugbau.example",
    "Schwabenbank Stuttgart",
    iban("DE", "600907000482915003"),
    "SWBSDESS",
    "Amtsgericht Stuttgart HRB 72518",
    "Geschäftsführer: Jörg Brandt",
)
NORDLICHT = Party(
    "Nordlicht Bürobedarf Handels GmbH",
    ("Speicherstraße 4", "20457 Hamburg"),
    "DE267940183",
    "+49 40 3390 1270",
    "buchhaltung@nordlicht-buero.example",
    "www.nordlicht-buero.example",
    "Hafenbank Hamburg",
    iban("DE", "200505500127738214"),
    "HAFBDEHH",
    "Amtsgericht Hamburg HRB 118402",
    "Geschäftsführerin: Dr. Imke Petersen",
)
LENZ = Party(
    "Studio Lenz Grafikdesign",
    ("Kastanienallee 61", "10119 Berlin"),
    "31/418/60277",
    "+49 30 4402 7719",
    "katrin@studio-lenz.example",
    "www.studio-lenz.example",
    "Spreebank Berlin",
    iban("DE", "100208900033417760"),
    "SPRBDEBB",
)
HOFLADEN = Party(
    "Hofladen Große Wiese GbR",
    ("Dorfstraße 8", "21385 Amelinghausen"),
    "DE301185762",
    "+49 4132 8840",
    "hof@grosse-wiese.example",
    "www.grosse-wiese.example",
    "Heidebank eG",
    iban("DE", "240603000071902200"),
    "HEIBDE21",
    "Öko-Kontrollstelle DE-ÖKO-037",
    "Inh. Anke und Lars Behrens",
)
ISARTEC = Party(
    "Isartec Messtechnik GmbH",
    ("Balanstraße 112", "81539 München"),
    "DE198372654",
    "+49 89 6270 455",
    "info@isartec.example",
    "www.isartec.example",
    "Bayernbank München",
    iban("DE", "700204710009183355"),
    "BAYBDEMM",
    "Amtsgericht München HRB 163377",
    "Geschäftsführer: Thomas Aigner",
)
ALPWERK = Party(
    "Alpwerk Engineering AG",
    ("Technoparkstrasse 9", "8005 Zürich"),
    "CHE-114.820.573 MWST",
    "+41 44 520 61 80",
    "finance@alpwerk.example",
    "www.alpwerk.example",
    "Limmatbank Zürich",
    iban("CH", "08390000712845601"),
    "LIMBCHZZ",
    "Handelsregister Kanton Zürich",
)
CASCADE = Party(
    "Cascade Ridge Supply Co.",
    ("2410 Harbor Avenue SW", "Seattle, WA 98126"),
    None,
    "(206) 555-0148",
    "ar@cascaderidge.example",
    "www.cascaderidge.example",
    register="Remit to: Cascade Ridge Supply Co., Dept 4471, Seattle, WA 98124",
)
PRAIRIE = Party(
    "Prairie Wind Software, Inc.",
    ("880 Grand Avenue, Suite 300", "Des Moines, IA 50309"),
    None,
    "(515) 555-0173",
    "billing@prairiewind.example",
    "www.prairiewind.example",
)
HARROW = Party(
    "Harrow & Finch Design Ltd",
    ("14 Calvert Avenue", "London E2 7JP"),
    "GB 284 7719 06",
    "020 7946 0312",
    "accounts@harrowfinch.example",
    "www.harrowfinch.example",
    "Thamesmead Bank plc",
    iban("GB", "THMD40182255813907"),
    "THMDGB2L",
    "Registered in England and Wales No. 09381726",
)
PENNINE = Party(
    "Pennine Building Supplies Ltd",
    ("Unit 6, Calder Trading Estate", "Halifax HX3 9LN"),
    "GB 719 4402 38",
    "01422 496 0277",
    "sales@penninebuilding.example",
    "www.penninebuilding.example",
    "Ridgeway Bank",
    iban("GB", "RDGW60244170023915"),
    "RDGWGB22",
    "Registered in England No. 05127743",
)
GREENWAY = Party(
    "Greenway Freight Logistics Ltd",
    ("Dublin Port, Alexandra Road", "Dublin 1, D01 H4C6"),
    "IE 3418827TH",
    "+353 1 555 0136",
    "invoices@greenwayfreight.example",
    "www.greenwayfreight.example",
    "Liffey Bank",
    iban("IE", "LIFF93115277810364"),
    "LIFFIE2D",
    "Registered in Ireland No. 604417",
)
BLUE_HERON = Party(
    "Blue Heron Hosting LLC",
    ("715 Lakeshore Drive", "Madison, WI 53703"),
    None,
    "(608) 555-0119",
    "billing@blueheron.example",
)
MOREL = Party(
    "Ateliers Morel SARL",
    ("18 rue des Tanneurs", "69005 Lyon"),
    "FR 47 512 884 091",
    "04 72 55 01 38",
    "compta@ateliers-morel.example",
    "www.ateliers-morel.example",
    "Banque des Terreaux",
    iban("FR", "18029000450008271163548"),
    "BTERFR2L",
    "SARL au capital de 40 000 € – RCS Lyon 512 884 091",
)
RHONE = Party(
    "Papeterie du Rhône SAS",
    ("7 quai Jules Courmont", "69002 Lyon"),
    "FR 82 438 205 117",
    "04 78 55 12 90",
    "facturation@papeterie-rhone.example",
    "www.papeterie-rhone.example",
    "Crédit du Confluent",
    iban("FR", "17569000600003914427089"),
    "CCONFR2L",
    "SAS au capital de 120 000 € – RCS Lyon 438 205 117",
)
BREIZH = Party(
    "Breizh Énergie Services",
    ("32 boulevard de la Liberté", "35000 Rennes"),
    "FR 15 790 116 443",
    "02 99 55 40 21",
    "clients@breizh-energie.example",
    "www.breizh-energie.example",
    "Banque de Vilaine",
    iban("FR", "13807000210002206691471"),
    "BVILFRPP",
    "SA au capital de 500 000 € – RCS Rennes 790 116 443",
)
LEVANTE = Party(
    "Suministros Levante S.L.",
    ("Calle de la Paz 44", "46003 Valencia"),
    "B46871925",
    "963 550 127",
    "administracion@sumlevante.example",
    "www.sumlevante.example",
    "Banco del Turia",
    iban("ES", "01870421560200117738"),
    "BTURESVV",
    "Registro Mercantil de Valencia, tomo 4218, folio 91, hoja V-30772",
)
GARRIDO = Party(
    "Estudio Garrido Arquitectura",
    ("Calle de Alcalá 117, 3.º B", "28009 Madrid"),
    "B83405517",
    "915 550 164",
    "estudio@garrido-arq.example",
    "www.garrido-arq.example",
    "Banco de Castellana",
    iban("ES", "02104477310800926614"),
    "BCASESMM",
    "Reg. Mercantil de Madrid, hoja M-256118",
)
OLIVAR = Party(
    "Olivar de Jaén S. Coop.",
    ("Camino de la Almazara s/n", "23400 Úbeda"),
    "F23518840",
    "953 550 198",
    "pedidos@olivardejaen.example",
    "www.olivardejaen.example",
    "Caja del Olivo",
    iban("ES", "03145582190600384471"),
    "CAOLES2J",
)

KESSLER = Party("Kessler Maschinenfabrik AG", ("Daimlerring 3", "89231 Neu-Ulm"))
WEBER = Party("Kanzlei Weber & Partner", ("Am Stadtgarten 12", "45276 Essen"))
FJORD = Party("Fjord Kaffee GmbH", ("Lange Reihe 88", "20099 Hamburg"))
GASTHAUS = Party("Gasthaus Zum Goldenen Anker", ("Marktplatz 2", "21335 Lüneburg"))
STADTWERKE = Party("Stadtwerke Rosenau", ("Wasserwerkstraße 1", "83022 Rosenheim"))
SEEBAHN = Party("Seebahn Verkehrsbetriebe", ("Bahnhofplatz 5", "6003 Luzern"))
EVERGREEN = Party("Evergreen Outdoor Outfitters", ("1190 Pine Street", "Portland, OR 97205"))
EVERGREEN_DC = Party("Evergreen Distribution Center", ("7600 NE Airport Way", "Portland, OR 97218"))
MERIDIAN = Party("Meridian Dental Group", ("55 Walnut Street, Floor 2", "Omaha, NE 68102"))
THORNBURY = Party("Thornbury Publishing Ltd", ("Kingsway House, 3 Redcliffe Street", "Bristol BS1 6NP"))
OAKDALE = Party("Oakdale Homes Ltd", ("21 Station Road", "Huddersfield HD1 5JR"))
OAKDALE_SITE = Party("Plot 14, Moorside Gardens", ("Moorside Lane", "Huddersfield HD2 2QP"))
TIDEWAY = Party("Tideway Seafood Ltd", ("Pier 3, Howth Harbour", "Co. Dublin, D13 W2K7"))
HOTEL_BELLECOUR = Party("Hôtel Bellecour", ("5 place Bellecour", "69002 Lyon"))
CABINET = Party("Cabinet Vasseur Architectes", ("90 cours Gambetta", "69007 Lyon"))
MAIRIE = Party("Mairie de Saint-Brévin", ("1 place de l'Hôtel de Ville", "44250 Saint-Brévin-les-Pins"))
HORIZONTE = Party("Talleres Horizonte S.A.", ("Polígono Industrial Fuente del Jarro, 12", "46988 Paterna"))
PANADERIA = Party("Panadería La Espiga", ("Plaza Mayor 9", "28801 Alcalá de Henares"))
HOLLOWAY = Party("Eleanor Holloway", ("9 Lansdowne Crescent", "Bath BA1 5EX"))

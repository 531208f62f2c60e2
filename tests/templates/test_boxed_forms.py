"""Forms of boxes with their captions inside, read by their templates."""

from __future__ import annotations

from typing import Any

import docduck
from docduck.templates import load
from tests.templates.boxed_forms import FormBox, boxed_form

W2 = boxed_form(
    "Form W-2 Wage and Tax Statement",
    [
        FormBox(160, 60, 130, 28, "a  Employee's social security number", "412-55-0187"),
        FormBox(40, 88, 320, 28, "b  Employer identification number (EIN)", "61-0934417"),
        FormBox(
            40, 116, 320, 84, "c  Employer's name, address, and ZIP code",
            "BRIGHT HARBOR BOATWORKS INC\n18 SLIPWAY ROAD\nROCKLAND ME 04841",
        ),
        FormBox(40, 200, 320, 28, "d  Control number"),
        FormBox(40, 228, 320, 28, "e  Employee's first name and initial         Last name", "NORA J FENWICK"),
        FormBox(
            40, 256, 320, 84, "f  Employee's address and ZIP code",
            "7 GRANITE STREET APT 2\nTHOMASTON ME 04861",
        ),
        FormBox(360, 88, 105, 28, "1  Wages, tips, other compensation", "48211.36"),
        FormBox(465, 88, 105, 28, "2  Federal income tax withheld", "5120.08"),
        FormBox(360, 116, 105, 28, "3  Social security wages", "50711.36"),
        FormBox(465, 116, 105, 28, "4  Social security tax withheld", "3144.10"),
        FormBox(360, 144, 105, 28, "5  Medicare wages and tips", "50911.36"),
        FormBox(465, 144, 105, 28, "6  Medicare tax withheld", "735.31"),
        FormBox(360, 172, 105, 28, "7  Social security tips", "815.00"),
        FormBox(465, 172, 105, 28, "8  Allocated tips"),
        FormBox(360, 200, 105, 28, "9"),
        FormBox(465, 200, 105, 28, "10  Dependent care benefits", "1200.00"),
        FormBox(360, 228, 105, 28, "11  Nonqualified plans"),
        FormBox(465, 228, 105, 28, "12a  See instructions for box 12", "D 2500.00"),
        FormBox(360, 256, 105, 84, "14  Other", "UNION 312.00"),
        FormBox(40, 340, 30, 40, "15  State", "ME"),
        FormBox(70, 340, 110, 40, "Employer's state ID number", "17-5590321"),
        FormBox(180, 340, 80, 40, "16  State wages, tips, etc.", "47211.36"),
        FormBox(260, 340, 70, 40, "17  State income tax", "2310.55"),
        FormBox(330, 340, 85, 40, "18  Local wages, tips, etc."),
        FormBox(415, 340, 80, 40, "19  Local income tax"),
        FormBox(495, 340, 75, 40, "20  Locality name"),
    ],
)  # fmt: skip

CMS_1500 = boxed_form(
    "HEALTH INSURANCE CLAIM FORM",
    [
        FormBox(380, 60, 190, 30, "1a. INSURED'S I.D. NUMBER (For Program in Item 1)", "XJH204881730"),
        FormBox(
            40, 90, 200, 30, "2. PATIENT'S NAME (Last Name, First Name, Middle Initial)", "HOLLOWAY, MARTA, E"
        ),
        FormBox(240, 90, 140, 30, "3. PATIENT'S BIRTH DATE", "04/17/1961"),
        FormBox(
            380, 90, 190, 30, "4. INSURED'S NAME (Last Name, First Name, Middle Initial)", "HOLLOWAY, PETE, J"
        ),
        FormBox(40, 120, 200, 30, "5. PATIENT'S ADDRESS (No., Street)", "418 CEDAR CREST DRIVE"),
        FormBox(380, 120, 190, 30, "7. INSURED'S ADDRESS (No., Street)", "420 CEDAR CREST DRIVE"),
        FormBox(380, 150, 190, 30, "11. INSURED'S POLICY GROUP OR FECA NUMBER", "GRP-55821"),
        FormBox(40, 180, 300, 30, "14. DATE OF CURRENT ILLNESS, INJURY, or PREGNANCY (LMP)", "01/29/2025"),
        FormBox(40, 210, 300, 30, "17. NAME OF REFERRING PROVIDER OR OTHER SOURCE", "DR ALAN WHITCOMBE"),
        FormBox(380, 210, 190, 30, "23. PRIOR AUTHORIZATION NUMBER", "PA-66120"),
        FormBox(40, 240, 300, 30, "21. DIAGNOSIS OR NATURE OF ILLNESS OR INJURY", "M54.50"),
        FormBox(40, 360, 130, 30, "25. FEDERAL TAX I.D. NUMBER", "84-2217706"),
        FormBox(170, 360, 130, 30, "26. PATIENT'S ACCOUNT NO.", "H-20933"),
        FormBox(300, 360, 90, 30, "27. ACCEPT ASSIGNMENT?", "YES"),
        FormBox(390, 360, 90, 30, "28. TOTAL CHARGE", "235.00"),
        FormBox(480, 360, 90, 30, "29. AMOUNT PAID", "40.00"),
        FormBox(
            220, 390, 170, 60, "32. SERVICE FACILITY LOCATION INFORMATION",
            "TALL PINES CLINIC\n90 SPRUCE ST\nBOISE ID 83702",
        ),
        FormBox(
            390, 390, 180, 60, "33. BILLING PROVIDER INFO & PH #",
            "TALL PINES BILLING\n12 ASPEN AVE\nBOISE ID 83706",
        ),
    ],
)  # fmt: skip

ACORD_25 = boxed_form(
    "CERTIFICATE OF LIABILITY INSURANCE",
    [
        FormBox(480, 30, 90, 30, "DATE (MM/DD/YYYY)", "04/22/2025"),
        FormBox(
            40, 110, 265, 70, "PRODUCER", "Lakeview Insurance Brokers\n310 Harbor Street\nDuluth MN 55802"
        ),
        FormBox(305, 110, 265, 24, "CONTACT NAME:", "Irene Castillo"),
        FormBox(305, 134, 160, 24, "PHONE (A/C, No, Ext):", "218-555-0143"),
        FormBox(465, 134, 105, 24, "FAX (A/C, No):", "218-555-0144"),
        FormBox(305, 158, 265, 22, "E-MAIL ADDRESS:", "icastillo@lakeview.example"),
        FormBox(40, 180, 265, 70, "INSURED", "Granite Peak Roofing LLC\n77 Quarry Road\nDuluth MN 55810"),
        FormBox(40, 270, 25, 20, "INSR\nLTR"),
        FormBox(65, 270, 140, 20, "TYPE OF INSURANCE"),
        FormBox(205, 270, 80, 20, "POLICY NUMBER"),
        FormBox(285, 270, 75, 20, "POLICY EFF\n(MM/DD/YYYY)"),
        FormBox(360, 270, 75, 20, "POLICY EXP\n(MM/DD/YYYY)"),
        FormBox(40, 350, 530, 60, "DESCRIPTION OF OPERATIONS / LOCATIONS / VEHICLES", "New roof"),
        FormBox(
            40, 430, 265, 70, "CERTIFICATE HOLDER", "City of Duluth\n411 West First Street\nDuluth MN 55802"
        ),
        FormBox(305, 465, 265, 35, "AUTHORIZED REPRESENTATIVE", "Irene Castillo"),
    ],
    [
        (310, 202, "INSURER A :"), (360, 202, "Northern Mutual Casualty Company"),
        (310, 214, "INSURER B :"), (360, 214, "Pioneer Surety Insurance Company"),
        (40, 262, "COVERAGES"), (220, 262, "CERTIFICATE NUMBER:  CL2504220"),
        (430, 262, "REVISION NUMBER:  3"),
        (43, 302, "A"), (68, 302, "COMMERCIAL GENERAL LIABILITY"), (208, 302, "NMC-448120"),
        (288, 302, "05/01/2025"), (363, 302, "05/01/2026"),
        (43, 316, "B"), (68, 316, "WORKERS COMPENSATION"), (208, 316, "PSI-90277"),
        (288, 316, "06/01/2025"), (363, 316, "06/01/2026"),
    ],
)  # fmt: skip

CMR = boxed_form(
    "CMR International Consignment Note",
    [
        FormBox(
            40, 60, 260, 60, "1 Sender (name, address, country)",
            "Orchard Valley Foods Ltd\n12 Mill Lane, Hereford\nUnited Kingdom",
        ),
        FormBox(
            300, 60, 260, 60, "16 Carrier (name, address, country)",
            "Aguilar Logistica SL\nCalle Mayor 8, Zaragoza\nSpain",
        ),
        FormBox(
            40, 120, 260, 60, "2 Consignee (name, address, country)",
            "Feinkost Berger GmbH\nHafenstrasse 44, Bremen\nGermany",
        ),
        FormBox(300, 120, 260, 60, "17 Successive carriers (name, address, country)"),
        FormBox(
            40, 180, 260, 36, "3 Place of delivery of the goods (place, country)", "28217 Bremen, Germany"
        ),
        FormBox(300, 180, 260, 36, "18 Carrier's reservations and observations", "One pallet wet"),
        FormBox(
            40, 216, 260, 36, "4 Place and date of taking over the goods (place, country, date)",
            "Hereford, United Kingdom, 14.03.2025",
        ),
        FormBox(40, 252, 260, 36, "5 Documents attached", "Invoice 4471, packing list"),
        FormBox(40, 288, 80, 100, "6 Marks and numbers", "OVF 1-12\nOVF 13-20"),
        FormBox(120, 288, 70, 100, "7 Number of packages", "12\n8"),
        FormBox(190, 288, 70, 100, "8 Method of packing", "Pallets\nCartons"),
        FormBox(260, 288, 120, 100, "9 Nature of the goods", "Apple juice\nCider vinegar"),
        FormBox(380, 288, 60, 100, "10 Statistical number", "220971\n220900"),
        FormBox(440, 288, 60, 100, "11 Gross weight in kg", "8640\n960"),
        FormBox(500, 288, 60, 100, "12 Volume in m3", "14.4\n2.1"),
        FormBox(40, 388, 260, 50, "13 Sender's instructions", "Keep dry"),
        FormBox(300, 388, 260, 50, "19 Special agreements", "Delivery by appointment"),
        FormBox(40, 438, 260, 36, "14 Instructions as to payment for carriage", "Carriage paid"),
        FormBox(300, 438, 260, 36, "15 Cash on delivery", "EUR 350.00"),
        FormBox(40, 474, 160, 36, "21 Established in", "Hereford"),
        FormBox(200, 474, 100, 36, "on", "13.03.2025"),
        FormBox(300, 474, 260, 36, "Registration number", "HX21 KLM"),
    ],
    [(420, 40, "No. 0077123")],
)  # fmt: skip


def read(template: str, form: bytes) -> dict[str, Any]:
    return docduck.extract(form, load(template).fields, name="form.pdf").data


def test_a_wage_statement_is_read_by_its_captions() -> None:
    found = read("us_w2", W2)
    expected = {
        "Employee SSN": "412-55-0187",
        "Employer EIN": "61-0934417",
        "Employer": "BRIGHT HARBOR BOATWORKS INC",
        "Employee": "NORA J FENWICK",
        "Wages": 48211.36,
        "Federal Income Tax Withheld": 5120.08,
        "Social Security Wages": 50711.36,
        "Social Security Tax Withheld": 3144.1,
        "Medicare Wages and Tips": 50911.36,
        "Medicare Tax Withheld": 735.31,
        "Social Security Tips": 815,
        "Dependent Care Benefits": 1200,
        "Other": "UNION 312.00",
        "State": "ME",
        "Employer State ID": "17-5590321",
        "State Wages": 47211.36,
        "State Income Tax": 2310.55,
    }
    assert {name: found[name] for name in expected} == expected


def test_a_health_claim_is_read_by_its_captions() -> None:
    found = read("cms_1500", CMS_1500)
    expected = {
        "Insured ID Number": "XJH204881730",
        "Patient": "HOLLOWAY, MARTA, E",
        "Patient Birth Date": "1961-04-17",
        "Insured": "HOLLOWAY, PETE, J",
        "Patient Address": "418 CEDAR CREST DRIVE",
        "Insured Address": "420 CEDAR CREST DRIVE",
        "Insured Group Number": "GRP-55821",
        "Date of Illness": "2025-01-29",
        "Referring Provider": "DR ALAN WHITCOMBE",
        "Diagnosis Codes": "M54.50",
        "Prior Authorization Number": "PA-66120",
        "Federal Tax ID": "84-2217706",
        "Patient Account Number": "H-20933",
        "Accept Assignment": True,
        "Total Charge": 235,
        "Amount Paid": 40,
        "Service Facility": "TALL PINES CLINIC",
        "Billing Provider": "TALL PINES BILLING",
    }
    assert {name: found[name] for name in expected} == expected


def test_a_certificate_of_insurance_is_read_by_its_captions() -> None:
    found = read("acord_25", ACORD_25)
    expected = {
        "Certificate Date": "2025-04-22",
        "Certificate Number": "CL2504220",
        "Revision Number": "3",
        "Producer": "Lakeview Insurance Brokers",
        "Contact Name": "Irene Castillo",
        "Phone": "218-555-0143",
        "Fax": "218-555-0144",
        "Email": "icastillo@lakeview.example",
        "Insured": "Granite Peak Roofing LLC",
        "Insurer A": "Northern Mutual Casualty Company",
        "Insurer B": "Pioneer Surety Insurance Company",
        "Description of Operations": "New roof",
        "Certificate Holder": "City of Duluth",
        "Authorized Representative": "Irene Castillo",
    }
    assert {name: found[name] for name in expected} == expected
    columns = ("Insurer Letter", "Type of Insurance", "Policy Number", "Effective Date", "Expiration Date")
    assert [[row[column] for column in columns] for row in found["Policies"]] == [
        ["A", "COMMERCIAL GENERAL LIABILITY", "NMC-448120", "2025-05-01", "2026-05-01"],
        ["B", "WORKERS COMPENSATION", "PSI-90277", "2025-06-01", "2026-06-01"],
    ]


def test_a_consignment_note_is_read_by_its_captions() -> None:
    found = read("cmr", CMR)
    expected = {
        "Note Number": "0077123",
        "Sender": "Orchard Valley Foods Ltd",
        "Consignee": "Feinkost Berger GmbH",
        "Place of Delivery": "28217 Bremen, Germany",
        "Place of Taking Over": "Hereford, United Kingdom, 14.03.2025",
        "Documents Attached": "Invoice 4471, packing list",
        "Sender's Instructions": "Keep dry",
        "Payment of Carriage": "Carriage paid",
        "Cash on Delivery": "EUR 350.00",
        "Carrier": "Aguilar Logistica SL",
        "Successive Carriers": None,
        "Carrier's Reservations": "One pallet wet",
        "Special Agreements": "Delivery by appointment",
        "Place of Issue": "Hereford",
        "Issue Date": "2025-03-13",
        "Vehicle": "HX21 KLM",
    }
    assert {name: found[name] for name in expected} == expected
    assert [list(row.values()) for row in found["Goods"]] == [
        ["OVF 1-12", 12, "Pallets", "Apple juice", "220971", 8640, 14.4],
        ["OVF 13-20", 8, "Cartons", "Cider vinegar", "220900", 960, 2.1],
    ]

"""Invoices of one form in languages whose words only the lexicon knows."""

from __future__ import annotations

import pytest

from docduck import templates
from docduck.extraction.run_extractors import extract_document
from tests.extraction.pages import document, page, right, words

INVOICES = {
    "Finnish": (
        ("Lähettäjä", "Vastaanottaja"),
        ("Laskun numero", "Laskun päiväys", "Eräpäivä", "Asiakasnumero"),
        ("Selite", "Määrä", "A-hinta", "Yhteensä"),
        ("Veroton summa", "Alv 24 %", "Maksettava yhteensä"),
    ),
    "Norwegian": (
        ("Leverandør", "Kunde"),
        ("Fakturanr", "Fakturadato", "Forfallsdato", "Kundenr"),
        ("Beskrivelse", "Antall", "Pris", "Beløp"),
        ("Sum eks. mva", "Mva 24 %", "Å betale"),
    ),
    "Hungarian": (
        ("Feladó", "Címzett"),
        ("Számlaszám", "Számla kelte", "Fizetési határidő", "Vevőkód"),
        ("Megnevezés", "Mennyiség", "Egységár", "Nettó érték"),
        ("Nettó összesen", "Áfa 24 %", "Fizetendő összesen"),
    ),
    "Romanian": (
        ("Furnizor", "Cumpărător"),
        ("Nr. factură", "Data facturii", "Data scadenței", "Cod client"),
        ("Denumire", "Cantitate", "Preț unitar", "Valoare"),
        ("Total fără TVA", "TVA 24 %", "Total de plată"),
    ),
    "Slovak": (
        ("Dodávateľ", "Odberateľ"),
        ("Číslo faktúry", "Dátum vystavenia", "Dátum splatnosti", "Číslo zákazníka"),
        ("Popis", "Množstvo", "Jednotková cena", "Spolu"),
        ("Základ dane", "DPH 24 %", "Celkom k úhrade"),
    ),
    "Russian": (
        ("Поставщик", "Покупатель"),
        ("Номер счета", "Дата счета", "Оплатить до", "Код клиента"),
        ("Наименование", "Кол-во", "Цена", "Сумма"),
        ("Итого без НДС", "НДС 24 %", "Всего к оплате"),
    ),
    "Ukrainian": (
        ("Постачальник", "Покупець"),
        ("Номер рахунку", "Дата рахунку", "Термін оплати", "Код клієнта"),
        ("Найменування", "Кількість", "Ціна", "Сума"),
        ("Разом без ПДВ", "ПДВ 24 %", "Всього до сплати"),
    ),
    "Greek": (
        ("Προμηθευτής", "Πελάτης"),
        ("Αρ. τιμολογίου", "Ημερομηνία έκδοσης", "Ημερομηνία λήξης", "Κωδικός πελάτη"),
        ("Περιγραφή", "Ποσότητα", "Τιμή μονάδας", "Αξία"),
        ("Καθαρή αξία", "ΦΠΑ 24 %", "Πληρωτέο ποσό"),
    ),
    "Japanese": (
        ("請求元", "請求先"),
        ("請求書番号", "発行日", "お支払期限", "顧客番号"),
        ("品名", "数量", "単価", "金額"),
        ("小計", "消費税 24 %", "合計金額"),
    ),
    "Chinese": (
        ("销售方", "购买方"),
        ("发票号码", "开票日期", "付款期限", "客户编号"),
        ("项目名称", "数量", "单价", "金额"),
        ("合计金额", "税额 24 %", "价税合计"),
    ),
    "Korean": (
        ("공급자", "공급받는자"),
        ("송장번호", "작성일자", "지급기한", "고객번호"),
        ("품목", "수량", "단가", "금액"),
        ("공급가액", "부가세 24 %", "합계금액"),
    ),
}


@pytest.mark.parametrize("language", INVOICES)
def test_the_words_of_an_invoice(language: str) -> None:
    roles, labels, heads, sums = INVOICES[language]
    parties = [
        [
            *words(left, 40, role),
            *words(left, 54, name),
            *words(left, 66, "Ringgasse 12"),
            *words(left, 78, "1010 Wien"),
        ]
        for left, role, name in zip((60, 330), roles, ("Nordkabel GmbH", "Elektro Berg KG"), strict=True)
    ]
    values = ("F-2024-118", "02.05.2024", "16.05.2024", "40417")
    lines = [
        [*words(60, 100 + 16 * n, label + ":"), *words(220, 100 + 16 * n, value)]
        for n, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    rows = [heads, ("Kabel 3x2,5", "12", "8,50", "102,00"), ("Box IP65", "4", "19,75", "79,00")]
    table = [
        [
            *words(60, 220 + 20 * n, text),
            *right(360, 220 + 20 * n, count),
            *right(450, 220 + 20 * n, price),
            *right(560, 220 + 20 * n, amount),
        ]
        for n, (text, count, price, amount) in enumerate(rows)
    ]
    amounts = ("181,00", "43,44", "224,44")
    totals = [
        [*words(330, 300 + 16 * n, label), *right(560, 300 + 16 * n, amount)]
        for n, (label, amount) in enumerate(zip(sums, amounts, strict=True))
    ]
    invoice = document(page(*parties, *lines, *table, *totals))
    found = extract_document(invoice, templates.load("invoice").fields).data
    named = (
        "Invoice Number",
        "Invoice Date",
        "Due Date",
        "Customer Number",
        "Subtotal",
        "Tax Amount",
        "Total",
    )
    assert [found[name] for name in named] == [
        "F-2024-118", "2024-05-02", "2024-05-16", "40417", 181, 43.44, 224.44,
    ]  # fmt: skip
    items = [
        [row[name] for name in ("Description", "Quantity", "Unit Price", "Amount")]
        for row in found["Line Items"]
    ]
    assert items == [["Kabel 3x2,5", 12, 8.5, 102], ["Box IP65", 4, 19.75, 79]]

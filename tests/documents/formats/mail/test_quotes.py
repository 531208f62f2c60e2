"""Conversations: the newest message first, what it quotes on pages of its own."""

from __future__ import annotations

import pytest

from docduck.documents.formats.mail.quotes import split_conversation
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read


@pytest.mark.parametrize(
    "introduction",
    [
        "On Tue, Mar 5, 2024 at 10:00 AM Ann Lee <ann@example.com> wrote:",
        "On Tue, Mar 5, 2024 at 10:00 AM Ann Lee\n<ann@example.com> wrote:",
        "Am 05.03.2024 um 10:00 schrieb Ann Lee:",
        "Am Di., 5. März 2024 um 10:00 Uhr schrieb Ann Lee <ann@example.com>:",
        "Le mar. 5 mars 2024 à 10:00, Ann Lee <ann@example.com> a écrit :",
        "El mar, 5 mar 2024 a las 10:00, Ann Lee (<ann@example.com>) escribió:",
        "Il giorno mar 5 mar 2024 alle ore 10:00 Ann Lee <ann@example.com> ha scritto:",
        "Op di 5 mrt 2024 om 10:00 schreef Ann Lee <ann@example.com>:",
        "Em ter., 5 de mar. de 2024 às 10:00, Ann Lee <ann@example.com> escreveu:",
        "W dniu 5.03.2024 o 10:00 Ann Lee <ann@example.com> napisał(a):",
    ],
)
def test_a_quotation_after_its_introduction_is_a_message(introduction: str) -> None:
    text = f"Thanks, fine.\n\nBob\n\n{introduction}\n> Can you come?\n>\n> Ann\n"
    newest, earlier = split_conversation(text)
    assert newest == "Thanks, fine.\n\nBob"
    assert earlier == f"{introduction}\nCan you come?\n\nAnn"


@pytest.mark.parametrize(
    "block",
    [
        "From: Ann Lee\nSent: Tuesday\nTo: Bob\nSubject: Visit",
        "Von: Ann Lee\nGesendet: Dienstag\nAn: Bob\nBetreff: Besuch",
        "De : Ann Lee\nEnvoyé : mardi\nÀ : Bob\nObjet : Visite",
        "De: Ann Lee\nEnviado el: martes\nPara: Bob\nAsunto: Visita",
        "Da: Ann Lee\nInviato: martedì\nA: Bob\nOggetto: Visita",
        "Van: Ann Lee\nVerzonden: dinsdag\nAan: Bob\nOnderwerp: Bezoek",
        "De: Ann Lee\nEnviado: terça\nPara: Bob\nAssunto: Visita",
        "Od: Ann Lee\nWysłano: wtorek\nDo: Bob\nTemat: Wizyta",
        "*From:* Ann Lee\n*Date:* Tuesday\n*To:* Bob\n*Subject:* Visit",
    ],
)
def test_repeated_headers_begin_a_message(block: str) -> None:
    newest, earlier = split_conversation(f"Fine.\n\n________________\n{block}\n\nCan you come?")
    assert newest == "Fine."
    assert earlier == f"{block}\n\nCan you come?"


@pytest.mark.parametrize(
    "separator",
    [
        "-----Original Message-----",
        "-----Ursprüngliche Nachricht-----",
        "---------- Forwarded message ---------",
        "-------- Message original --------",
        "----- Mensaje original -----",
    ],
)
def test_a_separator_parts_messages(separator: str) -> None:
    assert split_conversation(f"New\n\n{separator}\nFrom: A\nTo: B\nSubject: C\n\nOld") == [
        "New",
        "From: A\nTo: B\nSubject: C\n\nOld",
    ]


def test_three_messages_deep() -> None:
    text = (
        "Third\n\nOn 3 May 2024, B <b@x.de> wrote:\n> Second\n>\n> On 2 May 2024, A <a@x.de> wrote:\n"
        "> > First\n> > line\n"
    )
    assert split_conversation(text) == [
        "Third",
        "On 3 May 2024, B <b@x.de> wrote:\nSecond",
        "On 2 May 2024, A <a@x.de> wrote:\nFirst\nline",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "On 3 May 2024, B <b@x.de> wrote:\n> Come?\nYes.\n> When?\nAt 5.",
        "He wrote: nothing.\n\nFrom: the start it was clear.\nBye",
        "Just a text\nwith lines",
        "",
    ],
)
def test_what_is_not_clearly_parted_stays_together(text: str) -> None:
    assert split_conversation(text) == [text]


def test_pages_of_a_conversation_can_be_chosen() -> None:
    data = (
        b"From: b@x.de\nTo: a@x.de\nSubject: Re: s\nContent-Type: text/html\n\n<div>Answer</div>"
        b"<div>On 3 May 2024, A &lt;a@x.de&gt; wrote:<br></div><blockquote><p>Question</p></blockquote>"
    )
    assert [page.number for page in read(data).pages] == [1, 2]
    (newest,) = read(data, "", ReadOptions(pages="1")).pages
    assert "Answer" in newest.text and "Question" not in newest.text
    (oldest,) = read(data, "", ReadOptions(pages="last")).pages
    assert "Question" in oldest.text and oldest.number == 2

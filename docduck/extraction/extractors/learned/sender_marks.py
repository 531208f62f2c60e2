"""What a page says of its sender: name, VAT numbers, accounts and web addresses."""

from __future__ import annotations

from docduck.extraction.extractors.layout.parties.letterhead import (
    NameVotes,
    collect_votes,
    mail_and_web_hosts,
)
from docduck.extraction.extractors.layout.parties.text_blocks import find_text_blocks
from docduck.extraction.extractors.learned.addressee import is_addressee, is_label
from docduck.extraction.learned_layout import SenderMarks
from docduck.extraction.normal_text import value_key
from docduck.extraction.page.page_view import PageView, text_of
from docduck.extraction.values.bank import find_ibans
from docduck.extraction.values.contacts import find_hosts
from docduck.extraction.values.identifiers import compact, find_vat_ids

_NAMED = 0.46
"""Score from which a line of the letterhead is the sender's name: more than its place says so."""


def sender_marks(page: PageView) -> SenderMarks:
    """Return what a first page says of its sender; what stands with the addressee is left out."""
    own = [segment for segment in page.segments if not is_addressee(segment)]
    vat_ids = (compact(text) for segment in own for *_, text in find_vat_ids(segment.text))
    ibans = (iban for segment in own for *_, iban in find_ibans(segment.text))
    return SenderMarks(
        names=_names(page),
        registrations=frozenset(vat_ids),
        accounts=frozenset(ibans),
        hosts=frozenset(host for segment in own for host in find_hosts(segment.text)),
    )


def _names(page: PageView) -> frozenset[str]:
    """Return the name of the letterhead, none if the page has none."""
    excluded = {segment.key for segment in page.segments if is_addressee(segment)}
    votes = NameVotes(excluded, mail_and_web_hosts([page]))
    collect_votes(votes, page, find_text_blocks(page), is_label)
    winner = votes.winner()
    return frozenset([value_key(text_of(winner[0]))]) if winner and winner[1] >= _NAMED else frozenset()

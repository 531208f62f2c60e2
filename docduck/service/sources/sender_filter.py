"""Which senders' mails a parser or classifier accepts."""

from __future__ import annotations

from docduck.catalog.models import Classifier, Parser
from docduck.service.core.installation import Installation
from docduck.service.parsers.settings_schema import EmailParsing, SenderFilter
from docduck.service.sources.targets import Target

SENDER_FILTERED = "sender_filtered"


def sender_filter(inst: Installation, target: Target) -> SenderFilter:
    """Return the filter in the e-mail settings of a parser or classifier."""
    with inst.catalog.read_session() as session:
        if target.is_classifier:
            stored = session.get_one(Classifier, target.id).email_parsing
        else:
            settings = session.get_one(Parser, target.id).settings
            stored = settings.get("emailParsing") if isinstance(settings, dict) else None
    return EmailParsing.model_validate(stored or {}).sender_filter


def accepts(chosen: SenderFilter, address: str | None) -> bool:
    """Return whether a mail of this sender is accepted; one without a sender matches no rule.

    A rule is a whole address, or a domain with its sub-domains; case is ignored.
    """
    if chosen.mode == "disabled":
        return True
    sender = (address or "").lower()
    domain = sender.rpartition("@")[2]
    matches = any(
        sender == rule.value.lower() if rule.type == "email" else _is_of(domain, rule.value)
        for rule in chosen.rules
    )
    return matches == (chosen.mode == "allow")


def _is_of(domain: str, wanted: str) -> bool:
    name = wanted.lower().lstrip("@").strip(".")
    return domain == name or domain.endswith(f".{name}")

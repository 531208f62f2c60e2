"""The check of a webhook's URL, which depends on the settings."""

from __future__ import annotations

from docduck.errors import InputError
from docduck.outbound.errors import UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.urls import check_url
from docduck.settings import Settings

NOT_HTTPS = "Webhook URL must use HTTPS"


def check_webhook_url(settings: Settings, url: str) -> str:
    """Return the URL; raise InputError if it is not HTTPS or leads to a private address."""
    if not settings.allow_insecure_webhooks and not url.lower().startswith("https://"):
        raise InputError(NOT_HTTPS, "url")
    try:
        check_url(url, OutboundPolicy.for_webhooks(settings))
    except UrlNotAllowed as error:
        raise UrlNotAllowed(url, "url") from error
    return url

"""Who may open and send what: every route of the pages with every kind of user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import invite
from docduck.service.accounts.keys import list_keys
from docduck.service.accounts.password_reset import start_reset
from docduck.service.accounts.permissions import ROLES
from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.classifiers.example_changes import add_examples
from docduck.service.core.installation import Installation, open_installation
from docduck.service.folders.folder_changes import create_folder
from docduck.service.outputs.saved_queries import save_query
from docduck.service.parsers.lookup_tables import put_lookup_table
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews.stage_changes import create_stage
from docduck.service.webhooks.webhook_changes import create_webhook
from docduck.settings import Settings
from tests.server.app_routes import app_routes
from tests.server.served import Api, serving
from tests.web.browser import Browser, form_token, member

WEBHOOK = "https://example.org/"
VISITORS = ("owner", "admin", "member", "reviewer", "no_team", "other_team", "visitor")
MANAGERS_ONLY = (200, 200, 403, 403, 404, 200, 303)
"""The owner of another team sees the page of that team."""

OF_PARSERS = (200, 200, 200, 403, 404, 404, 303)
"""A page of a parser of the team."""

EVERY_USER = (200, 200, 200, 200, 200, 200, 303)
EVERYBODY = (200,) * 7

PAGES: Mapping[str, tuple[int, ...]] = {
    "/": EVERY_USER,
    "/profile": EVERY_USER,
    "/team": MANAGERS_ONLY,
    "/team/members": MANAGERS_ONLY,
    "/team/keys": MANAGERS_ONLY,
    "/team/audit": MANAGERS_ONLY,
    "/dagster": (307, 307, 403, 403, 403, 403, 303),
    "/team/new": (403,) * 6 + (303,),
    "/sign-in": (303,) * 6 + (200,),
    "/forgot-password": EVERYBODY,
    "/invitations/{token}": EVERYBODY,
    "/first-user/{token}": (404,) * 7,
    "/password-reset/{token}": EVERYBODY,
    "/static/docduck.css": EVERYBODY,
    "/counts": (200, 200, 200, 200, 404, 200, 403),
    "/palette": (200, 200, 200, 200, 404, 200, 403),

"""The routers of all pages."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter

from docduck.web import static_files
from docduck.web.accuracy import router as accuracy
from docduck.web.audit_log import router as audit_log_page
from docduck.web.batch_review import router as batch_review
from docduck.web.bin import router as bin_page
from docduck.web.classifiers import documents as classifier_documents
from docduck.web.classifiers import examples as classifier_examples
from docduck.web.classifiers import router as classifier_pages
from docduck.web.classifiers import rules as classifier_rules
from docduck.web.classifiers import settings as classifier_settings
from docduck.web.connections import router as connections
from docduck.web.consent import router as consent
from docduck.web.dagster_ui import router as dagster_ui
from docduck.web.documents import inbox, learned, list_actions, saving
from docduck.web.documents import router as document_pages
from docduck.web.exports import router as exports
from docduck.web.first_user import router as first_user
from docduck.web.folders import router as folders
from docduck.web.help import router as help_pages
from docduck.web.invitations import router as invitations
from docduck.web.layout import counts
from docduck.web.lessons import router as lessons
from docduck.web.oauth import metadata as oauth_metadata
from docduck.web.oauth import router as oauth
from docduck.web.palette import router as palette
from docduck.web.parser_settings import router as parser_settings
from docduck.web.parsers import fields as field_pages
from docduck.web.parsers import router as parser_pages
from docduck.web.parsers import suggestions, try_out
from docduck.web.password_reset import router as password_reset
from docduck.web.post_processing import router as post_processing
from docduck.web.profile import router as profile
from docduck.web.query import router as query_page
from docduck.web.reading_again import router as reading_again
from docduck.web.review_stages import router as review_stages
from docduck.web.sign_in import provider as sign_in_provider
from docduck.web.sign_in import router as sign_in
from docduck.web.sources import router as source_pages
from docduck.web.start import router as start
from docduck.web.tables import router as tables
from docduck.web.team import keys as team_keys
from docduck.web.team import members as team_members
from docduck.web.team import router as team
from docduck.web.upload_page import router as upload_page
from docduck.web.uploads import router as uploads
from docduck.web.usage import router as usage
from docduck.web.webhooks import router as webhooks

PAGES: Sequence[APIRouter] = (
    static_files.router,
    upload_page.router,
    sign_in.router,
    document_pages.pictures,
    saving.router,
    learned.router,
    uploads.router,
    inbox.selection,
    list_actions.scripted,
    list_actions.router,
    inbox.router,
    batch_review.router,
    bin_page.router,
    parser_pages.router,
    field_pages.router,
    suggestions.router,
    try_out.router,
    parser_settings.router,
    review_stages.router,
    folders.router,
    post_processing.router,
    accuracy.router,
    lessons.router,
    reading_again.router,
    document_pages.router,
    exports.router,
    webhooks.router,
    query_page.router,
    tables.router,
    help_pages.router,
    classifier_pages.router,
    classifier_documents.router,
    classifier_rules.router,
    classifier_examples.router,
    classifier_settings.router,
    source_pages.router,
    oauth_metadata.router,
    oauth.router,
    consent.router,
    connections.router,
    sign_in_provider.router,
    counts.router,
    palette.router,
    start.router,
    profile.router,
    team.router,
    team_members.router,
    team_keys.router,
    invitations.router,
    first_user.router,
    password_reset.router,
    usage.router,
    audit_log_page.router,
    dagster_ui.router,
)
"""In the order of use: a path is looked up in each in turn."""

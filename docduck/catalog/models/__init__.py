"""The catalog's tables, a module per resource."""

from docduck.catalog.models.accounts import (
    ApiKey,
    Invitation,
    Membership,
    PasswordReset,
    Team,
    User,
    UserIdentity,
    UserSession,
)
from docduck.catalog.models.audit import AuditEntry
from docduck.catalog.models.base import Base
from docduck.catalog.models.bin import BinnedDocument
from docduck.catalog.models.classifiers import Classifier, ClassifierExample, ClassifierRule
from docduck.catalog.models.documents import Document, DocumentEvent, DocumentResult, StoredFile
from docduck.catalog.models.exports import Export, ExportedDocument, ExportLayout
from docduck.catalog.models.folders import Folder
from docduck.catalog.models.installation import HomeRecord, ReadingDuration, ReadingHome
from docduck.catalog.models.intake import IntakeEntry, SourceState
from docduck.catalog.models.learning import PendingCorrection, StoredLayout
from docduck.catalog.models.limits import IdempotentRequest, RateCount
from docduck.catalog.models.model_usage import ModelUsage
from docduck.catalog.models.oauth import OAuthClient, OAuthGrant, OAuthToken
from docduck.catalog.models.parsers import Parser, ParserField, StoredTable
from docduck.catalog.models.reviews import DocumentStage, ReviewStage
from docduck.catalog.models.saved_queries import SavedQuery
from docduck.catalog.models.saved_views import SavedView
from docduck.catalog.models.search import (
    NO_FOLDER,
    DocumentCount,
    PendingText,
    SearchEntry,
    SearchShape,
    SearchText,
    SearchValue,
)
from docduck.catalog.models.upload_pages import UploadPage
from docduck.catalog.models.warehouse_outbox import WarehouseOutbox
from docduck.catalog.models.webhooks import Webhook, WebhookDelivery, WebhookSnapshot

__all__ = [
    "NO_FOLDER",
    "ApiKey",
    "AuditEntry",
    "Base",
    "BinnedDocument",
    "Classifier",
    "ClassifierExample",
    "ClassifierRule",
    "Document",
    "DocumentCount",
    "DocumentEvent",
    "DocumentResult",
    "DocumentStage",
    "Export",
    "ExportLayout",
    "ExportedDocument",
    "Folder",
    "HomeRecord",
    "IdempotentRequest",
    "IntakeEntry",
    "Invitation",
    "Membership",
    "ModelUsage",
    "OAuthClient",
    "OAuthGrant",
    "OAuthToken",
    "Parser",
    "ParserField",
    "PasswordReset",
    "PendingCorrection",
    "PendingText",
    "RateCount",
    "ReadingDuration",
    "ReadingHome",
    "ReviewStage",
    "SavedQuery",
    "SavedView",
    "SearchEntry",
    "SearchShape",
    "SearchText",
    "SearchValue",
    "SourceState",
    "StoredFile",
    "StoredLayout",
    "StoredTable",
    "Team",
    "UploadPage",
    "User",
    "UserIdentity",
    "UserSession",
    "WarehouseOutbox",
    "Webhook",
    "WebhookDelivery",
    "WebhookSnapshot",
]

"""All operations of the API, grouped by resource, for both clients."""

from __future__ import annotations

from docduck.client.audit_log import AuditLog
from docduck.client.classifiers import Classifiers
from docduck.client.documents import Documents
from docduck.client.exports import Exports
from docduck.client.fields import ParserFields
from docduck.client.folders import Folders
from docduck.client.lessons import Lessons
from docduck.client.parsers import Parsers
from docduck.client.post_processing import PostProcessing
from docduck.client.processing import Processing
from docduck.client.review_stages import ReviewStages
from docduck.client.reviews import Reviews
from docduck.client.transport.endpoint import M, Resource, Runner
from docduck.client.transport.retries import Retries
from docduck.client.upload_pages import UploadPages
from docduck.client.usage import Usage
from docduck.client.webhooks import Webhooks


class Api(Resource[M]):
    """The API: ``api.parsers``, ``api.classifiers``, ``api.fields``, ``api.post_processing``,
    ``api.lessons``, ``api.folders``, ``api.review_stages``, ``api.documents``, ``api.reviews``,
    ``api.process``, ``api.exports``, ``api.webhooks``, ``api.upload_pages``, ``api.audit_log``,
    ``api.usage``.
    """

    def __init__(self, runner: Runner, retries: Retries) -> None:
        super().__init__(runner, retries)
        self.parsers: Parsers[M] = Parsers(runner, retries)
        self.classifiers: Classifiers[M] = Classifiers(runner, retries)
        self.fields: ParserFields[M] = ParserFields(runner, retries)
        self.lessons: Lessons[M] = Lessons(runner, retries)
        self.folders: Folders[M] = Folders(runner, retries)
        self.review_stages: ReviewStages[M] = ReviewStages(runner, retries)
        self.reviews: Reviews[M] = Reviews(runner, retries)
        self.documents: Documents[M] = Documents(runner, retries)
        self.process: Processing[M] = Processing(runner, retries)
        self.post_processing: PostProcessing[M] = PostProcessing(runner, retries)
        self.webhooks: Webhooks[M] = Webhooks(runner, retries)
        self.exports: Exports[M] = Exports(runner, retries)
        self.upload_pages: UploadPages[M] = UploadPages(runner, retries)
        self.audit_log: AuditLog[M] = AuditLog(runner, retries)
        self.usage: Usage[M] = Usage(runner, retries)

    wait = Processing.wait

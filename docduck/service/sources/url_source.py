"""URL sources of pipeline.yaml."""

from __future__ import annotations

import base64
from dataclasses import replace

from docduck.outbound.policy import OutboundPolicy
from docduck.service.core.installation import Installation
from docduck.service.pipeline.source_specs import UrlSpec
from docduck.service.sources.remote_source import RemoteSource
from docduck.sources.url.reader import UrlReader, UrlSettings


def url_source(spec: UrlSpec) -> RemoteSource:
    """Return the source that ``spec`` describes."""
    settings = UrlSettings(spec.url, spec.links, _headers(spec), spec.private, spec.robots)

    def connect(inst: Installation) -> UrlReader:
        policy = OutboundPolicy.for_downloads(inst.settings)
        return UrlReader(
            settings,
            replace(policy, seconds=min(policy.seconds, inst.settings.source_seconds)),
            inst.settings.look_seconds,
        )

    return RemoteSource(
        name=spec.name,
        kind="url",
        place=spec.url,
        every=spec.every,
        open=connect,
        document_source="url",
        parser=spec.parser,
        classifier=spec.classifier,
        replaces=spec.on_change == "replace",
    )


def _headers(spec: UrlSpec) -> dict[str, str]:
    headers = dict(spec.headers)
    if spec.token is not None:
        headers["Authorization"] = f"Bearer {spec.token}"
    elif spec.username is not None:
        pair = base64.b64encode(f"{spec.username}:{spec.password}".encode()).decode()
        headers["Authorization"] = f"Basic {pair}"
    return headers

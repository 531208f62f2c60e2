"""Workers' requests reach the models of their tasks, and no others."""

from __future__ import annotations

from pathlib import Path

from docduck.extraction.extractors.model.asking.endpoint import Endpoints, through
from docduck.extraction.model_options import ModelOptions
from tests.endpoint import model, says


def options(name: str, url: str, slots: Path) -> ModelOptions:
    return ModelOptions(url, f"{name}-1", name=name, slots=slots / name)


def test_a_request_goes_to_the_model_that_it_names_for_its_team(tmp_path: Path) -> None:
    with model([says({"a": 1})]) as small, model([says({"a": 2})]) as large:
        known = [options("small", small.url, tmp_path), options("large", large.url, tmp_path)]
        with Endpoints(known) as endpoints:
            respond = endpoints.responder(["small", "large"], "team-1")
            assert respond is not None
            for name in ("small", "large", "large"):
                answer = through(respond, name)({"model": name}, 10)
                assert answer.response is not None and answer.response.status == 200
        assert [len(endpoint.questions) for endpoint in (small, large)] == [1, 2]
        assert [question.body for question in large.questions] == [{"model": "large"}] * 2
    assert [path.name for path in (tmp_path / "large" / "teams").iterdir()] == ["team-1"]


def test_a_task_reaches_only_the_models_that_it_was_given(tmp_path: Path) -> None:
    with model([says({"a": 1})]) as small, model([says({"a": 2})]) as large:
        known = [options("small", small.url, tmp_path), options("large", large.url, tmp_path)]
        with Endpoints(known) as endpoints:
            assert endpoints.responder([]) is None
            respond = endpoints.responder(["small"])
            assert respond is not None
            answer = through(respond, "large")({}, 10)
            assert (answer.response, answer.reason) == (None, "this task may not ask it")
        assert large.questions == []

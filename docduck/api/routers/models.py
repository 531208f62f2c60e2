"""The language models that parsers and classifiers can name."""

from __future__ import annotations

from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import ResponseModel, WholeList
from docduck.extraction.model_options import DEFAULT, ModelOptions
from docduck.extraction.models import usable_models

router = ResourceRouter("/models", "Models", read="parsers:read")


class LanguageModel(ResponseModel):
    """A language model, without its key and its files."""

    name: str = Field(description="Names it as `model` of a parser or classifier", examples=["hosted"])
    is_default: bool = Field(description="Whether it is that of parsers and classifiers that name none")
    model: str = Field(description="Its own name, as its server has it", examples=["gpt-5-mini"])
    is_local: bool = Field(description="Whether no document leaves docduck's machine for it")
    endpoint: str | None = Field(
        description="The host that is asked; null of a model file, which docduck serves itself",
        examples=["api.example.org"],
    )
    context_tokens: int = Field(ge=1, description="Tokens that it takes, question and answer together")
    takes_pictures: bool = Field(description="Whether it is shown pages as pictures")
    input_price: float | None = Field(ge=0, description="Of a million tokens that it reads; null if not set")
    output_price: float | None = Field(
        ge=0, description="Of a million tokens that it writes; null if not set"
    )


class ModelList(WholeList[LanguageModel]):
    """Language models."""

    data: list[LanguageModel] = Field(description="The models")


@router.get("", summary="List language models")
def list_(call: CurrentCall) -> ModelList:
    """Return the language models that parsers and classifiers can name.

    They are not tried: a model that is listed may not answer.
    """
    models = usable_models(call.inst.settings).by_name.values()
    return ModelList.of_all([_response(model) for model in models])


def _response(model: ModelOptions) -> LanguageModel:
    return LanguageModel(
        name=model.name,
        is_default=model.name == DEFAULT,
        model=model.model,
        is_local=model.is_on_this_machine,
        endpoint=model.host,
        context_tokens=model.context_tokens,
        takes_pictures=model.vision,
        input_price=model.input_price or None,
        output_price=model.output_price or None,
    )

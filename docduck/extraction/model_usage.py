"""The usage of a language model."""

from __future__ import annotations

from dataclasses import dataclass, field

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Requests, tokens read and written, and their cost in the currency of the configured prices.

    Tokens are the endpoint's own count, or an estimate if it reports none. ``seconds`` were waited for it.
    """

    model: str
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = field(default=0.0, compare=False)

    def __str__(self) -> str:
        """Return the usage in a sentence's words; without a price there is no cost."""
        requests = f"{self.requests:,} request{'' if self.requests == 1 else 's'}"
        tokens = f"{self.input_tokens:,} tokens read and {self.output_tokens:,} written"
        cost = f", cost {self.cost:.4f}" if self.cost else ""
        return f"{self.model}: {requests}, {tokens}{cost}"

    def added(self, other: ModelUsage | None) -> ModelUsage:
        """Return the sum of two usages of one model."""
        if other is None:
            return self
        return ModelUsage(
            self.model,
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
            self.seconds + other.seconds,
        )

    def plus(self, input_tokens: int, output_tokens: int, prices: tuple[float, float]) -> ModelUsage:
        """Return the sum with one more request; ``prices`` are for a million tokens read, and written."""
        cost = (input_tokens * prices[0] + output_tokens * prices[1]) / _MILLION
        return self.added(ModelUsage(self.model, 1, input_tokens, output_tokens, cost))

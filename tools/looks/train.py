"""Train the page network on made-up looks: ``python -m tools.looks.train``.

JAX and optax are needed (``tools/requirements.txt``). The weights are written in half precision, and the
figures on looks that were not trained on beside them.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from docduck.extraction.reading import network
from docduck.extraction.reading.features import BUCKETS, NUMBERS
from docduck.extraction.reading.page_reading import KINDS, ROLES
from tools.looks.dataset import TEST_EVERY, Batch, Example, batches, examples

_READING = Path(network.__file__).parent
_BATCH = 2048
"""Segments of a batch."""
_RATE, _WARM, _DECAY, _SMOOTHING = 1.5e-3, 300, 0.02, 0.02
_FORGOTTEN = 0.5
"""Share of pages on which segments lose their words, so that their places are learned, too."""


def first_weights(seed: int) -> dict[str, Any]:
    """Return random weights."""
    rng = np.random.default_rng(seed)
    width, inner = network.WIDTH, network.INNER

    def matrix(rows: int, columns: int, gain: float = 1.0) -> Any:
        return jnp.asarray(rng.normal(0, gain / math.sqrt(rows), (rows, columns)), jnp.float32)

    weights = {
        "words": jnp.asarray(rng.normal(0, 0.1, (BUCKETS, network.EMBEDDING)), jnp.float32),
        "words_in": matrix(network.EMBEDDING, width),
        "numbers_in": matrix(NUMBERS, width),
        "in": jnp.zeros(width),
        "norm": jnp.ones(width),
        "kinds": matrix(width, len(KINDS), 0.3),
        "kinds_bias": jnp.zeros(len(KINDS)),
        "roles": matrix(width, len(ROLES), 0.3),
        "roles_bias": jnp.zeros(len(ROLES)),
    }
    for layer in range(network.LAYERS):
        name = f"layer{layer}."
        weights |= {f"{name}{part}": matrix(width, width) for part in ("query", "key", "value")}
        weights |= {
            f"{name}out": matrix(width, width, 0.3),
            f"{name}pairs": matrix(network.PAIRS, network.HEADS),
            f"{name}norm1": jnp.ones(width),
            f"{name}norm2": jnp.ones(width),
            f"{name}up": matrix(width, inner),
            f"{name}up_bias": jnp.zeros(inner),
            f"{name}down": matrix(inner, width, 0.3),
        }
    for name in ("captions.", "heads."):
        weights |= {
            f"{name}query": matrix(width, 32),
            f"{name}key": matrix(width, 32),
            f"{name}pairs": matrix(network.PAIRS, 16),
            f"{name}pairs_bias": jnp.zeros(16),
            f"{name}pairs_out": jnp.asarray(rng.normal(0, 0.25, 16), jnp.float32),
            f"{name}none": matrix(width, 1, 0.3),
        }
    return weights


def _scores(weights: Any, batch: Batch) -> Any:
    return jax.vmap(lambda h, n, p, m: network.run(jnp, weights, h, n, p, m))(*batch.segments, batch.mask)


def _loss(weights: Any, batch: Batch) -> Any:
    total = 0.0
    for scores, truth, share in zip(_scores(weights, batch), batch.truths, (1.0, 0.5, 1.0, 0.5), strict=True):
        known = truth >= 0
        logs = jax.nn.log_softmax(scores, axis=-1)
        right = jnp.take_along_axis(logs, jnp.maximum(truth, 0)[..., None], axis=-1)[..., 0]
        if scores.shape[-1] in (len(KINDS), len(ROLES)):
            right = (1 - _SMOOTHING) * right + _SMOOTHING * logs.mean(axis=-1)
        total = total - share * (right * known).sum() / known.sum()
    return total


def _choices(weights: Any, batch: Batch) -> Any:
    return [scores.argmax(axis=-1) for scores in _scores(weights, batch)]


_choose: Any = jax.jit(_choices)


def measure(weights: Any, examples: Sequence[Example]) -> dict[str, float]:
    """Return the shares that are read right: kinds, roles of parties, labels of values, heads of cells."""
    right: dict[str, list[int]] = {
        "kinds": [0, 0],
        "roles": [0, 0],
        "captions": [0, 0],
        "heads": [0, 0],
        "no caption": [0, 0],
    }
    for batch in batches(examples, _BATCH, random.Random(0)):
        none = batch.mask.shape[1]
        for name, chosen, truth in zip(
            ("kinds", "roles", "captions", "heads"), _choose(weights, batch), batch.truths, strict=True
        ):
            counted = (
                truth >= 0
                if name == "kinds"
                else truth > 0
                if name == "roles"
                else (truth >= 0) & (truth < none)
            )
            parts = [(name, counted)] + ([("no caption", truth == none)] if name == "captions" else [])
            for part, which in parts:
                right[part][0] += int(((np.asarray(chosen) == truth) & which).sum())
                right[part][1] += int(which.sum())
    return {name: round(hits / max(count, 1), 4) for name, (hits, count) in right.items()}


def train(looks: int, pages: int, epochs: int) -> dict[str, Any]:
    """Return weights trained ``epochs`` times on ``pages`` pages of each look that is not for the test."""
    seeds = [s for s in range(looks) if s % TEST_EVERY]
    some = examples(seeds, pages)
    held_out = examples(range(0, looks, TEST_EVERY), 1)[:400]
    print(f"{len(some)} pages of {len(seeds)} looks, {len(held_out)} pages of others", flush=True)
    rng = random.Random(1)
    weights = first_weights(1)
    rate = optax.inject_hyperparams(optax.adamw)(learning_rate=_RATE, b2=0.98, weight_decay=_DECAY)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), rate)
    state = optimizer.init(weights)
    average = weights

    def update(weights: Any, average: Any, state: Any, batch: Batch) -> Any:
        loss, slope = jax.value_and_grad(_loss)(weights, batch)
        change, state = optimizer.update(slope, state, weights)
        weights = optax.apply_updates(weights, change)
        average = jax.tree.map(lambda a, w: 0.995 * a + 0.005 * w, average, weights)
        return weights, average, state, loss

    step: Any = jax.jit(update)
    steps = epochs * sum(1 for _ in batches(some, _BATCH, random.Random(0)))
    reported = time.monotonic()
    losses: list[float] = []
    for _ in range(epochs):
        for batch in batches(some, _BATCH, rng, _FORGOTTEN):
            count, done = len(losses), len(losses) / steps
            state[1].hyperparams["learning_rate"] = jnp.asarray(
                _RATE * min(1.0, (count + 1) / _WARM) * max(1.0 - done, 0.01)
            )
            weights, average, state, loss = step(weights, average, state, batch)
            losses.append(float(loss))
            if time.monotonic() - reported > 60:
                reported = time.monotonic()
                recent = losses[-100:]
                loss = sum(recent) / len(recent)
                figures = measure(average, held_out[:150])
                print(f"{done:.0%} {count} of {steps} steps, loss {loss:.3f}, {figures}", flush=True)
    print(json.dumps(measure(average, held_out)))
    return dict(average)


def main() -> None:
    """Train and write the weights and their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=_READING / "weights.npz")
    parser.add_argument("--looks", type=int, default=6000)
    parser.add_argument("--pages", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=6)
    arguments = parser.parse_args()
    weights = train(arguments.looks, arguments.pages, arguments.epochs)
    stored: dict[str, Any] = {name: np.asarray(value, np.float16) for name, value in weights.items()}
    np.savez_compressed(arguments.out, **stored)
    figures = measure(
        {name: jnp.asarray(value, jnp.float32) for name, value in stored.items()},
        examples(range(0, arguments.looks, TEST_EVERY), 1),
    )
    arguments.out.with_suffix(".json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(figures)


jax.tree_util.register_dataclass(Batch, ["segments", "mask", "truths"], [])
if __name__ == "__main__":
    main()

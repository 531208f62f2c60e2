"""The page network: a small transformer over the segments of a page.

Written once for numpy, which reads, and for JAX, which trains: ``xp`` is the module to compute with. The
attention's bias comes from the geometry of each pair of segments (as in LayoutLMv2, Xu et al. 2021, with
features in place of learned distances). Arrays are of one page: ``n`` segments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Weights = Mapping[str, Any]
LAYERS, WIDTH, HEADS, EMBEDDING, INNER = 4, 128, 8, 64, 256
PAIRS = 30
"""Number of features of a pair of segments."""


def run(
    xp: Any, weights: Weights, hashes: Any, numbers: Any, places: Any, mask: Any
) -> tuple[Any, Any, Any, Any]:
    """Return the scores of kinds (n, kinds), roles (n, roles), captions and heads (n, n + 1; last: none).

    ``mask`` is 1 for each real segment, 0 for padding. Scores are logarithms of odds before the softmax.
    """
    pairs = pair_features(xp, places)
    words = xp.take(weights["words"], hashes, axis=0) * (hashes > 0)[..., None]
    x = words.sum(axis=1) @ weights["words_in"] + numbers @ weights["numbers_in"] + weights["in"]
    closed = (mask - 1.0) * 1e9
    for layer in range(LAYERS):
        x = x + _attention(
            xp, weights, f"layer{layer}.", _normal(xp, x, weights[f"layer{layer}.norm1"]), pairs, closed
        )
        inner = (
            _normal(xp, x, weights[f"layer{layer}.norm2"]) @ weights[f"layer{layer}.up"]
            + weights[f"layer{layer}.up_bias"]
        )
        x = x + _gelu(xp, inner) @ weights[f"layer{layer}.down"]
    x = _normal(xp, x, weights["norm"])
    kinds = x @ weights["kinds"] + weights["kinds_bias"]
    roles = x @ weights["roles"] + weights["roles_bias"]
    captions, heads = (_pointer(xp, weights, name, x, pairs, closed) for name in ("captions.", "heads."))
    return kinds, roles, captions, heads


def pair_features(xp: Any, places: Any) -> Any:
    """Return the features (PAIRS, n * n) of each pair: the first segment looks at the second."""
    left, top, right, bottom, row, order, index, above, below, *around = (
        (places[:, None, i], places[None, :, i]) for i in range(places.shape[1])
    )
    ones = xp.ones((places.shape[0], places.shape[0]), places.dtype)
    lefts, rights = left[0] - left[1], right[0] - right[1]
    after, before = left[0] - right[1], left[1] - right[0]
    under, over = top[0] - bottom[1], top[1] - bottom[0]
    middle = (top[0] + bottom[0] - top[1] - bottom[1]) / 2
    centre = (left[0] + right[0] - left[1] - right[1]) / 2
    width = xp.minimum(right[0] - left[0], right[1] - left[1])
    shared = xp.clip(xp.minimum(right[0], right[1]) - xp.maximum(left[0], left[1]), 0.0, None) / (
        width + 1e-3
    )
    level = row[0] == row[1]
    steps = order[0] - order[1]
    same = index[0] == index[1]
    sides = [xp.abs(mine - other) < 0.05 for mine, other in around]
    columns = sides[0] & sides[1]
    features = [
        ones, level, level & (steps == 1), level & (steps == -1), level & (steps == 2),
        level * (after > -0.5), level * xp.exp(-xp.abs(after) / 4),
        (index[1] == above[0]) & ~same, (index[1] == below[0]) & ~same,
        (index[0] == above[1]) & ~same, (index[0] == below[1]) & ~same,
        same, columns & sides[2] & sides[3], columns,
        shared, shared * xp.exp(-xp.abs(under)), shared * xp.exp(-xp.abs(over)), shared * (under > -0.3),
        shared * (over > -0.3),
        xp.exp(-2 * xp.abs(lefts)), xp.exp(-2 * xp.abs(rights)), xp.exp(-2 * xp.abs(centre)),
        xp.exp(-xp.abs(middle)),
        xp.tanh(middle / 2), xp.tanh(middle / 10), xp.tanh(lefts / 4), xp.tanh(lefts / 20),
        xp.clip(before, 0.0, 20.0) / 20 * level,
        xp.log((bottom[0] - top[0] + 0.1) / (bottom[1] - top[1] + 0.1)), xp.exp(-xp.abs(middle) / 6),
    ]  # fmt: skip
    return xp.stack([feature.astype(places.dtype) for feature in features]).reshape(PAIRS, -1)


def _attention(xp: Any, weights: Weights, name: str, x: Any, pairs: Any, closed: Any) -> Any:
    count = x.shape[0]
    query, key, value = (
        (x @ weights[f"{name}{part}"]).reshape(count, HEADS, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / (WIDTH / HEADS) ** 0.5
    scores = scores + (weights[f"{name}pairs"].T @ pairs).reshape(HEADS, count, count) + closed
    mixed = _softmax(xp, scores) @ value
    return mixed.transpose(1, 0, 2).reshape(count, WIDTH) @ weights[f"{name}out"]


def _pointer(xp: Any, weights: Weights, name: str, x: Any, pairs: Any, closed: Any) -> Any:
    query, key = x @ weights[f"{name}query"], x @ weights[f"{name}key"]
    inner = xp.maximum(weights[f"{name}pairs"].T @ pairs + weights[f"{name}pairs_bias"][:, None], 0.0)
    geometry = (weights[f"{name}pairs_out"] @ inner).reshape(x.shape[0], x.shape[0])
    scores = query @ key.T / query.shape[-1] ** 0.5 + geometry + closed
    return xp.concatenate([scores, x @ weights[f"{name}none"]], axis=1)


def _normal(xp: Any, x: Any, scale: Any) -> Any:
    return x / xp.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6) * scale


def _gelu(xp: Any, x: Any) -> Any:
    return 0.5 * x * (1.0 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def _softmax(xp: Any, scores: Any) -> Any:
    odds = xp.exp(scores - scores.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)

from tests.decimals import MOST, counts, decimals


def test_decimals_are_counted_but_not_units() -> None:
    assert list(decimals("a = 0.5 if b > 1.0 else 3\nC = (-0.25, 'x 0.1')")) == [0.5, 0.25]


def test_the_limit_is_what_there_is() -> None:
    assert counts().total() == MOST, "set MOST in tests/decimals.py to the lower count, or fit the new number"

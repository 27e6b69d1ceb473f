"""The records of a table and of what was done at it."""

from __future__ import annotations

from buck_env.game.options import PHASES
from buck_env.game.table import LOG, LONGEST_HAND, TABLE, make_tables


def test_a_table_is_124_bytes_and_a_log_144() -> None:
    """Snapshots of matches hold both as bytes."""
    assert TABLE.itemsize == 124
    assert LOG.itemsize == 144
    assert LOG["actions"].shape == (LONGEST_HAND,)


def test_the_phases_are_named_in_the_order_of_a_hand() -> None:
    """RULES §3.2."""
    assert PHASES == ("exchange", "order", "call", "bid", "discard", "name", "stay", "play")


def test_copying_a_table_is_assigning_it() -> None:
    tables = make_tables(2)
    assert not any(tables.tobytes())
    tables["scores"][0] = [1, 2, 3, -4]
    tables[1] = tables[0]
    tables["scores"][0] = 0
    assert tables["scores"][1].tolist() == [1, 2, 3, -4]

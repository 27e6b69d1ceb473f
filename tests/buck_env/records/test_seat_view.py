"""A seat's view of a record: what it hides, and the table that it stands for."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import oracle
import pytest
from conformance import examples
from houses import HOUSES

from buck_env import RecordError, Rules, load_rules
from buck_env.game.hidden import hide
from buck_env.records import replay, table_from_view, view_of


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_a_view_read_back_is_the_table_as_its_seat_sees_it(rules: Rules) -> None:
    rng = random.Random(rules.name)
    ambiguous = compared = 0
    for _ in range(15):
        record: Any = oracle.play_random(rules, rng, renege=0.3)
        for number, table in enumerate(replay(record)):
            for seat in range(rules.seats):
                view = view_of(record, seat, number)
                assert "result" not in view
                text = json.dumps(view)
                try:
                    read_rules, read_table, read_seat = table_from_view(json.loads(text))
                except RecordError as error:
                    if rules.illegal_play != "renege" or "renege" not in str(error):
                        raise
                    ambiguous += 1
                    continue
                compared += 1
                assert (read_rules, read_seat) == (load_rules(rules), seat)
                assert read_table.tobytes() == hide(table, np.array([seat]), rules).tobytes(), (number, seat, text)
    assert compared > ambiguous


def test_a_view_hides_what_the_seat_may_not_know() -> None:
    """RULES §13.1, §13.2, §13.3, §13.4, §13.5, §14.6."""
    record: Any = next(r for r in examples() if r["rules"] == "stick-the-dealer")
    dealer = record["dealer"]
    other = (dealer + 1) % 4
    mine, theirs = view_of(record, dealer), view_of(record, other)
    assert mine["rest"] == record["rest"]
    assert theirs["rest"] == [None] * 4
    assert [hand is not None for hand in theirs["hands"]] == [seat == other for seat in range(4)]
    assert {step["action"] for step in theirs["steps"] if step["phase"] == "discard"} == {"discard:?"}
    assert all(("legal" in step) == (step["seat"] == other) for step in theirs["steps"])
    assert all(step["action"] != "discard:?" for step in mine["steps"])


def test_a_view_that_contradicts_itself_is_refused() -> None:
    record: Any = examples()[0]
    view: Any = view_of(record, 0)
    for edit in (
        lambda v: v["hands"].__setitem__(1, ["9C"] * 5),
        lambda v: v["hands"].__setitem__(0, None),
        lambda v: v["steps"][0].update(seat=(v["steps"][0]["seat"] + 1) % 4),
        lambda v: v["steps"][-1].update(action="play:" + v["hands"][0][0]),
        lambda v: v.update(dealer=7),
    ):
        changed = copy.deepcopy(view)
        edit(changed)
        with pytest.raises(RecordError):
            table_from_view(changed)

"""A view made from the table that a seat sees."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import oracle
import pytest
from conformance import examples
from houses import HOUSES, random_house

from buck_env import RecordError, Rules, load_rules
from buck_env.game.hidden import hide
from buck_env.records import replay, table_from_view, view_from_table, view_of


@pytest.mark.parametrize("rules", [*HOUSES, *(random_house("cutthroat", random.Random(s)) for s in range(3))],
                         ids=lambda rules: rules.name)  # fmt: skip
def test_a_view_is_made_from_the_table_alone_and_read_back(rules: Rules) -> None:
    rng = random.Random(rules.name)
    for _ in range(4):
        record: Any = oracle.play_random(rules, rng, renege=0.3)
        for number, table in enumerate(replay(record)):
            if number == len(record["steps"]):
                break
            for seat in range(rules.seats):
                seen = hide(table, np.array([seat]), rules)
                remembered, expected = view_from_table(seen, seat, rules), view_of(record, seat, number)
                for view in (remembered, expected):
                    view["hands"] = [hand and sorted(hand) for hand in view["hands"]]
                assert remembered == expected
                reneged = [other for other in range(rules.seats) if table["reneged"][0] >> other & 1]
                assert table_from_view(remembered, reneged=reneged)[1].tobytes() == seen.tobytes()


def test_a_table_that_no_hand_leads_to_is_refused() -> None:
    record: Any = examples()[0]
    *_, table = replay(record)
    with pytest.raises(RecordError, match="no hand leads to what seat 0 sees"):
        view_from_table(hide(table, np.array([0]), load_rules(record["rules"])), 0, load_rules("bucked"))

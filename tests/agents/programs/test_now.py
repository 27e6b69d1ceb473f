"""The table in plain facts, against the hand record of the same moment."""

from __future__ import annotations

import pytest
from moments import HOUSES, moments

from agents import load_agent
from agents.programs.now import now_of
from buck_env import load_rules
from buck_env.game.cards import card_id, mask_of
from buck_env.game.options import Phase
from buck_env.observation.views import Views
from buck_env.records import view_from_table


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
def test_it_says_what_the_hand_so_far_comes_to(house: dict[str, object]) -> None:
    rules = load_rules(house)
    followed = 0
    for tables, logs, _ in moments(rules, load_agent("random", rules), n=4):
        views = Views.of(rules, tables, logs)
        for row in range(len(views)):
            seat, now = int(views.seats[row]), now_of(views, row)
            assert mask_of(card_id(card) for card in now["hand"]) == tables["hand"][row, seat]
            steps = view_from_table(views.tables[row : row + 1], seat, rules)["steps"]
            reneged = {other for other in range(rules.seats) if tables["reneged"][row] >> other & 1}
            out = reneged | {step["seat"] for step in steps if step["action"] == "drop"}
            assert now["playing"] == [other for other in range(rules.seats) if other not in out]
            made = [step for step in steps if step["action"] == "order" or step["action"].startswith("name:")]
            assert (now["maker"] is None) == (now["contract"] is None)
            if made and rules.base != "stick-the-dealer":  # where an order makes trump, and nobody a maker
                assert now["maker"] == made[-1]["seat"]
            if made and made[-1]["action"] != "order":
                assert now["trump"] == made[-1]["action"].removeprefix("name:")
            plays = [{"seat": step["seat"], "card": step["action"][-2:]} for step in steps if step["phase"] == "play"]
            assert now["trick"] == plays[len(plays) - len(now["trick"]) :]
            if not reneged:
                assert sum(now["tricks"]) * len(now["playing"]) + len(now["trick"]) == len(plays)
            playing = views.tables["phase"][row] == Phase.PLAY
            assert now["leader"] == ([*(card["seat"] for card in now["trick"]), seat][0] if playing else None)
            followed += len(now["trick"]) > 0
    assert followed > 5

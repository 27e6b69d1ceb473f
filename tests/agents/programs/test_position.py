"""One decision as a JSON object."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bots import untrained
from moments import HOUSES, moments
from programs import OHIO, First

from agents import choose, load_agent
from agents.programs.position import parse_position, position_of, views_of
from buck_env import RecordError, action_text, load_rules
from buck_env.observation.views import Views
from buck_env.records import deal_record, phase_text, view_of


@pytest.mark.parametrize("house", [*HOUSES[:7], HOUSES[8]], ids=lambda house: load_rules(house).name)
def test_one_position_is_decided_as_in_a_batch(house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent("random", rules)
    for tables, logs, _ in moments(rules, agent, n=4)[::3]:
        views = Views.of(rules, tables, logs)
        for row, action in enumerate(agent.act(views)):
            text = choose(
                agent,
                view_of(deal_record(logs[row], rules), int(views.seats[row])),
                hands_played=int(tables["hands_played"][row]),
                reneged=[seat for seat in range(4) if tables["reneged"][row] >> seat & 1],
                uniform=float(views.uniforms[row]),
            )
            assert text == action_text(int(action), phase_text(tables[row : row + 1]))


def test_a_position_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=1)[0]
    seat = int(tables["seat"][0])
    record = deal_record(logs[0], OHIO)
    view = view_of(record, seat)
    bot = load_agent(f"ppo:{untrained(tmp_path / 'bot', load_rules('bucked'))}", "bucked")
    with pytest.raises(RecordError, match="is of the rules ohio, where bucked is played"):
        choose(bot, view)
    with pytest.raises(RecordError, match=f"seat {(seat + 1) % 4}, whose view it is, is not to act"):
        choose(First(), view_of(record, (seat + 1) % 4))
    with pytest.raises(RecordError, match=r"uniform: .*less than 1"):
        choose(First(), view, uniform=1.0)
    with pytest.raises(RecordError, match=r"reneged: \[1\] are not the seats"):
        choose(First(), view, reneged=[1])
    with pytest.raises(RecordError, match="rules"):
        choose(First(), {**view, "rules": "configs/rules/bucked-15.yaml"})
    position = parse_position(json.loads(json.dumps(position_of(Views.of(OHIO, tables, logs), 0))))
    assert views_of(position, OHIO).tables.tobytes() == Views.of(OHIO, tables, logs).tables.tobytes()

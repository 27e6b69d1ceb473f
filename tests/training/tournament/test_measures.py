"""The measures of an event, each declared once."""

from __future__ import annotations

import pytest
from events import run

from training.tournament.measures import FURTHER, MEASURES, RANKING, measured


def test_keys_and_headings_are_of_one_measure_each_and_tables_show_some_of_them() -> None:
    assert len({measure.key for measure in MEASURES}) == len({measure.heading for measure in MEASURES}) == len(MEASURES)
    assert {measure.key for measure in (*RANKING, *FURTHER)} <= {measure.key for measure in MEASURES}
    assert RANKING[0].key == "edge"


def test_every_measure_is_taken_of_an_agent_and_only_some_of_a_pair() -> None:
    results = run(matches=2, mixed=1)
    among = measured(results.hands, results.matches, 0, [1, 2])
    assert list(among) == [measure.key for measure in MEASURES]
    assert all(estimate is not None for estimate in among.values())
    pair = measured(results.hands, results.matches, 0, [1], pair=True)
    assert set(among) - set(pair) == {"mixed"}
    edge = among["edge"]
    assert edge is not None
    assert edge.mean == pytest.approx((results.pair("edge", 0, 1).mean + results.pair("edge", 0, 2).mean) / 2)


def test_what_an_event_has_nothing_of_is_none() -> None:
    results = run(matches=0, mixed=0)
    found = measured(results.hands, results.matches, 0, [1, 2])
    assert [key for key, estimate in found.items() if estimate is None] == ["mixed", "win_share"]


def test_a_share_has_no_sign_and_other_measures_have() -> None:
    results = run(matches=2)
    found = measured(results.hands, results.matches, 0, [1, 2])
    for measure in MEASURES:
        estimate = found[measure.key]
        if estimate is not None:
            assert (measure.text(estimate)[0] in "+-") != measure.of_matches, measure.key

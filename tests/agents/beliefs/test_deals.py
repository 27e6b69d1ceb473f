from __future__ import annotations

import numpy as np
import pytest
from beliefs.likely import chances_of
from beliefs.positions import Position, holm, p_value, positions
from moments import HOUSES, moments, resample

from agents import Agent, load_agent
from agents.beliefs.deals import draw_deals
from buck_env import PROFILES, BuckError, load_rules
from buck_env.game.hidden import hide
from buck_env.observation.views import Views

KINDS = {
    "ohio": {"void", "dropped hand", "discard", "early"},
    "stick-the-dealer": {"void", "discard", "early"},
    "dirty-clubs": {"void", "dropped hand", "early"},
    "bucked": {"void", "dropped hand", "early"},
    "bucked-3": {"void", "dropped hand", "early"},
    "cutthroat": {"void", "dropped hand", "widow", "early"},
}


def views_of(house: dict[str, object], n: int = 3) -> tuple[Views, np.ndarray]:
    rules = load_rules(house)
    parts = moments(rules, load_agent("rules-v1", rules), n=n, seed=2)
    return Views.join([Views.of(rules, *part[:2]) for part in parts]), np.concatenate([part[0] for part in parts])


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_every_deal_drawn_looks_to_the_seat_like_the_table_it_sees(house: dict[str, object]) -> None:
    views, _ = views_of(house)
    deals = draw_deals(views, 3)
    for k in range(3):
        assert hide(deals.tables[:, k], views.seats, views.rules).tobytes() == views.tables.tobytes()
    whole = deals.tables
    assert (whole["rest"] >= -1).all()
    assert (whole["discards"] >= -1).all()
    assert (deals.weights == 1 / 3).all()
    assert (deals.effective == 3).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_deals_are_drawn_evenly_over_all_that_fit(profile: str) -> None:
    rules = load_rules(profile)
    found = positions(rules)
    assert len(found) >= 50
    assert KINDS[profile] <= set().union(*(position.kinds for position in found))
    p_values = []
    for position in found:
        drawn = draw_deals(position.view, 600).tables[0]
        even = np.full(len(position.fits), 1 / len(position.fits))
        p_values.append(p_value(position, drawn, even))
    assert holm(p_values) > 0.05 / len(PROFILES)


@pytest.mark.parametrize("house", HOUSES[6:8], ids=str)
def test_what_a_renege_shows_is_kept_to(house: dict[str, object]) -> None:
    found = [
        position for position in positions(load_rules(house), 80, 300, 0.6) if position.view.tables["reneged"].any()
    ]
    p_values = []
    for position in found:
        drawn = draw_deals(position.view, 600).tables[0]
        p_values.append(p_value(position, drawn, np.full(len(position.fits), 1 / len(position.fits))))
    assert len(p_values) >= 5
    assert holm(p_values) > 0.01


def test_deals_do_not_depend_on_the_batch_and_differ_by_stream() -> None:
    views, _ = views_of({"base": "ohio"})
    whole = draw_deals(views, 2).tables
    alone = [draw_deals(views.take(np.array([i])), 2).tables[0] for i in range(len(views))]
    assert whole.tobytes() == b"".join(each.tobytes() for each in alone)
    assert whole.tobytes() != draw_deals(views, 2, stream=1).tables.tobytes()


@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_hidden_changes_no_deal(profile: str) -> None:
    views, tables = views_of({"base": profile})
    generator = np.random.default_rng(1)
    others = np.concatenate(
        [resample(tables[[i]][0], views.tables[i], generator).reshape(1) for i in range(len(tables))]
    )
    swapped = Views(views.rules, hide(others, views.seats, views.rules), views.seats, views.uniforms)
    assert (others["hand"] != tables["hand"]).any()
    assert draw_deals(swapped, 3).tables.tobytes() == draw_deals(views, 3).tables.tobytes()


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_with_a_model_too_deals_fit_the_view_and_depend_on_it_alone(house: dict[str, object]) -> None:
    views, tables = views_of(house, 1)
    some = np.arange(0, len(views), max(1, len(views) // 12))
    views, tables = views.take(some), tables[some]
    model = load_agent("rules-v1", views.rules)
    deals = draw_deals(views, 3, model=model)
    for k in range(3):
        assert hide(deals.tables[:, k], views.seats, views.rules).tobytes() == views.tables.tobytes()
    assert (deals.tables["rest"] >= -1).all()
    assert (deals.tables["discards"] >= -1).all()
    assert np.allclose(deals.weights.sum(axis=1), 1)
    alone = draw_deals(views.take(np.array([5])), 3, model=model)
    assert alone.tables.tobytes() == deals.tables[5].tobytes()
    assert alone.effective == deals.effective[5]


@pytest.mark.parametrize(("number", "stream"), [(0, 0), (1.5, 0), (True, 0), (3, -1)])
def test_impossible_numbers_are_refused(number: int, stream: int) -> None:
    views, _ = views_of({"base": "ohio"}, 1)
    with pytest.raises(BuckError, match=r"is not a whole number of"):
        draw_deals(views, number, stream=stream)


@pytest.mark.parametrize("profile", PROFILES)
def test_with_a_model_deals_are_as_likely_as_the_model_makes_them(profile: str) -> None:
    rules = load_rules(profile)
    model = load_agent("rules-v1", rules)
    p_values, kinds = [], set()
    for position in positions(rules):
        drawn, effective = drawn_by(model, position)
        if effective >= 30:
            p_values.append(p_value(position, drawn, chances_of(position.view, position.fits, model)))
            kinds |= position.kinds
    assert len(p_values) >= 50
    assert KINDS[profile] <= kinds
    assert holm(p_values) > 0.05 / len(PROFILES)


def drawn_by(model: Agent, position: Position) -> tuple[np.ndarray, float]:
    """Some hundred deals, (N,) TABLE, of many samples where not all was rated, and what those of one are worth."""
    deals = draw_deals(position.view, 400, model=model)
    if deals.effective[0] == 400:
        return deals.tables[0], 400.0
    view = position.view.take(np.zeros(60, np.int64))
    again = Views(view.rules, view.tables, view.seats, np.random.default_rng(4).random(60))
    return draw_deals(again, 5, model=model).tables.reshape(300), float(deals.effective[0])

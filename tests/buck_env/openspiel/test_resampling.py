"""Hands drawn again look the same to the seat, and differ in nothing that it knows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="NOT CHECKED: OpenSpiel is not installed; install the extra openspiel")

from spiel.hands import states_of  # noqa: E402

import buck_env.openspiel  # noqa: E402, F401  # which registers the game
from buck_env import PROFILES  # noqa: E402

HOUSES = {
    "every exchange": "base: cutthroat\nexchange: every\nforced_stay: null\n",
    "late discard": "base: ohio\ndiscard: after_stay\ndiscard_upcard: false\n",
    "first dealer": "base: bucked\nfirst_dealer: 2\n",
}


def test_a_hand_drawn_again_looks_the_same_to_its_seat_in_every_house(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    files = {name: tmp_path / f"{name.replace(' ', '-')}.yaml" for name in HOUSES}
    for name, file in files.items():
        file.write_text(HOUSES[name])
    different = hands = 0
    for rules in (*PROFILES, *files.values()):
        game = pyspiel.load_game("buck_euchre", {"rules": str(rules)})
        for _ in range(8):
            for state in states_of(game, rng):
                if state.is_chance_node() or rng.random() < 0.7:
                    continue
                for player in range(game.num_players()):
                    other = state.resample_from_infostate(player, rng.random)
                    assert other.information_state_string(player) == state.information_state_string(player)
                    assert other.information_state_tensor(player) == state.information_state_tensor(player)
                    assert other.current_player() == state.current_player()
                    if player == state.current_player():
                        assert other.legal_actions() == state.legal_actions()
                    hands += 1
                    different += str(other) != str(state)
    assert different > hands / 2


def test_each_deal_of_a_cut_game_that_fits_is_drawn() -> None:
    game = pyspiel.load_game("buck_euchre(rules=stick-the-dealer,deals=40,tricks=2)")
    rng = np.random.default_rng(6)
    for state in states_of(game, rng):
        if not state.is_chance_node():
            other = state.resample_from_infostate(0, rng.random)
            assert other.information_state_string(0) == state.information_state_string(0)


def test_hidden_cards_are_drawn_evenly() -> None:
    """Seat 0 of three sees five cards; each of the others is as often in seat 1's hand as any other."""
    game = pyspiel.load_game("buck_euchre(rules=bucked-3)")
    rng = np.random.default_rng(7)
    state = next(state for state in states_of(game, rng) if not state.is_chance_node())
    counts = np.zeros(24)
    for _ in range(400):
        other = state.resample_from_infostate(0, rng.random)
        counts[other.position.pack[5:10]] += 1
    own = state.position.pack[:5] + state.position.pack[15:16]
    assert not counts[own].any()
    hidden = np.delete(counts, own)
    expected = 400 * 5 / 18
    assert ((hidden - expected) ** 2 / expected).sum() < 45  # 18 cards: about 1 in 3,000 by chance

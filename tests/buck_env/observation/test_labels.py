"""Labels: suits by other names, and back again."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from buck_env import ACTIONS, NUM_ACTIONS
from buck_env.game.actions import NAME
from buck_env.observation.labels import (
    PLAIN,
    labels_with,
    original_action,
    original_rows,
    relabel_rows,
    relabelled_action,
    relabelled_cards,
    relabelled_names,
)

ALL = [labels_with(first, second) for first, second in permutations(range(4), 2) if second != 3 - first]


def test_plain_labels_change_nothing() -> None:
    assert labels_with(0, 1) == PLAIN
    assert [relabelled_action(action, PLAIN) for action in range(NUM_ACTIONS)] == list(range(NUM_ACTIONS))


def test_the_first_suit_goes_by_clubs_the_second_by_diamonds_and_their_twins_by_spades_and_hearts() -> None:
    labels = labels_with(1, 3)  # diamonds and spades
    texts = {text: ACTIONS[relabelled_action(ACTIONS.index(text), labels)] for text in ("9D", "JH", "AS", "QC")}
    assert texts == {"9D": "9C", "JH": "JS", "AS": "AD", "QC": "QH"}
    assert relabelled_action(NAME + 1, labels) == NAME
    assert relabelled_action(NAME + 4, labels) == NAME + 4, "no-trump stays"


def test_every_action_comes_back_from_all_eight_labellings() -> None:
    assert len(set(ALL)) == 8
    for labels in ALL:
        actions = np.arange(-1, NUM_ACTIONS)
        relabelled, originals = np.empty_like(actions), np.empty_like(actions)
        relabel_rows(actions, np.full(len(actions), labels), relabelled)
        original_rows(relabelled[1:], np.full(NUM_ACTIONS, labels), originals[1:])
        assert relabelled[0] == -1, "what is no action stays"
        assert sorted(relabelled[1:]) == list(range(NUM_ACTIONS))
        assert (originals[1:] == actions[1:]).all()
        assert all(
            original_action(relabelled_action(action, labels), labels) == action for action in range(NUM_ACTIONS)
        )


def test_a_set_is_relabelled_as_its_members_are() -> None:
    rng = np.random.default_rng(1)
    for labels in ALL:
        for chosen in rng.integers(0, 1 << 24, 20):
            members = [card for card in range(24) if chosen >> card & 1]
            assert relabelled_cards(int(chosen), labels) == sum(
                1 << relabelled_action(card, labels) for card in members
            )
        for names in range(16):
            members = [suit for suit in range(4) if names >> suit & 1]
            relabelled = sum(1 << relabelled_action(NAME + suit, labels) - NAME for suit in members)
            assert relabelled_names(names, labels) == relabelled

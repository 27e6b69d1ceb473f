"""Canonical suits: views that differ only in the names of their suits become the same view."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import oracle
import pytest
from houses import HOUSES
from sights import positions, see

from buck_env import PROFILES, Rules, action_id
from buck_env.game import engine
from buck_env.game.cards import CARDS
from buck_env.observation.labels import original_action, relabelled_action
from buck_env.records import deal_table, pack_of


def suit_maps(rules: Rules) -> list[str]:
    """Relabellings that keep colours paired; clubs are left alone where a rule names them."""
    maps = ["CDHS", "CHDS"]
    return maps if rules.forced_clubs else [*maps, "SDHC", "SHDC", "DCSH", "DSCH", "HCSD", "HSCD"]


def translate(text: str, suits: str) -> str:
    head, _, tail = text.rpartition(":")
    if tail in CARDS or tail in ("C", "D", "H", "S"):
        tail = tail[:-1] + suits["CDHS".index(tail[-1])]
    return f"{head}:{tail}" if head else tail


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_relabelling_a_whole_deal_changes_no_bit_of_a_canonical_view(rules: Rules) -> None:
    rng = random.Random(2)
    packed = rules.packed()
    for _ in range(12):
        record: Any = oracle.play_random(rules, rng)
        for suits in suit_maps(rules):
            pair = []
            for mapping in ("CDHS", suits):
                hands = [[translate(card, mapping) for card in hand] for hand in record["hands"]]
                rest = [translate(card, mapping) for card in record["rest"]]
                pair.append(deal_table(rules, pack_of(rules, hands, rest), record["dealer"], record["scores"]))
            for step in record["steps"]:
                compare_views(pair, rules)
                for table, mapping in zip(pair, ("CDHS", suits), strict=True):
                    engine.apply(table[0], packed[0], action_id(translate(step["action"], mapping)))
            compare_views(pair, rules)


def compare_views(pair: list[np.ndarray], rules: Rules) -> None:
    packed = rules.packed()[0]
    for seat in range(rules.seats):
        (ours, labels), (theirs, other_labels) = (see(table, rules, seat, canonical=True) for table in pair)
        assert (ours == theirs).all()
        if pair[0]["seat"][0] == seat:
            masks = [
                {relabelled_action(a, used) for a in range(43) if int(engine.legal(table[0], packed)) >> a & 1}
                for table, used in zip(pair, (labels, other_labels), strict=True)
            ]
            assert masks[0] == masks[1]
            assert all(original_action(relabelled_action(a, labels), labels) == a for a in range(43))


def test_trump_goes_by_clubs_and_its_twin_by_spades() -> None:
    for _, _, table in positions(PROFILES["ohio"], "trump", 10):
        trump = int(table["trump"][0])
        if 0 <= trump < 4:
            _, labels = see(table, PROFILES["ohio"], 0, canonical=True)
            assert labels >> 3 * trump & 7 == 0
            assert labels >> 3 * (3 - trump) & 7 == 3

"""Samples show every phase, agree with the words of the bundle, and are refused where engine or model contradict."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from bundles import quietly, with_sums

from agents import load_agent
from agents.bots.bot import BotError
from agents.bots.bundle_files import SAMPLES_FILE
from buck_env import PROFILES, Rules, load_rules
from buck_env.observation.layout import LAYOUT
from training.export.bundles import check_bundle
from training.measuring.reachable import reachable


@pytest.mark.parametrize("profile", PROFILES)
def test_samples_show_every_phase(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    bundle = quietly(untrained(tmp_path / "bot", rules), tmp_path / "bundle", samples=48)
    samples = [json.loads(line) for line in (bundle / SAMPLES_FILE).read_text().splitlines()]
    start, width = LAYOUT["phase"].start, 8
    phases = Counter(tuple(sample["observation"][start : start + width]) for sample in samples)
    assert len(samples) == 48
    assert len(phases) == len(rules.phases)
    assert min(phases.values()) >= 3
    assert "null" in json.dumps(samples[0]["view"])


def suits_by_the_words(rules: Rules, plain: np.ndarray, plays: list[int], viewer_plays: set[int]) -> str:
    """`Bundle.suits` done by a port: from an observation with suits as they are, and the cards played in order."""

    def cards(piece: str) -> set[int]:
        return set(np.flatnonzero(plain[LAYOUT[piece]]).tolist())

    trump = np.flatnonzero(plain[LAYOUT["trump"]])
    shown = cards("upcard")
    held_or_played = cards("hand") | viewer_plays
    if len(trump) and trump[0] < 4:
        firsts = [int(trump[0])]
    elif rules.making == "order":
        firsts = [min(shown) // 6]
    else:
        worth = []
        for suit in range(4):
            of_suit = [card % 6 for card in held_or_played if card // 6 == suit]
            bower = 6 * (3 - suit) + 2 in held_or_played
            worth.append(sum([3, 3, 10, 4, 5, 6][rank] for rank in of_suit) + 8 * bower)
        firsts = [suit for suit in range(4) if worth[suit] == max(worth)]
    discards = plain[LAYOUT["discards"]]
    best: tuple[Any, str] | None = None
    for first in firsts:
        for second in range(4):
            if second in (first, 3 - first):
                continue
            goes_by = {first: 0, 3 - first: 3, second: 1, 3 - second: 2}

            def relabelled(card: int, goes_by: dict[int, int] = goes_by) -> int:
                return 6 * goes_by[card // 6] + card % 6

            def highest_first(some: set[int], relabelled: Callable[[int], int] = relabelled) -> list[int]:
                return sorted(map(relabelled, some), reverse=True)

            key = [
                *(highest_first(some) for some in (held_or_played, cards("hand"), cards("taken"), cards("laid"))),
                [relabelled(int(card)) for place in (1, 2, 3, 4) for card in np.flatnonzero(discards == place)],
                [relabelled(card) for card in shown],
                [relabelled(card) for card in plays],
            ]
            if best is None or key > best[0]:
                best = key, "".join("CDHS"[goes_by[suit]] for suit in range(4))
    assert best is not None
    return best[1]


@pytest.mark.parametrize("profile", PROFILES)
def test_suits_are_relabelled_as_the_card_says_in_words(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    views, _ = reachable(rules, load_agent("random", rules), tables=120, seed=11)
    labels = views.canonical[2]
    for i in range(len(views)):
        table = views.tables[i]
        plays = [int(play) for play in table["plays"][: table["played"]]]
        own = {play & 31 for play in plays if play >> 5 == views.seats[i]}
        words = suits_by_the_words(rules, views.observation[i], [play & 31 for play in plays], own)
        assert words == "".join("CDHS"[labels[i] >> 3 * suit & 7] for suit in range(4))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda s: s["observation"].__setitem__(400, 1 - s["observation"][400]), "observation: the sample has"),
        (lambda s: s["action_mask"].append(0), "action_mask: the sample has"),
        (lambda s: s["probabilities"].__setitem__(0, s["probabilities"][0] + 2e-5), "probabilities: the sample has"),
        (lambda s: s["probabilities"].pop(), "probabilities: the sample has"),
        (lambda s: s.update(value=s["value"] + 1e-3), "value: the sample has"),
        (lambda s: s.update(greedy="play:9C" if s["greedy"] != "play:9C" else "pass"), "greedy: the sample has"),
        (lambda s: s.update(sampled="nothing"), "sampled: the sample has"),
        (lambda s: s.update(suits="CCCC"), "suits: the sample has"),
        (lambda s: s.update(uniform=1.0), "uniform: "),
        (lambda s: s.pop("value"), "value: Field required"),
        (lambda s: s["view"].update(dealer=9), "dealer: 9 is no seat"),
        (lambda s: s["view"]["hands"].__setitem__(0, ["AS"] * 5), "hands|dealt twice|AS"),
        (lambda s: s["view"].update(rules="bucked"), "view: is not of the rules ohio"),
        (lambda s: s["view"].update(rules="rules.yaml"), "view: is not of the rules ohio"),
        (lambda s: s["view"].update(rules=["ohio"]), "view: is not of the rules ohio"),
        (lambda s: s["view"].update(rules={"base": "ohio", "seats": 9}), "view: is not of the rules ohio"),
    ],
)
def test_samples_that_engine_or_model_contradict_are_refused_with_their_line(copy: Path, edit: Any, said: str) -> None:
    lines = (copy / SAMPLES_FILE).read_text().splitlines()
    sample = json.loads(lines[4])
    edit(sample)
    lines[4] = json.dumps(sample)
    (copy / SAMPLES_FILE).write_text("\n".join(lines))
    with pytest.raises(BotError, match=said) as caught:
        check_bundle(with_sums(copy))
    assert "samples.jsonl:5: " in str(caught.value)


def test_no_samples_and_what_is_no_json_are_refused(copy: Path) -> None:
    for data, said in ((b"\n", "holds no samples"), (b"{", "samples.jsonl:1: the line: Invalid JSON")):
        (copy / SAMPLES_FILE).write_bytes(data)
        with pytest.raises(BotError, match=said):
            check_bundle(with_sums(copy))

"""Seeds, streams of deals, and deals that somebody sets up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from buck_env import BuckError, RecordError, buck_euchre_v0


def random_action(env: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))


def test_settings_survive_every_reset() -> None:
    env = buck_euchre_v0.env(
        rules={"base": "ohio", "start": 7, "sweep_wins": False}, episode="match", max_hands=3, canonical=True
    )
    for arguments in ({"seed": 1}, {}, {"seed": 2, "options": {}}, {"options": {"scores": [1, 1, 1, 1]}}):
        env.reset(**arguments)  # type: ignore[arg-type]
        table = env.unwrapped._tables
        assert table.rules.start == 7
        assert not table.packed["sweep_wins"][0]
        assert table.settings["max_hands"][0] == 3
        assert table.settings["canonical"][0]
        assert table.tables["scores"][0].tolist() == ([1] * 4 if arguments.get("options") else [7] * 4)


def test_a_seed_starts_the_stream_over_and_none_goes_on() -> None:
    def deal(env: Any, **arguments: Any) -> Any:
        env.reset(**arguments)
        return env.unwrapped.record()["hands"]

    a, b = buck_euchre_v0.env(), buck_euchre_v0.env()
    first = [deal(a, seed=5), deal(a), deal(a)]
    assert len({str(hands) for hands in first}) == 3
    interleaved = [deal(b, seed=5)]
    deal(a, seed=99)
    interleaved += [deal(b), deal(b)]
    assert first == interleaved
    assert deal(buck_euchre_v0.env()) != deal(buck_euchre_v0.env())


def test_no_deal_repeats_within_a_match_and_two_matches_of_a_seed_are_the_same() -> None:
    """RULES §1.8."""

    def hands(seed: int) -> list[str]:
        env = buck_euchre_v0.raw_env(rules="bucked", episode="match", max_hands=60)
        env.reset(seed=seed)
        rng = np.random.default_rng(1)
        found = [str(env.record())]
        while not any(env.truncations.values()) and not any(env.terminations.values()):
            before = env.record()["hands"]
            env.step(random_action(env, rng))
            if env.record()["hands"] != before:
                found.append(str(env.record()["hands"]))
        return found

    first = hands(3)
    assert len(first) == len(set(first)) > 40
    assert hands(3) == first
    assert hands(4) != first


def test_reset_sets_up_any_deal_and_refuses_an_impossible_one_by_name() -> None:
    env = buck_euchre_v0.env(rules="ohio", episode="match")
    hands = [
        ["9C", "TC", "JC", "QC", "KC"],
        ["9D", "TD", "JD", "QD", "KD"],
        ["9H", "TH", "JH", "QH", "KH"],
        ["9S", "TS", "JS", "QS", "KS"],
    ]
    env.reset(seed=0, options={"hands": hands, "rest": ["AH", "AC", "AD", "AS"], "dealer": 2, "scores": [1, 2, 3, -4]})
    record = env.unwrapped.record()
    assert (record["hands"], record["rest"], record["dealer"], record["scores"]) == (
        hands,
        ["AH", "AC", "AD", "AS"],
        2,
        [1, 2, 3, -4],
    )
    env.reset(options={"hands": hands})
    assert sorted(env.unwrapped.record()["rest"]) == ["AC", "AD", "AH", "AS"]
    for options, said in (
        ({"hands": [hands[0]] * 4}, "9C is dealt twice"),
        ({"hands": hands[:3]}, "seats 4, not 3"),
        ({"hands": [*hands[:3], hands[3][:4]]}, "seat 3 needs 5"),
        ({"hands": hands, "rest": ["AH"]}, "rest: needs 4"),
        ({"hands": [["1C", *hands[0][1:]], *hands[1:]]}, "'1C' is not a card"),
        ({"dealer": 4}, "dealer: 4"),
        ({"dealer": None}, ""),
        ({"scores": [1, 2, 3]}, "scores"),
        ({"scores": "abcd"}, "scores"),
        ({"hands": 7}, "hands"),
        ({"trump": "H"}, "'trump' is not known"),
    ):
        if not said:
            env.reset(options=options)
            continue
        with pytest.raises(BuckError, match=said) as caught:
            env.reset(options=options)
        assert isinstance(caught.value, RecordError) or "known" in said

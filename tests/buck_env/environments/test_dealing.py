"""Seeds and streams of deals."""

from __future__ import annotations

from typing import Any

import numpy as np
from walks import random_action

from buck_env import (
    buck_euchre_v0,
)


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


def test_no_deal_repeats_at_a_table_and_streams_go_on() -> None:
    env = buck_euchre_v0.vector_env(2, rules="dirty-clubs")
    env.reset(seed=0)
    seen: list[set[str]] = [set(), set()]
    number = [0, 0]
    for _ in range(1500):
        for i in range(2):
            seen[i].add(str(env.record(i)["hands"]))
        env.step(env.sample())
        for i in range(2):
            number[i] += bool(env.terminations[i])
    assert [len(s) for s in seen] == [n + 1 for n in number]
    assert len(seen[0] & seen[1]) == 0

"""Deals that somebody sets up."""

from __future__ import annotations

import pytest

from buck_env import (
    BuckError,
    RecordError,
    buck_euchre_v0,
)


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

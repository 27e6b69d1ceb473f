"""Rules from a name, a file or a mapping; shipped house rules; errors that name file, key and what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from buck_env import PROFILES, Rules, RulesError, action_id, load_rules
from buck_env.game import engine
from buck_env.game.options import Phase
from buck_env.records import deal_table, pack_of, result_of

HOUSES = ROOT / "configs" / "rules"
CLUBS, DIAMONDS, HEARTS, SPADES = ([rank + suit for rank in ("9", "T", "J", "Q", "K")] for suit in ("C", "D", "H", "S"))
ACES = ["AH", "AC", "AD", "AS"]


def play(rules: Rules, hands: list[list[str]], rest: list[str], dealer: int, scores: list[int], script: str) -> Any:
    """The result of a scripted hand; what is forced at the end plays itself."""
    packed = rules.packed()[0]
    table = deal_table(rules, pack_of(rules, hands, rest), dealer, scores)
    actions = iter(script.split())
    while table["phase"][0] != Phase.OVER:
        legal = int(engine.legal(table[0], packed))
        text = next(actions, None)
        action = action_id(text) if text else legal.bit_length() - 1
        assert legal >> action & 1, text
        assert text or legal & (legal - 1) == 0 or table["phase"][0] == Phase.PLAY
        engine.apply(table[0], packed, action)
    return result_of(table, rules)


def test_no_trump_may_be_named_in_the_second_call() -> None:
    rules = load_rules(HOUSES / "no-trump-call.yaml")
    hands = [CLUBS, ["AD", *DIAMONDS[1:]], HEARTS, ["AS", *SPADES[1:]]]
    rest = ["9D", "AC", "AH", "9S"]
    passes = "pass pass pass pass"
    result = play(rules, hands, rest, 0, [25] * 4, f"{passes} name:NT drop drop stay AD")
    assert result["trump"] == "NT"
    assert result["maker"] == 1
    assert result["tricks"] == [0, 5, 0, 0]
    assert result["winners"] == [1], "a sweep wins in ohio"
    with pytest.raises(AssertionError, match="name:NT"):
        play(PROFILES["ohio"], hands, rest, 0, [25] * 4, f"{passes} name:NT")


def test_bucked_to_15_and_as_a_race_from_minus_25() -> None:
    script = "order drop drop drop"
    hands = [CLUBS, DIAMONDS, HEARTS, SPADES]
    to_15 = load_rules(HOUSES / "bucked-15.yaml")
    assert play(to_15, hands, ACES, 0, [5, 5, 5, 5], script)["winners"] == []
    assert play(to_15, hands, ACES, 0, [5, 10, 5, 5], script)["winners"] == [1]
    assert play(PROFILES["bucked"], hands, ACES, 0, [5, 5, 5, 5], script)["winners"] == [1]
    race = load_rules(HOUSES / "bucked-race.yaml")
    assert (race.start, race.target, race.toward) == (-25, 0, 1)
    result = play(race, hands, ACES, 0, [-25, -25, -25, -25], script)
    assert result["scores"] == [-25, -20, -25, -25]
    assert result["winners"] == []
    assert play(race, hands, ACES, 0, [-25, -5, -25, -25], script)["winners"] == [1]


def test_a_sweep_that_does_not_win_the_match_is_five_points() -> None:
    rules = load_rules(HOUSES / "plain-sweep.yaml")
    hands = [CLUBS, DIAMONDS, HEARTS, SPADES]
    script = "order 9C drop drop drop"
    for house, winners in ((rules, []), (PROFILES["ohio"], [1])):
        result = play(house, hands, ACES, 0, [25, 25, 25, 25], script)
        assert result["deltas"] == [0, -5, 0, 0]
        assert result["winners"] == winners
    assert play(rules, hands, ACES, 0, [25, 5, 25, 25], script)["winners"] == [1]


def test_every_seat_may_exchange_for_the_hand_the_last_one_laid_down() -> None:
    rules = load_rules(HOUSES / "every-exchange.yaml")
    table = deal_table(rules, pack_of(rules, [CLUBS, DIAMONDS, HEARTS], [*SPADES, *ACES]), 1, [15] * 3)
    for _ in range(3):
        engine.apply(table[0], rules.packed()[0], action_id("exchange"))
    held = [[c for c in range(24) if table["hand"][0, seat] >> c & 1] for seat in range(3)]
    assert [cards[0] // 6 for cards in held] == [3, 0, 1], (
        "the dealer's right takes spades, the dealer clubs, its left diamonds"
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"base": "ohio", "trumps": 3}, "trumps: 3.*allowed: seats"),
        ({"base": "euchre"}, "base: 'euchre'.*ohio"),
        ({"start": 3}, "says no base; add a line"),
        ({"base": "ohio", "seats": 5}, "seats: 5 .*3 or 4"),
        ({"base": "ohio", "seats": True}, "seats: true"),
        ({"base": "ohio", "start": "high"}, "start: 'high'.*from -1,000 to 1,000"),
        ({"base": "ohio", "start": 2.0}, "start: 2.0"),
        ({"base": "ohio", "sweep_wins": 1}, "sweep_wins: 1 .*true or false"),
        ({"base": "ohio", "tie": "toss"}, "tie: 'toss'.*share, eldest or play_on"),
        ({"base": "ohio", "hands": 0}, "hands: 0.*from 1 to 100,000, or null"),
        ({"base": "ohio", "target": 25}, "target: 25 is not allowed"),
        ({"base": "ohio", "first_dealer": 4}, "first_dealer: 4"),
        ({"base": "bucked-3", "first_dealer": 3}, "first_dealer: 3 is not allowed"),
        ({"base": "ohio", "turn_up": False}, "turn_up"),
        ({"base": "ohio", "exchange": "every"}, "exchange: 'every' is not allowed"),
        ({"base": "dirty-clubs", "pick_up": True}, "pick_up: true is not allowed"),
        ({"base": "dirty-clubs", "maker_needs": 3}, "maker_needs: 3 is not allowed"),
        ({"base": "ohio", "maker_needs": "bid"}, "maker_needs: 'bid' is not allowed"),
        ({"base": "dirty-clubs", "bid_min": 6}, "bid_min: 6 is not allowed"),
        ({"base": "stick-the-dealer", "may_drop": True}, "may_drop: true is not allowed"),
        ({"base": "ohio", "target_in_hands": True}, "target_in_hands"),
        ({"base": "cutthroat", "forced_clubs": True}, "forced_clubs"),
    ],
)
def test_a_bad_house_names_file_key_value_and_what_is_allowed(
    values: dict[str, Any], said: str, tmp_path: Path
) -> None:
    """RULES §15.2."""
    with pytest.raises(RulesError, match=f"(?s){said}"):
        load_rules(values)
    path = tmp_path / "my-house.yaml"
    words = {True: "true", False: "false", None: "null"}
    path.write_text("\n".join(f"{k}: {words[v] if isinstance(v, bool) else v}" for k, v in values.items()))
    with pytest.raises(RulesError, match=r"my-house\.yaml: "):
        load_rules(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("base: ohio\nbase: bucked", "line 2"),
        ("base: [", "my-house.yaml"),
        ("", "mapping"),
        ("- ohio", "mapping"),
        ("base: !!python/object/apply:os.system ['true']", "my-house.yaml"),
        ("1: 2", "mapping"),
        ("base: ohio\n\ttarget: 3", "line 2"),
        ("\x00", "my-house.yaml"),
    ],
)
def test_a_malformed_file_is_told_by_name_and_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "my-house.yaml"
    path.write_text(text)
    with pytest.raises(RulesError, match=said):
        load_rules(path)


def test_what_is_no_source_of_rules_is_told(tmp_path: Path) -> None:
    for source in ("euchre", "", 3, None, tmp_path, tmp_path / "none.yaml", b"ohio"):
        with pytest.raises(RulesError):
            load_rules(source)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["x" * 300, "\0.yaml", "euchre"])
def test_rules_of_no_name_are_named(name: str) -> None:
    with pytest.raises(RulesError):
        load_rules(name)


@pytest.mark.parametrize("path", sorted(HOUSES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_shipped_house_rule_goes_by_its_name(path: Path) -> None:
    assert load_rules(path.stem) == load_rules(path)


def test_a_file_of_ones_own_comes_before_a_shipped_house_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bucked-15").write_text("base: ohio\ntarget: 3\n")
    assert load_rules("bucked-15").name == "ohio, target 3"


def test_the_nearest_name_of_rules_is_named() -> None:
    with pytest.raises(RulesError, match="'bucked-51' is not known; is bucked-15 meant"):
        load_rules("bucked-51")


def test_what_differs_is_named_as_yaml_writes_it() -> None:
    assert load_rules({"base": "ohio", "sweep_wins": False, "hands": 4}).name == "ohio, hands 4, sweep_wins false"

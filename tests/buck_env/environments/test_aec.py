"""One table under PettingZoo: its own checks, and what clients need beyond them."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from houses import HOUSES
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from buck_env import (
    ACTIONS,
    LAYOUT,
    PROFILES,
    BuckError,
    IllegalActionError,
    RecordError,
    Rules,
    action_id,
    buck_euchre_v0,
)
from buck_env.records import parse_record, verify

# api_test knows dict observations by the names of its own games only, and finished seats have nothing legal
pettingzoo_warnings = [
    "ignore:Action mask numpy array is all zeros:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
]


def filtered(function: Any) -> Any:
    for text in pettingzoo_warnings:
        function = pytest.mark.filterwarnings(text)(function)
    return function


def random_action(env: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))


@filtered
@pytest.mark.parametrize("episode", ["hand", "match"])
@pytest.mark.parametrize("rules", PROFILES)
def test_pettingzoo_api(rules: str, episode: Any) -> None:
    api_test(buck_euchre_v0.env(rules=rules, episode=episode, max_hands=30), num_cycles=200)


@pytest.mark.parametrize("rules", PROFILES)
def test_pettingzoo_seeds(rules: str) -> None:
    seed_test(lambda: buck_euchre_v0.env(rules=rules, episode="match", max_hands=30), num_cycles=200)


def test_pettingzoo_render_state_and_performance(capsys: pytest.CaptureFixture[str]) -> None:
    modes = {"ansi": lambda shown: isinstance(shown, str), "human": lambda shown: shown is None}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        render_test(lambda render_mode=None: buck_euchre_v0.env(render_mode=render_mode), custom_tests=modes)
    legal_or_over = TerminateIllegalWrapper(
        buck_euchre_v0.env(rules="cutthroat"), illegal_reward=-1
    )  # it samples unmasked
    state_test(legal_or_over, turn_based_aec_to_parallel(buck_euchre_v0.env(rules="cutthroat")), num_cycles=40)


@pytest.mark.soak
def test_pettingzoo_performance_benchmark() -> None:
    performance_benchmark(buck_euchre_v0.env(episode="match"))


def test_state_is_full_information() -> None:
    env = buck_euchre_v0.raw_env(rules="stick-the-dealer")
    env.reset(seed=3)
    assert env.state_space.contains(env.state())
    hands = {env.state()[s * 512 : (s + 1) * 512][LAYOUT["hand"]].tobytes() for s in range(4)}
    assert len(hands) == 4
    assert sorted(env.state()[-24:])[-4:] == [1, 2, 3, 4]


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_rewards_add_up_and_all_seats_end_together(rules: Rules) -> None:
    env = buck_euchre_v0.env(rules=rules, episode="match", max_hands=12)
    rng = np.random.default_rng(0)
    for episode in range(6):
        env.reset(seed=episode)
        sums = dict.fromkeys(env.possible_agents, 0.0)
        heard = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            agent = env.agent_selection
            observation, reward, terminated, truncated, info = env.last()
            heard[agent] += reward
            assert (observation["action_mask"] == info["action_mask"]).all()
            if terminated or truncated:
                assert set(env.terminations.values()) == {terminated}
                assert set(env.truncations.values()) == {truncated}
                assert terminated != truncated
                env.step(None)
                continue
            for other in env.agents:
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                assert (seen["action_mask"].sum() > 0) == (other == agent)
            env.step(random_action(env, rng))
            for other in env.possible_agents:
                sums[other] += env.rewards[other]
        scores = env.unwrapped.record(finished=True)["result"]["scores"]
        for seat, name in enumerate(env.possible_agents):
            assert sums[name] == heard[name] == rules.toward * (scores[seat] - rules.start)


def test_win_reward_is_the_share_of_the_match_and_refused_for_hands() -> None:
    with pytest.raises(BuckError, match="reward"):
        buck_euchre_v0.env(reward="win")
    env = buck_euchre_v0.env(rules="stick-the-dealer", episode="match", reward="win", max_hands=500)
    rng = np.random.default_rng(0)
    shares = set()
    for episode in range(40):
        env.reset(seed=episode)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            assert set(env.rewards.values()) == {0.0}
            env.step(random_action(env, rng))
        winners = env.unwrapped.record(finished=True)["result"]["winners"]
        assert env.rewards == {a: (s in winners) / len(winners) for s, a in enumerate(env.possible_agents)}
        shares |= set(env.rewards.values())
    assert {0.0, 1.0} <= shares


def test_random_play_in_bucked_is_cut_short_and_its_scores_leave_int8() -> None:
    env = buck_euchre_v0.raw_env(rules="bucked", episode="match")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    while not any(env.truncations.values()) and not any(env.terminations.values()):
        env.step(random_action(env, rng))
    assert all(env.truncations.values())
    assert min(env.record(finished=True)["result"]["scores"]) < -200
    assert env.observe("seat_0")["observation"][LAYOUT["scores"]].max() == 127


def test_a_redeal_ends_the_hand_with_nothing() -> None:
    env = buck_euchre_v0.env(rules="dirty-clubs")
    env.reset(
        options={
            "hands": [
                ["9D", "TD", "JD", "QD", "KD"],
                ["9H", "TH", "JH", "QH", "KH"],
                ["9S", "TS", "JS", "QS", "KS"],
                ["9C", "TC", "JC", "QC", "KC"],
            ],
            "rest": ["AH", "AC", "AD", "AS"],
            "dealer": 1,
        }
    )
    assert env.agent_selection == "seat_2"
    for _ in range(4):
        assert not env.infos["seat_0"]["redeal"]
        env.step(action_id("pass"))
    assert set(env.rewards.values()) == {0.0}
    assert all(env.terminations.values())
    assert all(info["redeal"] for info in env.infos.values())


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = buck_euchre_v0.env(rules="ohio")
    env.reset(seed=4)
    before = pickle.dumps(env.unwrapped._tables.save())
    agent = env.agent_selection
    for wrong in (action_id("drop"), 43, -1, 2**70, 1.5, "pass", None, True, np.array([24, 24]), np.nan):
        with pytest.raises(IllegalActionError):
            env.step(wrong)
        assert pickle.dumps(env.unwrapped._tables.save()) == before
        assert env.agent_selection == agent
    with pytest.raises(IllegalActionError, match=r"seat \d may not drop .*order.*legal: order, pass"):
        env.step(action_id("drop"))
    env.step(np.int8(action_id("pass")))
    assert env.agent_selection != agent


def test_pettingzoos_own_illegal_wrapper_finds_the_mask() -> None:
    env = TerminateIllegalWrapper(buck_euchre_v0.raw_env(rules="ohio"), illegal_reward=-9)
    env.reset(seed=0)
    loser = env.agent_selection
    env.step(action_id("drop"))
    assert all(env.terminations.values())
    assert env.rewards[loser] == -9


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
        with pytest.raises(BuckError, match=said) as told:
            env.reset(options=options)
        assert isinstance(told.value, RecordError) or "known" in said


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_any_hand_can_be_written_as_a_record(rules: Rules) -> None:
    env = buck_euchre_v0.env(rules=rules)
    rng = np.random.default_rng(0)
    for episode in range(5):
        env.reset(seed=episode)
        while not any(env.terminations.values()):
            env.step(random_action(env, rng))
        import json

        assert verify([("here", parse_record(json.dumps(env.unwrapped.record())))]) == 1


def test_canonical_observation_mask_and_action_go_together() -> None:
    plain, canonical = buck_euchre_v0.env(rules="ohio"), buck_euchre_v0.env(rules="ohio", canonical=True)
    rng = np.random.default_rng(0)
    differed = 0
    for episode in range(20):
        plain.reset(seed=episode)
        canonical.reset(seed=episode)
        while not any(plain.terminations.values()):
            labels = int(canonical.unwrapped._tables.labels[0])
            mask = plain.last()[0]["action_mask"]
            action = int(rng.choice(np.flatnonzero(mask)))
            from buck_env.observation.labels import relabelled_action

            relabelled = int(relabelled_action(action, labels))
            differed += relabelled != action
            assert canonical.last()[0]["action_mask"][relabelled]
            assert canonical.last()[0]["action_mask"].sum() == mask.sum()
            plain.step(action)
            canonical.step(relabelled)
            assert plain.rewards == canonical.rewards
    assert differed > 100


def test_a_renege_costs_its_seat_at_once() -> None:
    rules = {"base": "dirty-clubs", "illegal_play": "renege"}
    env = buck_euchre_v0.env(rules=rules)
    hands = [
        ["9C", "TC", "JC", "QC", "KC"],
        ["9D", "TD", "JD", "QD", "KD"],
        ["9H", "TH", "JH", "QH", "KH"],
        ["9S", "TS", "JS", "QS", "AD"],
    ]
    env.reset(options={"hands": hands, "rest": ["AH", "AC", "KS", "AS"], "dealer": 0})
    for text in ("bid:2", "pass", "pass", "pass", "name:S", "stay", "stay", "stay", "play:9D", "play:9H"):
        env.step(action_id(text))
    assert ACTIONS[int(np.flatnonzero(env.last()[0]["action_mask"])[0])] == "AD"
    env.step(action_id("9S"))
    assert env.rewards == {"seat_0": 0.0, "seat_1": 0.0, "seat_2": 0.0, "seat_3": -5.0}
    env.step(action_id("9C"))
    assert env.agent_selection == "seat_1"


def test_it_pickles_in_the_middle_of_a_hand() -> None:
    env = buck_euchre_v0.env(rules="cutthroat", episode="match")
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(9):
        env.step(random_action(env, rng))
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(50):
        action = random_action(env, rng)
        env.step(action)
        copy.step(action)
        assert env.rewards == copy.rewards
        assert (env.unwrapped.state() == copy.unwrapped.state()).all()


def test_float_observations_are_the_same_numbers() -> None:
    a, b = buck_euchre_v0.env(), buck_euchre_v0.env(obs_dtype="float32")
    a.reset(seed=1)
    b.reset(seed=1)
    assert b.last()[0]["observation"].dtype == np.float32
    assert b.last()[0]["action_mask"].dtype == np.int8
    assert (a.last()[0]["observation"] == b.last()[0]["observation"]).all()


def test_pettingzoo_makes_it_by_name_and_passes_max_cycles() -> None:
    env = pettingzoo.make("aec", "buck_euchre/BuckEuchre-v0", max_cycles=3, episode="match")
    env.reset(seed=0)
    assert env.unwrapped._tables.settings["max_hands"][0] == 3


def test_flat_observations_for_clients_without_dicts() -> None:
    env = buck_euchre_v0.flat_env(rules="ohio")
    env.reset(seed=0)
    seen = env.last()[0]
    assert seen.shape == (555,)
    assert env.observation_space("seat_0").contains(seen)
    assert (seen[512:] == env.infos[env.agent_selection]["action_mask"]).all()


@pytest.mark.filterwarnings("ignore")  # SuperSuit's own
def test_supersuits_vector_plays_the_flat_environment() -> None:
    supersuit = pytest.importorskip(
        "supersuit", reason="NOT CHECKED: SuperSuit is not installed (it needs a C compiler)"
    )
    env = supersuit.vectorize_aec_env_v0(buck_euchre_v0.flat_env(rules="ohio"), 3)
    env.reset(seed=0)
    ended = decided = 0
    for _ in env.agent_iter(400):
        seen, _, ends, *_ = env.last()
        assert seen.shape == (3, 555)
        ended += int(np.sum(ends))
        decided += int((seen[:, 512:].sum(axis=1) > 0).sum())
        env.step(seen[:, 512:].argmax(axis=1))  # an action that is not legal would raise
    assert ended > 0
    assert decided > 200


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"rules": "euchre"}, "not known"),
        ({"episode": "game"}, "hand, match"),
        ({"reward": "money"}, "points, win"),
        ({"max_hands": 0}, "max_hands"),
        ({"max_hands": 2.5}, "max_hands"),
        ({"obs_dtype": "int64"}, "int8, float32"),
        ({"render_mode": "video"}, "ansi"),
        ({"viewer": 4}, "viewer"),
    ],
)
def test_bad_arguments_are_told(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BuckError, match=said):
        buck_euchre_v0.env(**arguments)
    with pytest.raises(BuckError, match="seed"):
        buck_euchre_v0.env().reset(seed=-1)

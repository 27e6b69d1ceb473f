"""The game in OpenSpiel: its own checks, its solvers, and the same points as the environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="NOT CHECKED: OpenSpiel is not installed; install the extra openspiel")

from places import run_python  # noqa: E402
from spiel.hands import first_decision, states_of  # noqa: E402

import buck_env.openspiel  # noqa: E402, F401  # which registers the game
from buck_env import ACTIONS, PROFILES, BuckError, buck_euchre_v0  # noqa: E402
from buck_env.game.cards import CARDS  # noqa: E402

SMALL = "buck_euchre(rules=bucked-3,deals=2,tricks=0)"


@pytest.mark.parametrize("rules", PROFILES)
def test_openspiels_random_simulations_pass_with_serialisation(rules: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"buck_euchre(rules={rules})"), 2, True, False)


def test_a_playthrough_is_written_and_is_the_same_again() -> None:
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough").playthrough
    text = playthrough("buck_euchre(rules=dirty-clubs)", None, seed=1)
    assert "IsTerminal() = True" in text
    assert playthrough("buck_euchre(rules=dirty-clubs)", None, seed=1) == text


@pytest.mark.parametrize("rules", PROFILES)
def test_a_hand_is_that_of_the_environment_card_by_card_and_pays_its_points(rules: str) -> None:
    game = pyspiel.load_game(f"buck_euchre(rules={rules},deals=6,seed=3)")
    env = buck_euchre_v0.env(rules=rules, illegal_action="raise")
    for number in range(6):
        env.reset(seed=3 if number == 0 else None)
        state = game.new_initial_state()
        state.apply_action(number)
        while not state.is_terminal():
            player = state.current_player()
            observation = env.last()[0]
            assert env.agent_selection == f"seat_{player}"
            assert state.legal_actions() == np.flatnonzero(observation["action_mask"]).tolist()
            assert state.observation_tensor(player) == observation["observation"].tolist()
            action = state.legal_actions()[number % len(state.legal_actions())]
            assert state.action_to_string(player, action) == ACTIONS[action]
            state.apply_action(action)
            env.step(action)
        assert state.returns() == list(env.rewards.values())


def test_chance_draws_the_dealer_and_deals_the_cards_one_by_one() -> None:
    state = pyspiel.load_game("buck_euchre(rules=ohio)").new_initial_state()
    assert state.chance_outcomes() == [(seat, 1 / 4) for seat in range(4)]
    state.apply_action(2)
    for left in range(24, 24 - 21, -1):
        outcomes = state.chance_outcomes()
        assert [probability for _, probability in outcomes] == [1 / left] * left
        assert state.action_to_string(pyspiel.PlayerId.CHANCE, outcomes[0][0]) == CARDS[outcomes[0][0]]
        state.apply_action(outcomes[0][0])
    assert not state.is_chance_node()
    assert "dealer 2; 9C TC JC QC KC" in str(state)


def test_both_external_sampling_solvers_come_nearer_to_equilibrium_in_a_cut_game() -> None:
    algorithms = "open_spiel.python.algorithms"
    mccfr = pytest.importorskip(f"{algorithms}.external_sampling_mccfr")
    nash_conv = pytest.importorskip(f"{algorithms}.exploitability").nash_conv
    policy = pytest.importorskip("open_spiel.python.policy")
    game = pyspiel.load_game(SMALL)
    solver, compiled = mccfr.ExternalSamplingSolver(game), pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
    np.random.seed(1)  # the Python solver's own
    for _ in range(30):
        solver.iteration()
        compiled.run_iteration()
    before = nash_conv(game, policy.UniformRandomPolicy(game))
    assert nash_conv(game, solver.average_policy()) < before
    average = compiled.average_policy()
    assert nash_conv(game, policy.tabular_policy_from_callable(game, average.action_probabilities)) < before


def test_ismcts_takes_a_legal_action() -> None:
    algorithms = "open_spiel.python.algorithms"
    ismcts = pytest.importorskip(f"{algorithms}.ismcts")
    mcts = pytest.importorskip(f"{algorithms}.mcts")
    game = pyspiel.load_game("buck_euchre")
    state = first_decision(game, 1)
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), uct_c=2.0, max_simulations=20, random_state=rng)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ("rules=euchre", "euchre"),
        ("tricks=2", "tricks: 2 needs a number of deals, as in deals=10,tricks=2"),
        ("deals=4,tricks=6", "tricks: 6 is not allowed; allowed: 0 to 5"),
        ("deals=-1", "deals: -1 is not allowed; allowed: 0 or more"),
    ],
)
def test_a_game_that_cannot_be_made_says_why(parameters: str, complaint: str) -> None:
    with pytest.raises(BuckError, match=complaint):
        pyspiel.load_game(f"buck_euchre({parameters})")


def test_only_the_whole_of_what_a_player_sees_is_observed() -> None:
    game: Any = pyspiel.load_game("buck_euchre")
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert game.make_py_observer(public) is None
    observer = game.make_py_observer()
    for state in states_of(game, np.random.default_rng(2)):
        observer.set_from(state, 1)
        assert observer.tensor.any() == (not state.is_chance_node())
    assert observer.dict["hand"].base is not None
    with pytest.raises(BuckError, match="no parameters"):
        game.make_py_observer(None, {"size": 1})


def test_without_openspiel_the_error_names_the_extra() -> None:
    code = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "pyspiel" else find(name, *rest)
try:
    import buck_env.openspiel
except ValueError as error:
    print(error)
"""
    assert run_python(code) == ("buck_env.openspiel: OpenSpiel is not installed; install buck-euchre-rl[openspiel]\n")

"""Programs at fault: each fault is counted, and the game goes on."""

from __future__ import annotations

import shlex
import sys

import numpy as np
import pytest
from moments import moments
from programs import OHIO, Program, played

from agents import load_agent
from agents.programs.faults import FORFEIT
from buck_env import BuckError, load_rules
from buck_env.game.scoring import worst_points
from buck_env.observation.views import Views
from training.measuring.arena import play_hands, play_matches
from training.measuring.duplicate import deal_seeds, rotations

START = {
    "start crash": "ended with status 1; it said: 'no luck'",
    "start junk": "its first line is not|not a JSON object: 'Welcome!'",
    "start flood": "a line of more than 4096 bytes",
    "start early": "its first line is not",
    "start other": "its first line is not .*v0",
}


@pytest.mark.parametrize("mode", START)
def test_one_that_cannot_begin_is_given_up_and_plays_at_random(
    mode: str, program: Program, capfd: pytest.CaptureFixture[str]
) -> None:
    agent = program.agent(OHIO, mode)
    assert np.array_equal(played(agent), played(load_agent("random", OHIO)))
    decisions = agent.program_counts["decisions"]
    assert agent.program_counts == {"decisions": decisions, "start": 3, "given up": decisions, "replaced": decisions}
    lines = capfd.readouterr().err.splitlines()
    assert [line.startswith(program.name(mode)) for line in lines] == [True, True]  # each kind of fault once
    assert any(words in lines[0] for words in START[mode].split("|")) or mode == "start other"
    assert program.is_gone()


FAULTS = {
    "crash": "exit",
    "leave": "exit",
    "mute": "exit",
    "junk": "output",
    "blank": "output",
    "not UTF-8": "output",
    "brackets": "output",
    "number": "output",
    "other id": "output",
    "true": "output",
    "flood": "output",
    "lines": "output",
}


@pytest.mark.parametrize(("mode", "kind"), FAULTS.items())
def test_one_that_fails_is_counted_and_started_again(mode: str, kind: str, program: Program) -> None:
    agent = program.agent(OHIO, mode, after=10)
    assert np.isfinite(played(agent, 4)).all()
    decisions = agent.program_counts["decisions"]
    failures = (decisions - 1) // 11  # ten answers, and the eleventh decision goes without
    assert failures >= 2
    assert agent.program_counts["replaced"] == agent.program_counts[kind] >= failures
    assert set(agent.program_counts) == {"decisions", "replaced", kind}
    agent.close()
    assert program.is_gone()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os.close(2); os.close(1)", "ended with status 0"),
        ("import sys; sys.exit('no luck')", "ended with status 1; it said: 'no luck'"),
        ("import os; os.write(2, b'bye'); os.close(2); os.kill(os.getpid(), 9)", "ended by signal 9; it said: 'bye'"),
    ],
)
def test_its_last_words_are_reported(code: str, words: str, capfd: pytest.CaptureFixture[str]) -> None:
    agent = load_agent(f"cmd:{shlex.join([sys.executable, '-S', '-c', code])}", OHIO)
    assert np.array_equal(played(agent, 1), played(load_agent("random", OHIO), 1))
    assert f": start: {words} (reported once)" in capfd.readouterr().err


@pytest.mark.parametrize("mode", ["hang", "deaf"])
def test_one_that_hangs_is_waited_for_until_its_timeout(mode: str, program: Program) -> None:
    agent = program.agent(OHIO, mode, after=30, timeout=1.5)
    played(agent)
    counts = agent.program_counts
    assert counts["timeout"] == counts["replaced"] == (counts["decisions"] - 1) // 31 >= 1
    agent.close()
    assert program.is_gone()


def test_one_that_hangs_at_the_start_is_given_up(program: Program) -> None:
    agent = program.agent(OHIO, "start hang", start_timeout=0.3)
    played(agent, deals=1)
    assert agent.program_counts["start"] == 3
    assert agent.program_counts["given up"] == agent.program_counts["decisions"]
    assert program.is_gone()


@pytest.mark.parametrize("mode", ["illegal", "elsewhere", "no text", "half a pair", "error"])
def test_illegal_answers_are_counted_and_replaced_by_random_actions(mode: str, program: Program) -> None:
    agent = program.agent(OHIO, mode)
    assert np.array_equal(played(agent), played(load_agent("random", OHIO)))
    decisions = agent.program_counts["decisions"]
    assert agent.program_counts == {"decisions": decisions, "replaced": decisions, "illegal": decisions}
    assert len(program.running()) == 2  # it is in step, and goes on


def test_one_that_fails_without_end_is_not_started_without_end(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.programs.command._IN_ALL", 10)
    agent = program.agent(OHIO, "leave", after=1)
    tables, logs, masks = moments(OHIO, load_agent("random", OHIO), n=30)[0]
    actions = agent.act(Views.of(OHIO, tables, logs))
    assert masks[np.arange(30), actions].all()
    assert agent.program_counts["exit"] == 10
    assert agent.program_counts["given up"] == 30 - 20
    assert program.is_gone()


def test_the_same_faults_give_the_same_game(program: Program) -> None:
    first, second = (played(program.agent(OHIO, "crash", after=7)) for _ in range(2))
    assert np.array_equal(first, second)


def test_who_forfeits_a_hand_pays_and_the_others_keep_what_they_score(program: Program) -> None:
    agent = program.agent(OHIO, "illegal", on_fault="forfeit")
    forfeited, random = played(agent, 12), played(load_agent("random", OHIO), 12)
    its = np.tile(np.eye(4, dtype=np.bool_), (12, 1))
    assert np.array_equal(forfeited[~its], random[~its])
    paid = forfeited[its] != random[its]
    assert (forfeited[its][paid] == -5).all()
    assert worst_points(OHIO) == -5
    assert 0.3 < paid.mean() < 1
    assert (forfeited[its] == -5).mean() > 0.8  # it was asked in nearly all hands


def test_a_forfeit_is_never_worth_it() -> None:
    for house, cost in (
        ({"base": "cutthroat"}, -5),
        ({"base": "ohio", "maker_penalty": 7}, -7),
        ({"base": "ohio", "stayer_penalty": 9, "drop_points": -2}, -9),
        ({"base": "ohio", "illegal_play": "renege", "renege_penalty": 12}, -12),
        ({"base": "ohio", "renege_penalty": 12}, -5),
        ({"base": "bucked", "walkover": "points", "walkover_points": -8}, -8),
    ):
        rules = load_rules(house)
        assert worst_points(rules) == cost
        everyone = np.zeros((300, rules.seats), np.int64)
        points = play_hands(rules, {"random": load_agent("random", rules)}, everyone, deal_seeds(1, 300))
        assert points.min() >= cost


def test_who_forfeits_in_a_match_has_not_won_it(program: Program) -> None:
    agents = {"it": program.agent(OHIO, "illegal", on_fault="forfeit"), "random": load_agent("random", OHIO)}
    matches = play_matches(OHIO, agents, rotations(0, 1, 4), np.arange(4))
    assert np.diagonal(matches.shares).tolist() == [0] * 4
    assert matches.shares.sum(axis=1).tolist() == [1] * 4
    among_its_like = play_matches(OHIO, agents, np.zeros((2, 4), np.int64), np.arange(2))
    plain = play_matches(OHIO, agents, np.ones((2, 4), np.int64), np.arange(2))
    assert np.array_equal(among_its_like.shares, plain.shares)


def test_no_other_agent_can_forfeit() -> None:
    class Shrug:
        def act(self, views: Views) -> np.ndarray:
            return np.full(len(views), FORFEIT)

    with pytest.raises(BuckError, match="may not action -1"):
        played(Shrug())

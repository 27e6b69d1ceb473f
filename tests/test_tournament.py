"""Arena, measures, tournament and report: numbers worked by hand, duplicate deals, and repeatability."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import Agent
from buck_env.actions import DROP, NUM_ACTIONS
from buck_env.errors import BuckError, IllegalActionError
from buck_env.rules import PROFILES
from buck_env.tables import Tables
from buck_env.views import Views
from training import tournament
from training.arena import play_hands, play_matches
from training.config import ConfigError, load_config
from training.measures import Estimate, compare, deal_seeds, edge, edges, gain, gains, own, quantile, rotations
from training.report import results_csv, results_json, results_table, write_report
from training.tournament import Results, TournamentConfig, play_tournament


class Eager:
    """The last legal action but dropping: it makes trump, stays and plays its highest card."""

    def act(self, views: Views) -> np.ndarray:
        mask = views.action_mask.copy()
        mask[:, DROP] = 0
        return np.asarray(NUM_ACTIONS - 1 - mask[:, ::-1].argmax(axis=1))


class AnyLegal:
    """Any legal action, drawn from the uniform numbers of the decisions and a number of its own."""

    def __init__(self, salt: float = 1.0) -> None:
        self.salt = salt

    def act(self, views: Views) -> np.ndarray:
        mask = views.action_mask.astype(np.int64)
        chosen = views.uniforms * self.salt % 1 * mask.sum(axis=1)
        return np.asarray((mask.cumsum(axis=1) > chosen[:, None]).argmax(axis=1))


class Answers:
    """Whatever it is told to answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Views) -> Any:
        return self.answer(views)


AGENTS: dict[str, Agent] = {"eager": Eager(), "any": AnyLegal(), "other": AnyLegal(101.0)}


def small(**different: Any) -> TournamentConfig:
    settings = {"agents": ["eager", "any", "other"], "deals": 30, "matches": 3, "seed": 5}
    return TournamentConfig(**{**settings, **different})


def run(chunk: int = 4096, agents: dict[str, Agent] | None = None, **different: Any) -> Results:
    return play_tournament(small(**different), agents or AGENTS, chunk=chunk, progress=False)


def stable(results: Results) -> str:
    """All of the JSON that has to be the same again."""
    return json.dumps({key: value for key, value in results_json(results).items() if key != "run"})


# -- measures ----------------------------------------------------------------------------------------------------------


def test_estimate_as_worked_by_hand() -> None:
    estimate = Estimate.of(np.array([0.0, 1.0, 1.0, 2.0]))
    half = 3.182 * (2 / 3) ** 0.5 / 2  # t at 3 degrees of freedom, deviation, root of the deals
    assert estimate.mean == 1
    assert estimate.high - 1 == pytest.approx(half, rel=0.01)
    assert 1 - estimate.low == pytest.approx(half, rel=0.01)
    assert estimate.deviation == pytest.approx((2 / 3) ** 0.5)
    assert str(Estimate(0.312, 0.271, 0.349, 9)) == "+0.31 [0.27, 0.35]"
    assert str(Estimate(-0.001, -0.004, -0.002, 9)) == "+0.00 [0.00, 0.00]"
    with pytest.raises(ValueError, match="at least 2 deals"):
        Estimate.of(np.zeros(1))


@pytest.mark.parametrize(("degrees", "t"), [(3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (10**6, 1.95997)])
def test_quantile_is_students(degrees: int, t: float) -> None:
    assert quantile(degrees) == pytest.approx(t, rel=0.01 if degrees < 5 else 0.003)


def test_edge_and_gain_as_worked_by_hand() -> None:
    points = np.array([[4, 1, 1], [-5, 2, 0], [0, 3, -5]])  # x in seat 0, 1, 2
    without = np.array([1, 2, -5])
    assert own(points).tolist() == [4, 2, -5]
    assert edges(points) == pytest.approx(((4 - 1) + (2 + 2.5) + (-5 - 1.5)) / 3)
    assert gains(points, without) == pytest.approx((3 + 0 + 0) / 3)
    both = np.stack([points, 2 * points])
    assert edges(both).tolist() == [edges(points), 2 * edges(points)]
    assert rotations(7, 1, 3).tolist() == [[7, 1, 1], [1, 7, 1], [1, 1, 7]]


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(2000, 60, 1))  # shared by the four rotations of a deal
    values = (0.3 + luck + rng.choice([-5.0, 1.0, 4.0], size=(2000, 60, 4))).mean(axis=2)
    estimates = [Estimate.of(event) for event in values]
    covered = np.mean([estimate.low <= 0.3 <= estimate.high for estimate in estimates])
    assert 0.93 <= covered <= 0.97


def test_deals_of_one_seed_begin_alike_and_of_others_are_others() -> None:
    assert deal_seeds(3, 5).tolist() == deal_seeds(3, 9)[:5].tolist()
    assert np.diff(deal_seeds(3, 9)).tolist() == [1] * 8
    streams = [
        deal_seeds(0, 1000),
        deal_seeds(0, 1000, stream=1),
        deal_seeds(1, 1000),
        np.arange(1000, dtype=np.uint64),
    ]
    assert len(set(np.concatenate(streams).tolist())) == 4000
    assert max(map(max, streams)) < 2**63


# -- arena -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_hands_are_those_of_tables_of_the_same_seeds(name: str) -> None:
    rules, seeds = PROFILES[name], deal_seeds(4, 50)
    points = play_hands(rules, {"any": AnyLegal()}, np.zeros((50, rules.seats), np.int64), seeds, chunk=16)
    tables = Tables(rules, 50)
    tables.reset(int(seeds[0]))
    expected = np.zeros((50, rules.seats))
    while not tables.episodes["over"].all():
        going = np.flatnonzero(tables.episodes["over"] == 0)
        actions = np.full(50, -1)
        actions[going] = AnyLegal().act(Views.of(rules, tables.tables[going], tables.logs[going]))
        tables.step(actions)
        expected += tables.rewards
    assert points.tolist() == expected.tolist()


def test_tables_of_one_seed_play_one_deal_with_one_dealer() -> None:
    rules = PROFILES["ohio"]
    seen = []

    def watch(views: Views) -> np.ndarray:
        seen.append((views.tables["dealer"].copy(), views.tables["rest"][:, 0].copy()))
        return Eager().act(views)

    play_hands(rules, {"watch": Answers(watch)}, np.zeros((6, 4), np.int64), np.repeat(deal_seeds(0, 2), 3))
    dealers, upcards = seen[0]
    assert dealers[:3].tolist() == [dealers[0]] * 3
    assert upcards[:3].tolist() == [upcards[0]] * 3
    assert (dealers[0], upcards[0]) != (dealers[3], upcards[3])


def test_shares_of_a_match_sum_to_one_even_where_it_is_cut_off() -> None:
    seating, seeds = np.tile([0, 1, 1, 1], (40, 1)), deal_seeds(0, 40)
    for max_hands, cut in ((2, range(20, 40)), (1000, range(1))):
        matches = play_matches(PROFILES["ohio"], {"x": Eager(), "y": AnyLegal()}, seating, seeds, max_hands=max_hands)
        assert np.allclose(matches.shares.sum(axis=1), 1)
        assert matches.truncated.sum() in cut
        assert (matches.hands[matches.truncated] == max_hands).all()
        assert (matches.hands >= 1).all()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda views: np.zeros((len(views), 2), np.int64), r"int64 of shape \(8, 2\)"),
        (lambda views: np.zeros(len(views)), "float64 of shape"),
        (lambda views: np.full(len(views), 43), "may not action 43"),
        (lambda views: np.full(len(views), -1), "may not action -1"),
        (lambda views: np.full(len(views), 39), r"may not stay \(action 39\) in order; legal: order, pass"),
    ],
)
def test_an_agent_that_answers_illegally_is_named(answer: Any, told: str) -> None:
    agents: dict[str, Agent] = {"good": Eager(), "rogue": Answers(answer)}
    with pytest.raises(IllegalActionError, match=f"rogue: .*{told}"):
        play_hands(PROFILES["bucked"], agents, np.ones((8, 4), np.int64), deal_seeds(0, 8))


def test_seating_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BuckError, match=r"shape \(2, 4\) are needed"):
        play_hands(PROFILES["ohio"], AGENTS, np.zeros((2, 3), np.int64), deal_seeds(0, 2))
    with pytest.raises(BuckError, match=r"not within 0\.\.2"):
        play_hands(PROFILES["ohio"], AGENTS, np.full((2, 4), 3), deal_seeds(0, 2))


# -- tournament --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", [Eager(), AnyLegal()])
def test_copies_of_one_agent_have_edges_of_exactly_zero(agent: Any) -> None:
    results = run(agents={"eager": agent, "any": agent, "other": agent}, matches=0)
    assert not results.edges.any()
    assert not results.gains.any()
    assert results.points.std() > 0
    assert "Played every deal to the same points" in results_table(results)


def test_an_agent_has_no_edge_or_gain_on_itself() -> None:
    results = run()
    assert not results.edges[:, range(3), range(3)].any()
    assert not results.gains[:, range(3), range(3)].any()
    alone = compare(PROFILES["ohio"], AnyLegal(), AnyLegal(), deals=20)
    assert (alone.edge.mean, alone.gain.mean, alone.beats) == (0, 0, False)


def test_random_against_random_is_about_even() -> None:
    found = compare(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2)
    assert found.edge.low < 0 < found.edge.high
    assert found.gain.low < 0 < found.gain.high
    assert found.edge.high - found.edge.low > 0.05
    assert edge(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.edge
    assert gain(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.gain


def test_every_pair_is_what_the_two_alone_would_be() -> None:
    results = run(matches=0)
    for x, y in ((0, 1), (2, 0)):
        pair = [AGENTS[results.labels[agent]] for agent in (x, y)]
        alone = compare(PROFILES["ohio"], *pair, deals=30, seed=5)
        assert Estimate.of(results.points[:, x, y]) == alone.points
        assert Estimate.of(results.edges[:, x, y]) == alone.edge
        assert Estimate.of(results.gains[:, x, y]) == alone.gain
        assert results.beats(x, y) == alone.beats


def test_standings_are_means_over_the_opponents_deal_by_deal() -> None:
    results = run()
    ranking = results.ranking()
    assert [s.edge.mean for s in ranking] == sorted((s.edge.mean for s in ranking), reverse=True)
    standing = results.standing(1)
    assert standing.edge == Estimate.of((results.edges[:, 1, 0] + results.edges[:, 1, 2]) / 2)
    assert standing.share is not None
    assert standing.share.mean == pytest.approx(results.shares[:, 1, [0, 2]].mean())
    assert results.shares[:, range(3), range(3)].tolist() == [[0.25] * 3] * 3


def test_the_same_tournament_again_is_the_same_and_another_seed_is_not() -> None:
    assert stable(run()) == stable(run())
    assert run(seed=6).points.tolist() != run().points.tolist()


def test_chunks_change_nothing() -> None:
    assert stable(run()) == stable(run(chunk=100))
    assert stable(run(deals=3, matches=2)) == stable(run(deals=3, matches=2, chunk=1))


def test_more_deals_begin_with_the_fewer() -> None:
    assert run(deals=12, matches=0).gains.tolist() == run(matches=0).gains[:12].tolist()


def test_an_interrupt_leaves_whole_deals_and_says_so(tmp_path: Path) -> None:
    calls = iter(range(100))

    def until_interrupted(views: Views) -> np.ndarray:
        if next(calls) == 99:
            raise KeyboardInterrupt
        return Eager().act(views)

    results = run(chunk=27 * 2, agents={**AGENTS, "eager": Answers(until_interrupted)})
    assert not results.complete
    assert 2 <= results.deals < 30
    assert results.matches == 0
    assert results.points.tolist() == run().points[: results.deals].tolist()
    written = json.loads((write_report(results, tmp_path) / "results.json").read_text())
    assert written["complete"] is False
    assert "Interrupted" in results_table(results)


def test_an_interrupt_before_two_deals_is_passed_on() -> None:
    def interrupted(views: Views) -> np.ndarray:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(agents={**AGENTS, "eager": Answers(interrupted)})


# -- config ------------------------------------------------------------------------------------------------------------


def test_a_config_is_read_with_overrides(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("rules: {base: bucked, target: 15}\nagents: {a: random, b: rules-v1}\nout: here\n")
    config = load_config(TournamentConfig, path, ["deals=50", "agents={a: random, c: random}"])
    assert (config.rules.target, config.deals, config.matches, config.out) == (15, 50, 0, Path("here"))
    assert config.agents == {"a": "random", "c": "random"}


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.parent.glob("configs/tournaments/*.yaml")), ids=str)
def test_shipped_configs_can_be_read(path: Path) -> None:
    assert load_config(TournamentConfig, path).deals >= 2


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("agents=[random]", "agents: .*at least 2"),
        ("agents=[random, random]", "agents: .*'random' is listed twice.*unique"),
        ("agents={a: 3, b: random}", "agents.a: 3 .*string"),
        ("deals=1", "deals: 1 .*2"),
        ("deals=true", "deals: True "),
        ("matches=1", "matches: 1 gives no interval|matches: 1 .*at least 2"),
        ("seed=-1", "seed: -1 "),
        ("rules=whist", "rules: .*whist.*ohio"),
        ("games=4", "games: 4 is set, but there is no such key; allowed: rules, agents, deals"),
    ],
)
def test_a_config_that_cannot_be_played_is_told_apart(override: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_config(TournamentConfig, None, [override])


# -- report ------------------------------------------------------------------------------------------------------------


def test_report_files_hold_every_pair(tmp_path: Path) -> None:
    results = run(out=str(tmp_path / "a" / "b"))
    folder = write_report(results)
    assert sorted(path.name for path in folder.iterdir()) == ["payoff.png", "results.csv", "results.json"]
    assert (folder / "payoff.png").read_bytes().startswith(b"\x89PNG")
    written = json.loads((folder / "results.json").read_text())
    assert written["complete"] is True
    assert written["rules"]["start"] == 25
    assert len(written["pairs"]) == 9
    lines = list(csv.DictReader(results_csv(results).splitlines()))
    for pair, line in zip(written["pairs"], lines, strict=True):
        assert (line["x"], line["y"]) == (pair["x"], pair["y"])
        for measure in ("points", "edge", "gain", *(["win_share"] if pair["x"] != pair["y"] else [])):
            assert float(line[measure]) == pair[measure]["mean"]
            assert float(line[f"{measure}_low"]) == pair[measure]["low"]
    assert written["first_seeds"]["hands"] == deal_seeds(5, 1)[0]


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = run(matches=0)
    write_report(results, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("training.report.results_json", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(results, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_table_ranks_and_counts() -> None:
    results = run(rules="ohio", matches=2)
    lines = results_table(results).splitlines()
    assert lines[0].startswith("ohio: 30 deals, 2 match deals, seed 5, ")
    best = results.labels[results.ranking()[0].agent]
    assert lines[3].split()[:2] == ["1", best]
    assert results.hands == 30 * (3 * 2 * 4 + 3) + round(results.lengths.sum() * 4)
    assert "win share (par 0.25)" in lines[2]


def test_no_torch_is_imported() -> None:
    code = "import sys, training.report; sys.exit('torch' in sys.modules or 'matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=Path(tournament.__file__).parent.parent, check=True)

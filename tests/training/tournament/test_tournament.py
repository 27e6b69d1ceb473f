"""Arena, measures, tournament and report: numbers worked by hand, duplicate deals, and repeatability."""

from __future__ import annotations

import csv
import json
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from entrants import AnyLegal, Killed, Rogue, stable
from places import ROOT

from agents import Agent
from buck_env import RULES_VERSION
from buck_env.base.errors import BuckError, IllegalActionError
from buck_env.environments.tables import Tables
from buck_env.game.actions import DROP, NUM_ACTIONS
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from training.base.config import ConfigError, load_config
from training.cli.app import main
from training.measuring.arena import play_hands, play_matches
from training.measuring.compare import compare, edge, gain
from training.measuring.duplicate import deal_seeds, edge_numerators, gain_numerators, own, rotations
from training.measuring.estimates import Estimate, holm, quantile
from training.tournament import event as tournament
from training.tournament.event import LEAST, SHARD, Results, TournamentConfig, narrow, play_tournament
from training.tournament.report import results_csv, results_json, results_table, write_report


class Eager:
    """The last legal action but dropping: it makes trump, stays and plays its highest card."""

    def act(self, views: Views) -> np.ndarray:
        mask = views.action_mask.copy()
        mask[:, DROP] = 0
        return np.asarray(NUM_ACTIONS - 1 - mask[:, ::-1].argmax(axis=1))


class Answers:
    """Whatever it is told to answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Views) -> Any:
        return self.answer(views)


class Interrupted(Eager):
    """Eager, and ctrl-C comes when it is asked for the n-th time."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def act(self, views: Views) -> np.ndarray:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return super().act(views)


AGENTS: dict[str, Agent] = {"eager": Eager(), "any": AnyLegal(), "other": AnyLegal(101.0)}


def small(**different: Any) -> TournamentConfig:
    settings = {"agents": ["eager", "any", "other"], "deals": 30, "matches": 3, "seed": 5}
    return TournamentConfig(**{**settings, **different})


def run(shard: int = SHARD, agents: dict[str, Agent] | None = None, **different: Any) -> Results:
    return play_tournament(small(**different), agents or AGENTS, shard=shard, progress=False)


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
    assert edge_numerators(points) / 6 == pytest.approx(((4 - 1) + (2 + 2.5) + (-5 - 1.5)) / 3)
    assert gain_numerators(points, without) == 3 + 0 + 0
    both = np.stack([points, 2 * points])
    assert edge_numerators(both).tolist() == [edge_numerators(points), 2 * edge_numerators(points)]
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
    for standing in results.standings:
        edge, gain, points = (standing.measures[key] for key in ("edge", "gain", "points"))
        assert edge is not None
        assert gain is not None
        assert points is not None
        assert (edge.mean, edge.half, gain.mean, gain.half) == (0, 0, 0, 0)
        assert points.half > 0
    assert not results.clear.any()
    assert "Played every deal to the same points" in results_table(results)


def test_an_agent_has_no_edge_or_gain_on_itself() -> None:
    results = run()
    for x in range(3):
        assert results.pair("edge", x, x) == results.pair("gain", x, x) == Estimate(0, 0, 0, 30)
    alone = compare(PROFILES["ohio"], AnyLegal(), AnyLegal(), deals=20)
    assert (alone.edge.mean, alone.gain.mean, alone.beats) == (0, 0, False)


def test_random_against_random_is_about_even() -> None:
    found = compare(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2)
    assert found.edge.low < 0 < found.edge.high
    assert found.gain.low < 0 < found.gain.high
    assert found.edge.high - found.edge.low > 0.05
    assert edge(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.edge
    assert gain(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.gain


def close(one: Estimate, other: Estimate) -> bool:
    return (one.mean, one.low, one.high, one.deals) == pytest.approx((other.mean, other.low, other.high, other.deals))


def test_every_pair_is_what_the_two_alone_would_be() -> None:
    results = run(matches=0)
    for x, y in ((0, 1), (2, 0)):
        pair = [AGENTS[results.labels[agent]] for agent in (x, y)]
        alone = compare(PROFILES["ohio"], *pair, deals=30, seed=5)
        assert close(results.pair("points", x, y), alone.points)
        assert close(results.pair("edge", x, y), alone.edge)
        assert close(results.pair("gain", x, y), alone.gain)
        assert results.beats(x, y) == alone.beats


def test_standings_are_means_over_the_opponents_deal_by_deal() -> None:
    results = run()
    ranking = results.ranking()
    assert [s.ranked_by.mean for s in ranking] == sorted((s.ranked_by.mean for s in ranking), reverse=True)
    standing = results.standings[1]
    assert standing.ranked_by.mean == pytest.approx(
        (results.pair("edge", 1, 0).mean + results.pair("edge", 1, 2).mean) / 2
    )
    share = standing.measures["win_share"]
    assert share is not None
    assert results.matches is not None
    assert share.mean == pytest.approx((results.matches.share(1, [0]).mean + results.matches.share(1, [2]).mean) / 2)
    best, second = (s.agent for s in ranking[:2])
    lead = results.leads[best, second][0]
    assert lead.mean == pytest.approx(ranking[0].ranked_by.mean - ranking[1].ranked_by.mean)
    assert lead == results.lead(best, second)
    assert len(results.leads) == 3


def test_win_shares_and_lengths_are_those_of_the_matches_played() -> None:
    results = run(matches=4)
    assert results.matches is not None
    for x, y in ((0, 1), (2, 1)):
        seating, seeds = np.tile(rotations(x, y, 4), (4, 1)), np.repeat(deal_seeds(5, 4, stream=1), 4)
        matches = play_matches(PROFILES["ohio"], AGENTS, seating, seeds)
        shares = own(matches.shares.reshape(4, 4, 4)).mean(axis=1)
        assert close(results.matches.share(x, [y]), Estimate.of(shares))
        length, cut = results.matches.length(x, y)
        assert (length, cut) == (matches.hands.mean(), matches.truncated.mean())


def test_a_win_is_clear_only_if_it_is_one_after_all_pairs_are_counted() -> None:
    results = run(deals=200, matches=0)
    assert all(results.beats(x, y) for x, y in np.argwhere(results.clear))
    pairs = [(x, y) for x in range(3) for y in range(3) if x != y]
    corrected = holm(np.array([results.pair("gain", x, y).p for x, y in pairs]))
    for (x, y), p in zip(pairs, corrected, strict=True):
        assert results.clear[x, y] == (p < 0.05 and results.pair("gain", x, y).mean > 0)
    assert results.clear.any()


def test_the_same_tournament_again_is_the_same_and_another_seed_is_not() -> None:
    assert stable(run()) == stable(run())
    assert run(seed=6).pair("points", 0, 1) != run().pair("points", 0, 1)


def test_shards_change_nothing() -> None:
    assert stable(run(deals=120)) == stable(run(deals=120, shard=1))


def test_processes_change_nothing() -> None:
    config = {"agents": ["rules-v1", "random", "phases:stay=random,else=rules-v1"], "deals": 260, "matches": 2}
    one = play_tournament(small(**config), shard=1, progress=False)
    two = play_tournament(small(**config, processes=2), shard=1, progress=False)
    assert stable(one) == stable(two)
    assert one.hands_played == two.hands_played == two.played


def test_an_error_in_another_process_is_told_as_here() -> None:
    with pytest.raises(BuckError, match=r"rogue: .*may not action 99"):
        play_tournament(
            small(agents=["rogue", "any"], processes=2, deals=100),
            {"rogue": Rogue(), "any": AnyLegal()},
            shard=1,
            progress=False,
        )


def test_a_process_that_is_killed_is_told_and_no_other_is_left() -> None:
    with pytest.raises(BuckError, match="--resume goes on"):
        play_tournament(
            small(agents=["killed", "any"], processes=2, deals=100),
            {"killed": Killed(), "any": AnyLegal()},
            shard=1,
            progress=False,
        )
    assert not multiprocessing.active_children()


def test_until_stops_at_narrow_intervals_and_after_500_deals_at_least() -> None:
    names = {"agents": ["random", "rules-v1"], "mixed": 0, "matches": 0}
    whole = play_tournament(small(**names, deals=700), progress=False)
    wide = play_tournament(small(**names, deals=700, until=5.0), progress=False)
    assert wide.deals == LEAST
    assert wide.complete
    assert narrow(wide.hands) <= 5
    until = narrow(whole.hands) * 1.04
    results = play_tournament(small(**names, deals=10_000, until=until), progress=False, shard=1)
    assert LEAST < results.deals <= 700
    assert narrow(results.hands) <= until
    assert stable(results) == stable(play_tournament(small(**names, deals=10_000, until=until), progress=False))
    same = play_tournament(small(**names, deals=results.deals), progress=False)
    assert results_json(same)["ranking"] == results_json(results)["ranking"]


def test_an_interrupt_leaves_whole_deals_and_says_so(tmp_path: Path) -> None:
    results = run(shard=1, agents={**AGENTS, "eager": Interrupted(60)}, deals=200)
    assert not results.complete
    assert results.deals in (50, 100, 150)
    assert results.matches is None
    assert results_json(results)["ranking"] == results_json(run(deals=results.deals, matches=0))["ranking"]
    written = json.loads((write_report(results, tmp_path) / "results.json").read_text())
    assert written["complete"] is False
    assert "Interrupted" in results_table(results)


def test_an_interrupt_before_two_deals_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(agents={**AGENTS, "eager": Interrupted(0)})


# -- on disk -----------------------------------------------------------------------------------------------------------


def kept(folder: Path, agents: dict[str, Agent] | None = None, **different: Any) -> Results:
    options = {key: different.pop(key) for key in ("resume", "anew") if key in different}
    config = small(**{"deals": 170, "out": str(folder), **different})
    return play_tournament(config, agents or AGENTS, keep=True, shard=1, progress=False, **options)


@pytest.mark.parametrize("calls", [30, 60, 250])
def test_an_event_gone_on_with_ends_as_one_left_alone(tmp_path: Path, calls: int) -> None:
    first = kept(tmp_path, {**AGENTS, "eager": Interrupted(calls)})
    assert not first.complete
    results = kept(tmp_path, resume=True)
    assert results.complete
    assert 0 < results.played < results.hands_played
    assert stable(results) == stable(run(deals=170))
    again = kept(tmp_path, resume=True)
    assert again.played == 0
    assert stable(again) == stable(results)


def test_an_event_may_go_on_for_longer_or_be_cut_short(tmp_path: Path) -> None:
    kept(tmp_path)
    assert stable(kept(tmp_path, resume=True, deals=230)) == stable(run(deals=230))
    assert stable(kept(tmp_path, resume=True, deals=60)) == stable(run(deals=60))


def test_one_that_is_gone_on_with_for_longer_is_unfinished_until_then(tmp_path: Path) -> None:
    kept(tmp_path)
    assert not kept(tmp_path, {**AGENTS, "eager": Interrupted(60)}, deals=700, resume=True).complete
    with pytest.raises(BuckError, match="not finished"):
        kept(tmp_path, deals=700)
    assert stable(kept(tmp_path, deals=700, resume=True)) == stable(run(deals=700))


def test_an_event_killed_in_any_moment_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    names = ["agents=[rules-v1, random]", "deals=4000", "matches=0", "mixed=0", "processes=2"]
    command = [sys.executable, "-m", "training.cli.app", "tournament", "ohio", *names, f"out={folder}"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list(folder.glob("hands/*.parquet"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert main(command[3:]) == 1  # it says what may be done
    assert main([*command[3:], "--resume"]) == 0
    assert main(["tournament", "ohio", *names[:-1], f"out={tmp_path / 'alone'}"]) == 0
    resumed, alone = (json.loads((tmp_path / name / "results.json").read_text()) for name in ("killed", "alone"))
    assert resumed.pop("run")["hands"] < alone.pop("run")["hands"]
    assert resumed == alone


@pytest.mark.parametrize("card", [None, "{}", '{"finished": true}'])
def test_a_folder_of_something_else_is_left_as_it_is(card: str | None, tmp_path: Path) -> None:
    (tmp_path / "hands").mkdir()
    (tmp_path / "hands" / "precious.txt").write_text("mine")
    if card is not None:
        (tmp_path / "event.json").write_text(card)
    for anew in (False, True):
        with pytest.raises(BuckError, match="of something else; give out= another folder"):
            kept(tmp_path, anew=anew)
    assert (tmp_path / "hands" / "precious.txt").read_text() == "mine"


def test_the_folder_of_an_event_is_only_taken_by_another_if_told(tmp_path: Path) -> None:
    with pytest.raises(BuckError, match="holds no event to resume"):
        kept(tmp_path, resume=True)
    kept(tmp_path, {**AGENTS, "eager": Interrupted(250)})
    with pytest.raises(BuckError, match="not finished; --resume goes on with it, --anew replaces it"):
        kept(tmp_path)
    with pytest.raises(BuckError, match=r"event\.json: is of another event: seed, seatings differ"):
        kept(tmp_path, resume=True, seed=6)
    with pytest.raises(BuckError, match="another event: seatings differ"):
        kept(tmp_path, resume=True, mixed=0)
    turned = small(agents=["other", "any", "eager"], out=str(tmp_path))
    with pytest.raises(BuckError, match="another event: agents"):  # kept points go by the places of agents
        play_tournament(turned, AGENTS, resume=True, progress=False)
    assert kept(tmp_path, anew=True).complete
    assert kept(tmp_path, seed=6).complete  # one that is finished makes way


def test_shards_hold_every_table_and_versions_are_kept(tmp_path: Path) -> None:
    results = kept(tmp_path)
    event = json.loads((tmp_path / "event.json").read_text())
    assert event["finished"] is True
    assert event["versions"]["rules"] == RULES_VERSION
    table = pq.read_table(tmp_path / "hands")
    assert table.num_rows == results.deals * len(event["seatings"])
    row = table.slice(len(event["seatings"]) + 3, 1).to_pylist()[0]
    assert row["deal"] == 1
    seeds = deal_seeds(5, 1, first=1)
    assert seeds[0] == results_json(results)["first_seeds"]["hands"] + 1
    again = play_hands(PROFILES["ohio"], AGENTS, np.array([event["seatings"][row["seating"]]]), seeds)
    assert again[0].tolist() == [row[f"points_{seat}"] for seat in range(4)]


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"x" * 500])
def test_a_damaged_shard_is_named(tmp_path: Path, damage: bytes) -> None:
    kept(tmp_path)
    (tmp_path / "hands" / "0000000050.parquet").write_bytes(damage)
    with pytest.raises(BuckError, match=r"0000000050\.parquet: is not a shard of this event.*remove it"):
        kept(tmp_path, resume=True)
    (tmp_path / "hands" / "0000000050.parquet").unlink()
    assert stable(kept(tmp_path, resume=True)) == stable(run(deals=170))


def test_bots_are_named_by_their_checksums_and_another_bot_is_no_resume(tmp_path: Path) -> None:
    bot = Eager()
    bot.sha256 = "ab"  # type: ignore[attr-defined]
    results = kept(tmp_path, {**AGENTS, "eager": bot}, deals=60)
    assert results_json(results)["sha256"] == {"eager": "ab", "any": None, "other": None}
    bot.sha256 = "cd"  # type: ignore[attr-defined]
    with pytest.raises(BuckError, match="sha256 differ"):
        kept(tmp_path, {**AGENTS, "eager": bot}, deals=60, resume=True)


# -- config ------------------------------------------------------------------------------------------------------------


def test_a_config_is_read_with_overrides(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("rules: {base: bucked, target: 15}\nagents: {a: random, b: rules-v1}\nout: here\n")
    config = load_config(TournamentConfig, path, ["deals=50", "agents={a: random, c: random}"])
    assert (config.rules.target, config.deals, config.matches, config.out) == (15, 50, 0, Path("here"))
    assert config.agents == {"a": "random", "c": "random"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("configs/tournaments/*.yaml")), ids=str)
def test_shipped_configs_can_be_read(path: Path) -> None:
    assert load_config(TournamentConfig, path).deals >= 2


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("agents=[random]", "agents: .*at least 2"),
        ("agents=[random, random]", "agents: .*'random' is listed twice.*unique"),
        ("agents={a: 3, b: random}", "agents.a: 3 .*string"),
        ('agents={"": rules-v1, b: random}', "'' is no label; allowed: 1 to 200 characters"),
        ('agents={"a\\e[31m": rules-v1, b: random}', "is no label; allowed: .* that can be printed"),
        ('agents={"\\ud800": rules-v1, b: random}', "is no label|cannot be read"),
        ("deals=1", "deals: 1 .*2"),
        ("deals=true", "deals: True "),
        ("matches=1", "matches: 1 gives no interval|matches: 1 .*at least 2"),
        ("until=0", "until.*: 0 "),
        ("until=narrow", "until.*: 'narrow' "),
        ("mixed=some", "mixed.*: 'some' "),
        ("processes=0", "processes: 0 "),
        ("ray=nowhere", r"ray: 'nowhere' .*auto\|local\|"),
        ("ray=ray://head:10001", "ray: 'ray://head:10001' "),
        ('ray=""', "ray: '' "),
        ("seed=-1", "seed: -1 "),
        ("rules=whist", "rules: .*whist.*ohio"),
        ("games=4", "games: 4 is set, but there is no such key; allowed: rules, agents, deals"),
    ],
)
def test_a_config_that_cannot_be_played_is_told_apart(override: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_config(TournamentConfig, None, [override])


def test_without_ray_it_is_told_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BuckError, match=r"not installed: pip install 'buck-euchre-rl\[ray\]'"):
        run(ray="local")


@pytest.mark.parametrize(
    ("options", "address"),
    [(["--ray"], "auto"), (["--ray", "local"], "local"), (["--ray", "deals=9"], "auto"), (["ray=h:1"], "h:1")],
)
def test_a_cluster_is_named_by_option_or_setting(
    options: list[str], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[TournamentConfig] = []

    def stop(config: TournamentConfig, **_: Any) -> None:
        seen.append(config)
        raise BuckError("seen")

    monkeypatch.setattr(tournament, "play_tournament", stop)
    assert main(["tournament", "ohio", *options]) == 1
    assert seen[0].ray == address
    assert seen[0].deals == (9 if "deals=9" in options else 20_000)


def test_an_empty_address_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "ohio", "--ray", ""]) == 1
    assert "ray: '' is not allowed" in capsys.readouterr().err


# -- report ------------------------------------------------------------------------------------------------------------


def test_report_files_hold_every_pair(tmp_path: Path) -> None:
    results = run(out=str(tmp_path / "a" / "b"))
    folder = write_report(results)
    assert sorted(path.name for path in folder.iterdir()) == [
        "payoff.png",
        "report.html",
        "results.csv",
        "results.json",
    ]
    assert (folder / "payoff.png").read_bytes().startswith(b"\x89PNG")
    written = json.loads((folder / "results.json").read_text())
    assert written["complete"] is True
    assert written["rules"]["start"] == 25
    assert len(written["pairs"]) == 9
    lines = list(csv.DictReader(results_csv(results).splitlines()))
    assert written["versions"]["rules"] == RULES_VERSION
    for pair, line in zip(written["pairs"], lines, strict=True):
        assert (line["x"], line["y"]) == (pair["x"], pair["y"])
        for measure in (
            "points",
            "edge",
            "edge_adjusted",
            "gain",
            "gain_adjusted",
            *(["win_share"] if pair["x"] != pair["y"] else []),
        ):
            assert float(line[measure]) == pair[measure]["mean"]
            assert float(line[f"{measure}_low"]) == pair[measure]["low"]
    assert written["first_seeds"]["hands"] == deal_seeds(5, 1)[0]


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = run(matches=0)
    write_report(results, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("training.tournament.report.results_json", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(results, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_figures_are_written_before_the_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.tournament.report.payoff_png", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(run(matches=0), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.csv", "results.json"]


def test_the_table_ranks_and_counts() -> None:
    results = run(rules="ohio", matches=2)
    lines = results_table(results).splitlines()
    assert lines[0].startswith("ohio: 30 deals, 2 match deals, seed 5, ")
    best = results.labels[results.ranking()[0].agent]
    assert lines[3].split()[:2] == ["1", best]
    assert results.matches is not None
    assert results.hands_played == 30 * len(results.lineups.seatings) + results.matches.played[0]
    assert "win share (par 0.25)" in lines[2]
    share = results.ranking()[0].measures["win_share"]
    assert share is not None
    assert lines[3].endswith(f"  {share.mean:.2f} [{share.low:.2f}, {share.high:.2f}]")  # no plus sign


def test_no_torch_is_imported() -> None:
    code = "import sys, training.tournament.report; sys.exit('torch' in sys.modules or 'matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=Path(tournament.__file__).parent.parent, check=True)


# -- long events -------------------------------------------------------------------------------------------------------

CHEAP = """
import resource, sys, time
from pathlib import Path
from training.tournament.event import TournamentConfig, play_tournament
def play(deals):
    config = TournamentConfig(rules="bucked-3", agents={"a": "random", "b": "random"}, deals=deals, mixed=0,
                              out=Path(sys.argv[1]) / str(deals))
    began = time.process_time()
    play_tournament(config, keep=True, progress=False)
    return time.process_time() - began
play(2_000)
print(*(play(int(deals)) for deals in sys.argv[2:]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def played_apart(folder: Path, *deals: int) -> list[float]:
    """The seconds of each event that a fresh process plays, then its peak memory."""
    command = [sys.executable, "-c", CHEAP, str(folder), *map(str, deals)]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [float(figure) for figure in run.stdout.split()]


@pytest.mark.soak
def test_memory_does_not_grow_from_ten_thousand_to_a_million_deals(tmp_path: Path) -> None:
    few, many = (played_apart(tmp_path, deals)[-1] for deals in (10_000, 1_000_000))
    assert many < 1.05 * few


@pytest.mark.soak
def test_ten_times_the_deals_take_ten_times_as_long(tmp_path: Path) -> None:
    few, many, _ = played_apart(tmp_path, 30_000, 300_000)
    assert many == pytest.approx(10 * few, rel=0.1)

"""What the score does to a drop policy: `buck scores`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents import Agent, load_agent
from buck_env import BuckError, IllegalActionError, Rules, action_id, load_rules
from buck_env.environments.tables import Tables
from buck_env.game.options import Phase
from buck_env.observation.views import Views, pick_evenly
from training.cli.app import main
from training.measuring.scores import SITUATIONS, at_scores, stay_rates

SCORES = {  # dealer's left makes trump; scores by place from it: the maker's, then those asked
    "ohio": (25, 3),
    "dirty-clubs": (15, 3),
    "bucked": (0, 7),
    "cutthroat": (15, 3),
}


class Bold:
    """Drops but where its own seat is 1 point from the end; chance decides the rest."""

    def __init__(self, rules: Rules) -> None:
        self._near = rules.target - rules.toward

    def act(self, views: Views) -> np.ndarray:
        near = views.tables["scores"][np.arange(len(views)), views.seats] == self._near
        stay = np.where(near, action_id("stay"), action_id("drop"))
        asked = views.tables["phase"] == Phase.STAY
        free = views.action_mask[:, action_id("drop")] == 1
        return np.where(asked & free, stay, pick_evenly(views.action_mask, views.uniforms))


@pytest.mark.parametrize("profile", SCORES)
def test_only_the_scores_are_changed(profile: str) -> None:
    rules = load_rules(profile)
    start, near = SCORES[profile]
    tables = Tables(rules, 64)
    tables.reset(0)
    agent = load_agent("random", rules)
    while not (staying := tables.tables["phase"] == Phase.STAY).any():
        tables.step(agent.act(Views.of(rules, tables.tables, tables.logs)))
    rows = np.flatnonzero(staying)
    views = Views.of(rules, tables.tables.take(rows), tables.logs.take(rows))
    changed = at_scores(views, maker=3)
    for i, maker in enumerate(views.tables["maker"]):
        expected = [near if seat == maker else start for seat in range(rules.seats)]
        assert changed.tables["scores"][i, : rules.seats].tolist() == expected
    changed.tables["scores"] = views.tables["scores"]
    assert changed.tables.tobytes() == views.tables.tobytes()


def test_a_policy_that_heeds_its_own_score_moves_by_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str, rules: Rules) -> Agent:
        return Bold(rules)

    monkeypatch.setattr("training.measuring.scores.load_agent", load)
    report = stay_rates("bold", "bucked", decisions=200, out=tmp_path / "scores.json")
    rates = {name: figures["mean"] for name, figures in report["stay_rate"].items()}
    assert rates == {name: float(name in ("own seat 1 from the end", "all 1 from the end")) for name in SITUATIONS}
    assert all(figures["deals"] == 200 for figures in report["stay_rate"].values())
    assert (report["most_moved"]["from"], report["most_moved"]["to"]) == (
        "all as at the start",
        "own seat 1 from the end",
    )
    assert report["most_moved"]["mean"] == 1
    assert json.loads((tmp_path / "scores.json").read_text())["stay_rate"] == report["stay_rate"]
    assert "own seat 1 from the end: 100.00 [100.00, 100.00], +100.00" in capsys.readouterr().out


def test_a_policy_that_heeds_no_score_is_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"base": "bucked", "start": 9}  # all are 1 from the end as they start
    report = stay_rates("random", rules, decisions=50)
    assert report["most_moved"]["low"] == report["most_moved"]["high"] == 0
    assert capsys.readouterr().out.endswith("it stays as often wherever it is free to drop\n")


def test_where_the_score_forbids_dropping_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    figures = stay_rates("rules-v1", "cutthroat", decisions=50)["stay_rate"]
    assert {name for name, moved in figures.items() if moved} == {
        "all as at the start",
        "maker 1 from the end",
        "all others 1 from the end",
    }
    assert "own seat 1 from the end: not free to drop there" in capsys.readouterr().out


def test_where_no_decision_ever_comes_that_is_said() -> None:
    with pytest.raises(BuckError, match="1,000 deals with rules-v1 at every seat hold 0 decisions to stay or drop"):
        stay_rates("rules-v1", {"base": "cutthroat", "start": 5}, decisions=50)


class Wrong:
    def __init__(self, rules: Rules) -> None:
        pass

    def act(self, views: Views) -> np.ndarray:
        return np.zeros(len(views), np.int64)


def test_an_agent_at_fault_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.measuring.scores.load_agent", lambda _, rules: Wrong(rules))
    with pytest.raises(IllegalActionError, match="may not 9C"):
        stay_rates("wrong", "ohio", decisions=50)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rules-v1", "--rules", "stick-the-dealer"], "nobody may drop in these rules"),
        (["rules-v1", "--decisions", "1"], "--decisions: 1 is not allowed; allowed: 2 to 1000000"),
        (["nobody"], "agent: 'nobody' is not known"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["scores", *arguments, "--json", str(tmp_path / "scores.json")]) == 1
    assert told in capsys.readouterr().err

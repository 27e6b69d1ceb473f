"""A data set of an event, as Minari reads it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from training.cli.app import main
from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.ledger import kept_hands

minari = pytest.importorskip("minari", reason="NOT CHECKED: Minari is not installed (the extra minari)")


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("event")
    agents = {"careful": "rules-v1", "random": "random"}
    config = TournamentConfig(rules="bucked-3", agents=agents, deals=50, out=folder)  # type: ignore[arg-type]
    play_tournament(config, keep=True, progress=False)
    return folder


def test_minari_reads_the_hands_with_the_points_that_the_event_keeps(
    event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["dataset", str(event), "--deals", "3", "--out", str(out)]) == 0
    assert "buck-euchre-bucked-3-v0: " in capsys.readouterr().out
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(out))
    read = minari.load_dataset("buck-euchre-bucked-3-v0")
    kept = [kept_hands(event, deal)[1] for deal in range(3)]
    hands = sum(len(points) for points in kept)
    facts = list(read.storage.get_episode_metadata(read.episode_indices))
    assert hands <= len(facts) <= 3 * hands
    for episode, fact in zip(read.iterate_episodes(), facts, strict=True):
        options = fact["options"]
        steps = len(episode.actions)
        assert len(episode.observations) == len(episode.infos["action_mask"]) == steps + 1
        assert episode.infos["action_mask"][np.arange(steps), episode.actions].all()
        assert episode.rewards[-1] == kept[options["deal"]][options["seating"], options["seat"]]
        assert not episode.rewards[:-1].any()
        assert episode.terminations.tolist() == [False] * (steps - 1) + [True]
    assert {fact["options"]["agent"] for fact in facts} == {"careful", "random"}
    env = read.recover_environment()
    assert env.observation_space == read.observation_space
    assert env.unwrapped.rules.base == "bucked-3"
    env.close()
    card = (out / "README.md").read_text()
    assert f"{len(facts):,} episodes" in card
    assert "| careful | rules-v1 | no weights |" in card


def test_what_cannot_be_is_refused(event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for arguments, said in (
        ([str(event), "--deals", "51", "--out", str(tmp_path / "a")], "keeps no hands of deal 50"),
        ([str(event), "--deals", "0", "--out", str(tmp_path / "a")], "--deals: 0 is not allowed"),
        ([str(event), "--out", str(tmp_path / "full")], "holds other files"),
        ([str(tmp_path), "--out", str(tmp_path / "a")], "holds no event"),
    ):
        assert main(["dataset", *arguments]) == 1
        assert said in capsys.readouterr().err
    assert not (tmp_path / "a").exists()

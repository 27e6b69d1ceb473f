"""Bots that leave: what a bundle holds is what the bot does, and what does not fit is refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from bundles import quietly, with_sums
from places import ROOT

from agents import AgentError, load_agent
from agents.bots.bot import BotError, write_bot
from agents.bots.bundle_files import MODEL_FILE, SAMPLES_FILE, SUMS_FILE
from agents.bots.network import read_network
from buck_env import LAYOUT, OBSERVATION_SIZE, PROFILES, load_rules
from training.export.bundles import check_bundle
from training.measuring.arena import play_hands
from training.measuring.duplicate import deal_seeds
from training.measuring.reachable import reachable


@pytest.mark.parametrize("play", ["greedy", "sampled"])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_agent_of_a_bundle_takes_the_actions_of_its_bot(profile: str, play: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    bot = untrained(tmp_path / "bot", rules)
    original, loaded = (
        load_agent(name, rules) for name in (f"ppo:{bot}@{play}", f"onnx:{quietly(bot, tmp_path / 'bundle')}@{play}")
    )
    views, _ = reachable(rules, original, tables=150, astray=0.3, seed=6)
    assert len(views) >= 1000
    assert np.array_equal(original.act(views), loaded.act(views))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_bundle_plays_a_thousand_deals_without_an_illegal_action(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    bundle = quietly(untrained(tmp_path / "bot", rules), tmp_path / "bundle")
    agents = {play: load_agent(f"onnx:{bundle}@{play}", rules) for play in ("greedy", "sampled")}
    seating = np.arange(1000)[:, None] + np.arange(rules.seats) & 1
    points = play_hands(rules, agents, seating, deal_seeds(3, 1000))  # raises IllegalActionError
    assert len(np.unique(points)) > 3


def test_the_same_bot_gives_the_same_bundle_byte_for_byte(bot: Path, bundle: Path, tmp_path: Path) -> None:
    again = quietly(bot, tmp_path / "bundle")
    assert sorted(path.name for path in again.iterdir()) == ["SHA256SUMS", "bot.json", "model.onnx", "samples.jsonl"]
    for path in again.iterdir():
        assert path.read_bytes() == (bundle / path.name).read_bytes(), path.name


@pytest.mark.parametrize("house", ["configs/rules/bucked-race.yaml", {"base": "ohio", "illegal_play": "renege"}])
def test_house_rules_leave_too(house: Any, tmp_path: Path) -> None:
    rules = load_rules(ROOT / house if isinstance(house, str) else house)
    bundle = quietly(untrained(tmp_path / "bot", rules), tmp_path / "bundle", samples=40)
    assert rules.name in check_bundle(bundle)
    samples = [json.loads(line) for line in (bundle / SAMPLES_FILE).read_text().splitlines()]
    assert len(samples) >= 30
    assert any(sample["hands_played"] for sample in samples)


def test_a_bot_without_opinions_is_told_that_it_has_none_to_show(tmp_path: Path) -> None:
    bot = untrained(tmp_path / "bot", load_rules("bucked"), hidden=[8])
    card, weights = read_network(bot)
    facts = {key: value for key, value in asdict(card).items() if key not in ("weights", "sha256")}
    write_bot(bot, {name: np.zeros_like(array) for name, array in weights.items()}, **facts)
    with pytest.raises(BotError, match="rates all actions alike"):
        quietly(bot, tmp_path / "bundle")


def test_a_bot_that_learned_one_phase_leaves_with_that_phase(tmp_path: Path) -> None:
    rules = load_rules("bucked")
    bundle = quietly(untrained(tmp_path / "bot", rules, phases=["stay"]), tmp_path / "bundle")
    for line in (bundle / SAMPLES_FILE).read_text().splitlines():
        assert json.loads(line)["greedy"] in ("stay", "drop")
    with pytest.raises(AgentError, match="has not learned order, call, play"):
        load_agent(f"onnx:{bundle}", rules)
    agent = load_agent(f"phases:stay=onnx:{bundle},else=rules-v1", rules)
    assert play_hands(rules, {"both": agent}, np.zeros((50, 4), int), deal_seeds(1, 50)).any()


def test_the_card_tells_all_that_a_host_must_know(bundle: Path, bot: Path) -> None:
    card = json.loads((bundle / "bot.json").read_text())
    rules = load_rules("ohio")
    assert card["rules"] == {"base": "ohio", **rules.as_dict()}
    assert [piece["name"] for piece in card["observation"]] == list(LAYOUT)
    for piece in card["observation"]:
        assert piece["start"] == LAYOUT[piece["name"]].start
        assert piece["start"] + np.prod(piece["shape"]) == LAYOUT[piece["name"]].stop
        assert piece["meaning"]
    assert card["actions"][:2] == ["9C", "TC"]
    assert len(card["actions"]) == 43
    assert card["license"] == "MIT"
    assert card["provenance"]["weights_sha256"] == json.loads((bot / "bot.json").read_text())["sha256"]
    assert card["inputs"]["observation"] == ["int8", "batch", OBSERVATION_SIZE]
    assert card["outputs"]["value"] == ["float32", "batch"]
    for line in (bundle / SUMS_FILE).read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((bundle / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("name", ["bot.json", MODEL_FILE, SAMPLES_FILE, SUMS_FILE])
def test_a_bundle_with_a_file_cut_changed_or_lost_is_refused(name: str, copy: Path) -> None:
    whole = (copy / name).read_bytes()
    for data in (whole[:-20], whole[: len(whole) // 2], b"", whole[:9] + bytes([whole[9] ^ 1]) + whole[10:]):
        (copy / name).write_bytes(data)
        with pytest.raises(
            BotError, match=rf"{name}: (checksum is not|lists|is not a list)|checksum is not the one in {name}"
        ):
            check_bundle(copy)
        with pytest.raises(BotError):
            load_agent(f"onnx:{copy}", load_rules("ohio"))
    (copy / name).unlink()
    with pytest.raises(BotError, match=f"{name}: cannot be read"):
        check_bundle(copy)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda card: card.update(format="zip"), "format is 'zip'"),
        (lambda card: card.update(observation_version=7), "observation_version is 7.*export the bot again"),
        (lambda card: card.update(environment="spades"), "environment is 'spades'"),
        (lambda card: card["actions"].reverse(), "actions: not as in this version"),
        (lambda card: card["observation"].pop(), "observation: not as in this version"),
        (lambda card: card["observation"][3].update(start=0), "observation: not as in this version"),
        (
            lambda card: card["inputs"].update(observation=["float32", "batch", OBSERVATION_SIZE]),
            "inputs: not as in this version",
        ),
        (lambda card: card.update(phases=["bid"]), "phases: bid is no phase of its rules"),
        (lambda card: card.update(phases=[]), "phases: none"),
        (lambda card: card.update(play="boldly"), "play: "),
        (lambda card: card.update(temperature=0), "temperature: "),
        (lambda card: card.update(note=1), "note: "),
        (lambda card: card.pop("license"), "license: "),
        (lambda card: card["rules"].update(seats=9), "bot.json: rules: seats: 9 is not allowed"),
        (lambda card: card["rules"].update(target=-5), "view: is not of the rules ohio, target -5"),
        (lambda card: card.update(canonical=False), "suits: the sample has"),
    ],
)
def test_a_card_that_does_not_fit_is_refused(copy: Path, edit: Any, said: str) -> None:
    card = json.loads((copy / "bot.json").read_text())
    edit(card)
    (copy / "bot.json").write_text(json.dumps(card))
    with pytest.raises(BotError, match=said) as caught:
        check_bundle(with_sums(copy))
    assert str(copy) in str(caught.value)


def test_a_bundle_of_other_rules_is_refused_by_name(bundle: Path) -> None:
    with pytest.raises(BotError, match="was trained for the rules ohio, not for bucked"):
        load_agent(f"onnx:{bundle}", load_rules("bucked"))
    for name, said in (("onnx:", "allowed: onnx:FOLDER"), (f"onnx:{bundle}@wildly", "not a way to play")):
        with pytest.raises(ValueError, match=said):
            load_agent(name, load_rules("ohio"))

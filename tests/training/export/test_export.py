"""Bots that leave: what a bundle holds is what the bot does, anyone can verify it, and nothing else is let in."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from bots import untrained
from onnx import helper, numpy_helper, parser
from places import ROOT

from agents import AgentError, load_agent
from agents.bots.bot import BotError, write_bot
from agents.bots.bundle import Bundle
from agents.bots.bundle_files import MODEL_FILE, SAMPLES_FILE, SUMS_FILE, read_bundle, write_bundle
from agents.bots.network import forward, input_scale, layer_names, masked_log_softmax, read_network
from agents.bots.onnx_bot import OnnxAgent
from agents.bots.policy import choose
from agents.pretrained import pretrained_folder
from buck_env import PROFILES, Rules, load_rules
from buck_env.observation.layout import LAYOUT
from training.cli.app import main
from training.export.bundles import check_bundle, export
from training.export.levels import LEVELS
from training.export.onnx_graph import build_model, rounded
from training.export.samples import make_samples
from training.export.unused import used_entries
from training.learning.network import Network
from training.learning.self_play import TrainConfig, train
from training.measuring.arena import play_hands
from training.measuring.measures import deal_seeds
from training.measuring.reachable import reachable


def quietly(bot: Path, out: Path, **options: Any) -> Path:
    """The bundle of a bot, not measured unless told so."""
    export(str(bot), out, **{"deals": 0, "samples": 24, "say": lambda _: None, **options})
    return out


def raw(bundle: Path) -> onnxruntime.InferenceSession:
    """The model as a foreign host has it."""
    return onnxruntime.InferenceSession(bundle / MODEL_FILE, providers=["CPUExecutionProvider"])


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained(tmp_path_factory.mktemp("bot"), load_rules("ohio"))


@pytest.fixture(scope="module")
def bundle(bot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quietly(bot, tmp_path_factory.mktemp("bundle"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = TrainConfig(
        out=str(tmp_path_factory.mktemp("trained")), tables=256, steps=16, hidden=[64], minibatch=256,
        decisions=150_000, evaluate=0, checkpoint=0,
    )  # fmt: skip
    return train(config, say=lambda _: None)


# --- The same bot -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("canonical", [True, False], ids=["canonical", "plain"])
@pytest.mark.parametrize("profile", PROFILES)
def test_torch_numpy_and_onnx_agree_on_reachable_positions(profile: str, canonical: bool, tmp_path: Path) -> None:
    rules = load_rules(profile)
    bot = untrained(tmp_path / "bot", rules, canonical=canonical, objective="points" if canonical else "win")
    session = raw(quietly(bot, tmp_path / "bundle"))
    views, _ = reachable(rules, load_agent(f"ppo:{bot}", rules), tables=150, hands=3, astray=0.3, seed=5)
    assert len(views) >= 1000
    views = views.take(np.arange(0, len(views), len(views) // 1000)[:1000])
    observation, mask = views.canonical[:2] if canonical else (views.observation, views.action_mask)
    assert observation.dtype == mask.dtype == np.int8

    card, weights = read_network(bot, rules)
    network = Network(card.hidden, card.objective)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    with torch.no_grad():
        of_torch, values = (x.numpy() for x in network(torch.from_numpy(observation).float(), torch.from_numpy(mask)))
    logits, of_numpy = forward(weights, len(card.hidden), observation, input_scale(card.objective))
    legal = mask != 0
    for batch in (1, 3, 64):
        parts = [
            session.run(None, {"observation": observation[i : i + batch], "action_mask": mask[i : i + batch]})
            for i in range(0, 1000, batch)
        ]
        log_probs, value = (np.concatenate(outputs) for outputs in zip(*parts, strict=True))
        assert log_probs.shape == (1000, 43)
        assert np.abs(log_probs - of_torch)[legal].max() < 1e-4
        assert np.abs(np.exp(log_probs) - np.exp(masked_log_softmax(logits, mask))).max() < 1e-5
        assert np.array_equal(log_probs.argmax(1), of_torch.argmax(1))
        assert (log_probs[~legal] == -np.inf).all()
        assert np.allclose(value, values, rtol=1e-5, atol=1e-5)
        assert np.allclose(value, of_numpy, rtol=1e-5, atol=1e-5)


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


def test_inputs_go_by_name_in_either_order(bundle: Path) -> None:
    rules = load_rules("ohio")
    observation, mask, _ = reachable(rules, load_agent(f"onnx:{bundle}", rules), tables=4)[0].canonical
    session = raw(bundle)
    one = session.run(["log_probabilities", "value"], {"observation": observation, "action_mask": mask})
    other = session.run(["value", "log_probabilities"], {"action_mask": mask, "observation": observation})
    assert np.array_equal(one[0], other[1])
    assert np.array_equal(one[1], other[0])
    assert [(i.name, i.type, i.shape) for i in session.get_inputs()] == [
        ("observation", "tensor(int8)", ["batch", 512]),
        ("action_mask", "tensor(int8)", ["batch", 43]),
    ]
    with pytest.raises(Exception, match="Unexpected input data type"):
        session.run(None, {"observation": observation.astype(np.float32), "action_mask": mask})


def test_drawing_by_the_models_probabilities_is_drawing_by_torchs(bot: Path, bundle: Path) -> None:
    rules = load_rules("ohio")
    views, _ = reachable(rules, load_agent(f"ppo:{bot}@sampled", rules), tables=8, seed=2)
    observation, mask, _ = views.canonical
    card, weights = read_network(bot, rules)
    network = Network(card.hidden, card.objective)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    with torch.no_grad():
        expected = network(torch.from_numpy(observation).float(), torch.from_numpy(mask))[0].exp().numpy()
    log_probs = raw(bundle).run(["log_probabilities"], {"observation": observation, "action_mask": mask})[0]
    draws, n, tested = np.random.default_rng(0), 20_000, 0
    for row in range(0, len(views), len(views) // 20):
        drawn = choose(np.repeat(log_probs[row : row + 1], n, axis=0), draws.random(n))
        assert mask[row, drawn].all()
        often = n * expected[row] >= 5
        counts = np.bincount(drawn, minlength=43)
        if often.sum() > 1:
            chi_square = ((counts - n * expected[row])[often] ** 2 / (n * expected[row][often])).sum()
            degrees = int(often.sum()) - 1
            assert chi_square < degrees + 4.5 * (2 * degrees) ** 0.5 + 10  # p < 0.0001 at 1 to 9 degrees
            tested += 1
    assert tested >= 10


def test_one_legal_action_is_certain_and_the_first_and_last_number_draw_a_legal_one(bundle: Path) -> None:
    mask = np.eye(43, dtype=np.int8)
    log_probs = raw(bundle).run(
        ["log_probabilities"], {"observation": np.zeros((43, 512), np.int8), "action_mask": mask}
    )[0]
    for uniforms in (None, np.zeros(43), np.full(43, np.nextafter(1, 0))):
        assert choose(log_probs, uniforms).tolist() == list(range(43))


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


# --- Eight bits -------------------------------------------------------------------------------------------------------


def test_eight_bits_are_small_and_are_the_rounded_network_in_any_batch(bot: Path, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    bundle = quietly(bot, tmp_path / "int8", int8=True)
    assert (bundle / MODEL_FILE).stat().st_size < 100_000
    card, weights = read_network(bot, rules)
    multiplied_out = dict(weights)
    used = np.isin(np.arange(512), used_entries(rules, "points"))
    for name, _, _ in layer_names(card.hidden):
        weight = weights[f"{name}.weight"] * (used if name == "hidden_0" else 1)
        whole, scale = rounded(weight)
        assert (np.abs(whole * scale[:, None] - weight) <= scale[:, None] * 0.501).all()
        multiplied_out[f"{name}.weight"] = whole * scale[:, None]
    agent = load_agent(f"onnx:{bundle}", rules)
    assert isinstance(agent, OnnxAgent)
    observation, mask, _ = reachable(rules, agent, tables=100)[0].canonical
    expected, values = forward(multiplied_out, 2, observation, np.ones(512, np.float32))
    log_probs, found = agent.policy(observation, mask)
    assert np.abs(np.exp(log_probs) - np.exp(masked_log_softmax(expected, mask))).max() < 1e-5
    assert np.allclose(found, values, atol=1e-4)
    for row in range(50):
        alone = agent.policy(observation[row : row + 1], mask[row : row + 1])[0]
        assert np.abs(np.exp(alone) - np.exp(log_probs[row])).max() < 1e-5


@pytest.mark.parametrize("name", PROFILES)
def test_every_pretrained_bot_takes_less_than_200_kb_in_eight_bits(name: str, tmp_path: Path) -> None:
    bundle = quietly(Path(pretrained_folder(name)), tmp_path / "int8", int8=True)
    assert (bundle / MODEL_FILE).stat().st_size < 200_000


def test_the_strength_that_eight_bits_cost_is_measured(trained: Path, tmp_path: Path) -> None:
    told: list[str] = []
    card, _, _ = read_bundle(quietly(trained, tmp_path, int8=True, deals=200, say=told.append))
    by_opponent = {strength.against: strength for strength in card.strength}
    assert list(by_opponent) == ["rules-v1", "random", "the bot it was made from"]
    assert by_opponent["the bot it was made from"].gain.low > -0.1
    assert by_opponent["random"].gain.low > 0.5
    assert all(strength.deals == 200 and strength.points.low <= strength.points.high for strength in card.strength)
    assert any("among the bot it was made from" in line for line in told)


# --- Levels -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_level_departs_from_the_likeliest_action_as_often_as_it_says(level: str, bot: Path, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    bundle = quietly(bot, tmp_path, level=level)
    agent = load_agent(f"onnx:{bundle}", rules)
    assert isinstance(agent, OnnxAgent)
    assert agent.sampled
    assert not load_agent(f"onnx:{bundle}@greedy", rules).sampled  # type: ignore[attr-defined]
    card, weights = read_network(bot, rules)
    views, _ = reachable(rules, load_agent(f"ppo:{bot}", rules), tables=256, hands=2, seed=1)
    observation, mask, _ = views.canonical
    log_probs, _ = agent.policy(observation, mask)
    logits, _ = forward(weights, 2, observation, input_scale(card.objective))
    tempered = masked_log_softmax(logits / np.float32(agent.bundle.temperature), mask)
    assert np.abs(np.exp(log_probs) - np.exp(tempered)).max() < 1e-5
    drawn = agent.act(views) != load_agent(f"onnx:{bundle}@greedy", rules).act(views)
    assert drawn.mean() == pytest.approx(LEVELS[level], abs=0.03)


def test_levels_of_a_trained_bot_are_apart(trained: Path, tmp_path: Path) -> None:
    card, _, _ = read_bundle(quietly(trained, tmp_path, level="medium", deals=400))
    assert (card.level, card.play) == ("medium", "sampled")
    easy, medium, hard = card.levels
    assert [level.level for level in card.levels] == ["easy", "medium", "hard"]
    assert easy.points.high < medium.points.low
    assert medium.points.high < hard.points.low
    assert easy.temperature > medium.temperature == card.temperature
    hardest, _, _ = read_bundle(quietly(trained, tmp_path, level="hard"))
    assert (hardest.play, hardest.temperature) == ("greedy", 1.0)


# --- What a port is told ----------------------------------------------------------------------------------------------


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
    assert card["inputs"]["observation"] == ["int8", "batch", 512]
    assert card["outputs"]["value"] == ["float32", "batch"]
    for line in (bundle / SUMS_FILE).read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((bundle / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("profile", PROFILES)
def test_samples_show_every_phase(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    bundle = quietly(untrained(tmp_path / "bot", rules), tmp_path / "bundle", samples=48)
    samples = [json.loads(line) for line in (bundle / SAMPLES_FILE).read_text().splitlines()]
    start, width = LAYOUT["phase"].start, 8
    phases = Counter(tuple(sample["observation"][start : start + width]) for sample in samples)
    assert len(samples) == 48
    assert len(phases) == len(rules.phases)
    assert min(phases.values()) >= 3
    assert "null" in json.dumps(samples[0]["view"])


def suits_by_the_words(rules: Rules, plain: np.ndarray, plays: list[int], viewer_plays: set[int]) -> str:
    """`Bundle.suits` done by a port: from an observation with suits as they are, and the cards played in order."""

    def cards(piece: str) -> set[int]:
        return set(np.flatnonzero(plain[LAYOUT[piece]]).tolist())

    trump = np.flatnonzero(plain[LAYOUT["trump"]])
    shown = cards("upcard")
    held_or_played = cards("hand") | viewer_plays
    if len(trump) and trump[0] < 4:
        firsts = [int(trump[0])]
    elif rules.making == "order":
        firsts = [min(shown) // 6]
    else:
        worth = []
        for suit in range(4):
            of_suit = [card % 6 for card in held_or_played if card // 6 == suit]
            bower = 6 * (3 - suit) + 2 in held_or_played
            worth.append(sum([3, 3, 10, 4, 5, 6][rank] for rank in of_suit) + 8 * bower)
        firsts = [suit for suit in range(4) if worth[suit] == max(worth)]
    discards = plain[LAYOUT["discards"]]
    best: tuple[Any, str] | None = None
    for first in firsts:
        for second in range(4):
            if second in (first, 3 - first):
                continue
            goes_by = {first: 0, 3 - first: 3, second: 1, 3 - second: 2}

            def relabelled(card: int, goes_by: dict[int, int] = goes_by) -> int:
                return 6 * goes_by[card // 6] + card % 6

            def highest_first(some: set[int], relabelled: Callable[[int], int] = relabelled) -> list[int]:
                return sorted(map(relabelled, some), reverse=True)

            key = [
                *(highest_first(some) for some in (held_or_played, cards("hand"), cards("taken"), cards("laid"))),
                [relabelled(int(card)) for place in (1, 2, 3, 4) for card in np.flatnonzero(discards == place)],
                [relabelled(card) for card in shown],
                [relabelled(card) for card in plays],
            ]
            if best is None or key > best[0]:
                best = key, "".join("CDHS"[goes_by[suit]] for suit in range(4))
    assert best is not None
    return best[1]


@pytest.mark.parametrize("profile", PROFILES)
def test_suits_are_relabelled_as_the_card_says_in_words(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    views, _ = reachable(rules, load_agent("random", rules), tables=120, seed=11)
    labels = views.canonical[2]
    for i in range(len(views)):
        table = views.tables[i]
        plays = [int(play) for play in table["plays"][: table["played"]]]
        own = {play & 31 for play in plays if play >> 5 == views.seats[i]}
        words = suits_by_the_words(rules, views.observation[i], [play & 31 for play in plays], own)
        assert words == "".join("CDHS"[labels[i] >> 3 * suit & 7] for suit in range(4))


# --- Made by anyone, refused with the reason --------------------------------------------------------------------------


def with_sums(folder: Path) -> Path:
    """Checksums as they should be: what is wrong has to be found elsewhere."""
    sums = "".join(
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("bot.json", MODEL_FILE, SAMPLES_FILE)
    )
    (folder / SUMS_FILE).write_text(sums)
    return folder


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    for path in bundle.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


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
        (lambda card: card["inputs"].update(observation=["float32", "batch", 512]), "inputs: not as in this version"),
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


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda s: s["observation"].__setitem__(400, 1 - s["observation"][400]), "observation: the sample has"),
        (lambda s: s["action_mask"].append(0), "action_mask: the sample has"),
        (lambda s: s["probabilities"].__setitem__(0, s["probabilities"][0] + 2e-5), "probabilities: the sample has"),
        (lambda s: s["probabilities"].pop(), "probabilities: the sample has"),
        (lambda s: s.update(value=s["value"] + 1e-3), "value: the sample has"),
        (lambda s: s.update(greedy="play:9C" if s["greedy"] != "play:9C" else "pass"), "greedy: the sample has"),
        (lambda s: s.update(sampled="nothing"), "sampled: the sample has"),
        (lambda s: s.update(suits="CCCC"), "suits: the sample has"),
        (lambda s: s.update(uniform=1.0), "uniform: "),
        (lambda s: s.pop("value"), "value: Field required"),
        (lambda s: s["view"].update(dealer=9), "dealer: 9 is no seat"),
        (lambda s: s["view"]["hands"].__setitem__(0, ["AS"] * 5), "hands|dealt twice|AS"),
        (lambda s: s["view"].update(rules="bucked"), "view: is not of the rules ohio"),
        (lambda s: s["view"].update(rules="rules.yaml"), "view: is not of the rules ohio"),
        (lambda s: s["view"].update(rules=["ohio"]), "view: is not of the rules ohio"),
        (lambda s: s["view"].update(rules={"base": "ohio", "seats": 9}), "view: is not of the rules ohio"),
    ],
)
def test_samples_that_engine_or_model_contradict_are_refused_with_their_line(copy: Path, edit: Any, said: str) -> None:
    lines = (copy / SAMPLES_FILE).read_text().splitlines()
    sample = json.loads(lines[4])
    edit(sample)
    lines[4] = json.dumps(sample)
    (copy / SAMPLES_FILE).write_text("\n".join(lines))
    with pytest.raises(BotError, match=said) as caught:
        check_bundle(with_sums(copy))
    assert "samples.jsonl:5: " in str(caught.value)


def test_no_samples_and_what_is_no_json_are_refused(copy: Path) -> None:
    for data, said in ((b"\n", "holds no samples"), (b"{", "samples.jsonl:1: the line: Invalid JSON")):
        (copy / SAMPLES_FILE).write_bytes(data)
        with pytest.raises(BotError, match=said):
            check_bundle(with_sums(copy))


def test_the_model_of_another_bot_is_refused(copy: Path) -> None:
    weights = {
        f"{name}.{part}": np.full(shape, 0.01, np.float32)
        for name, inputs, outputs in layer_names([8])
        for part, shape in (("weight", (outputs, inputs)), ("bias", (outputs,)))
    }
    (copy / MODEL_FILE).write_bytes(build_model(weights, [8], "points"))
    with pytest.raises(BotError, match="probabilities: the sample has"):
        check_bundle(with_sums(copy))


HEAD = (
    '<ir_version: 8, opset_import: ["" : 17]> bot (int8[batch, 512] observation, int8[batch, 43] action_mask) '
    "=> (float[batch, 43] log_probabilities, float[batch] value)"
)
BODY = (
    "{ weight = Constant <value = float[1, 1] {0.5}> () x = Cast <to = 1> (observation) "
    "first = Constant <value_ints = [0]> () last = Constant <value_ints = [1]> () "
    "ends = Constant <value_ints = [43]> () "
    "scores = Slice (x, first, ends, last) mixed = Add (scores, weight) bent = Tanh (mixed) "
    "mask = Cast <to = 9> (action_mask) never = Constant <value = float {-inf}> () "
    "masked = Where (mask, bent, never) log_probabilities = LogSoftmax <axis = 1> (masked) "
    "value = ReduceSum <keepdims = 0> (x, last) }"
)


def edited(change: Callable[[onnx.ModelProto], Any]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        model = onnx.load_model_from_string(data)
        change(model)
        return bytes(model.SerializeToString())

    return edit


def external(model: onnx.ModelProto) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def external_in_a_constant(model: onnx.ModelProto) -> None:
    tensor = numpy_helper.from_array(np.ones(3, np.float32), "aside")
    model.graph.node.append(helper.make_node("Constant", [], ["aside"], value=tensor))
    external_tensor = model.graph.node[-1].attribute[0].t
    external_tensor.external_data.add(key="location", value="weights.bin")


def with_a_branch(model: onnx.ModelProto) -> None:
    graph = helper.make_graph([], "branch", [], [])
    model.graph.node.append(helper.make_node("If", ["legal"], ["unused"], then_branch=graph, else_branch=graph))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda data: b"not a model", "is no ONNX file"),
        (lambda data: b"", "is no ONNX file"),
        (lambda data: data[: len(data) // 2], "is no ONNX file"),
        (edited(external), "illegal lies in another file|lies in another file"),
        (edited(external_in_a_constant), "lies in another file"),
        (edited(with_a_branch), "operator If; allowed: Add"),
        (
            edited(lambda m: m.graph.node.append(helper.make_node("Run", [], ["x"], domain="com.example"))),
            "operator Run of the domain com.example",
        ),
        (
            edited(lambda m: m.graph.node.append(helper.make_node("RandomUniform", [], ["x"], shape=[2]))),
            "operator RandomUniform; allowed",
        ),
        (edited(lambda m: m.opset_import.add(domain="com.example", version=1)), "domain com.example"),
        (edited(lambda m: m.functions.add(name="f")), "has functions"),
        (edited(lambda m: setattr(m.graph.input[0], "name", "obs")), "inputs are obs, action_mask"),
        (edited(lambda m: m.graph.output.pop()), "outputs are log_probabilities; allowed"),
        (
            edited(lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 1)),
            "observation is not int8 of shape \\(batch, 512\\)",
        ),
        (
            edited(lambda m: setattr(m.graph.input[1].type.tensor_type.shape.dim[1], "dim_value", 44)),
            "action_mask is not int8 of shape \\(batch, 43\\)",
        ),
        (
            edited(lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[0], "dim_value", 1)),
            "observation has a fixed batch of 1",
        ),
        (edited(lambda m: m.graph.node[3].input.__setitem__(0, "nowhere")), "is not valid ONNX"),
        (edited(lambda m: m.graph.initializer.pop()), "is not valid ONNX"),
    ],
)
def test_a_model_that_could_do_more_or_less_than_arithmetic_is_refused(copy: Path, edit: Any, said: str) -> None:
    (copy / MODEL_FILE).write_bytes(edit((copy / MODEL_FILE).read_bytes()))
    for refuse in (check_bundle, lambda folder: load_agent(f"onnx:{folder}", load_rules("ohio"))):
        with pytest.raises(BotError, match=said) as caught:
            refuse(with_sums(copy))
        assert str(copy / MODEL_FILE) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_bundle_made_by_anyone_is_taken(bundle: Path, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    card, _, _ = read_bundle(bundle)
    card = replace(card, canonical=False, play="sampled", license="CC0-1.0", made_with="by hand")
    model = bytes(parser.parse_model(HEAD + BODY).SerializeToString())
    agent = OnnxAgent(card, model, tmp_path)
    write_bundle(tmp_path, card, model, make_samples(rules, agent, 10))
    assert "10 samples agree" in check_bundle(tmp_path)


def test_a_model_that_forgets_the_mask_is_refused(bundle: Path, copy: Path) -> None:
    careless = BODY.replace("masked = Where (mask, bent, never)", "masked = Where (mask, bent, bent)")
    (copy / MODEL_FILE).write_bytes(bytes(parser.parse_model(HEAD + careless).SerializeToString()))
    with pytest.raises(BotError, match="jsonl:1: the model's log_probabilities are no distribution over the legal"):
        check_bundle(with_sums(copy))


def test_a_bundle_of_other_rules_is_refused_by_name(bundle: Path) -> None:
    with pytest.raises(BotError, match="was trained for the rules ohio, not for bucked"):
        load_agent(f"onnx:{bundle}", load_rules("bucked"))
    for name, said in (("onnx:", "names no bundle"), (f"onnx:{bundle}@wildly", "not a way to play")):
        with pytest.raises(ValueError, match=said):
            load_agent(name, load_rules("ohio"))


# --- The command line -------------------------------------------------------------------------------------------------


def test_export_and_check_by_command(bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bundle"
    assert (
        main(["export", f"ppo:{bot}", "--out", str(out), "--deals", "0", "--samples", "8", "--license", "CC0-1.0"]) == 0
    )
    assert main(["check", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2
    assert "plays ohio, greedy, float32" in told[0]
    assert told[0] == told[1]
    card = json.loads((out / "bot.json").read_text())
    assert card["license"] == "CC0-1.0"
    assert Bundle(**card).strength == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere"], "cannot be read"),
        (["export", "nowhere", "--out", "x"], "cannot be read"),
        (["export", "pretrained:nobody", "--out", "x"], "no such bot"),
        (["export", "BOT", "--out", "x", "--deals", "1"], "--deals: 1 gives no interval"),
        (["export", "BOT", "--out", "x", "--samples", "0"], "--samples: 0 is too few"),
        (["export", "BOT", "--out", "BOT/bot.json", "--deals", "0"], "cannot be written"),
        (["export", "BOT", "--out", "BOT"], "holds a bot that is no bundle"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main([argument.replace("BOT", str(bot)) for argument in arguments]) == 1
    told = capsys.readouterr().err
    assert told.startswith("buck: ")
    assert said in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("name", ["model.onnx", "samples.jsonl", "SHA256SUMS"])
def test_files_of_something_else_are_not_written_over(
    name: str, bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / name).write_text("mine")
    assert main(["export", str(bot), "--out", str(tmp_path / "x"), "--deals", "0"]) == 1
    assert f"holds {name}, but no bundle's bot.json; give --out another folder" in capsys.readouterr().err
    assert [path.read_text() for path in (tmp_path / "x").iterdir()] == ["mine"]


def test_onnxruntime_is_loaded_only_for_a_bundle() -> None:
    code = (
        "import sys, agents, agents.bots.bundle, agents.bots.network, agents.bots.policy, training.cli.app\n"
        "assert not {'onnx', 'onnxruntime', 'torch'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_without_onnxruntime_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from training.cli.app import main\n"
        "sys.exit(main(['tournament', 'demo', 'agents=[random, onnx:somewhere]']))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == "buck: this command needs onnxruntime: pip install 'buck-euchre-rl[onnx]'\n"


def test_export_and_check_load_no_torch(bot: Path, tmp_path: Path) -> None:
    arguments = ["export", str(bot), "--out", str(tmp_path / "x"), "--deals", "2", "--samples", "4"]
    code = (
        f"import sys; from training.cli.app import main\nassert main({arguments}) == 0\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)

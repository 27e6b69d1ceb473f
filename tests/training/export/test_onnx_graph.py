"""The ONNX file of a bot is the network that was trained, and in 8 bits the rounded one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from bots import untrained
from bundles import quietly, raw

from agents import load_agent
from agents.bots.bundle_files import MODEL_FILE
from agents.bots.network import forward, input_scale, layer_names, masked_log_softmax, read_network
from agents.bots.onnx_bot import OnnxAgent
from agents.bots.policy import pick_actions
from agents.pretrained import pretrained_folder
from buck_env import OBSERVATION_SIZE, PROFILES, load_rules
from training.export.onnx_graph import rounded
from training.export.unused import used_entries
from training.learning.network import Network
from training.measuring.reachable import reachable


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


def test_inputs_go_by_name_in_either_order(bundle: Path) -> None:
    rules = load_rules("ohio")
    observation, mask, _ = reachable(rules, load_agent(f"onnx:{bundle}", rules), tables=4)[0].canonical
    session = raw(bundle)
    one = session.run(["log_probabilities", "value"], {"observation": observation, "action_mask": mask})
    other = session.run(["value", "log_probabilities"], {"action_mask": mask, "observation": observation})
    assert np.array_equal(one[0], other[1])
    assert np.array_equal(one[1], other[0])
    assert [(i.name, i.type, i.shape) for i in session.get_inputs()] == [
        ("observation", "tensor(int8)", ["batch", OBSERVATION_SIZE]),
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
        drawn = pick_actions(np.repeat(log_probs[row : row + 1], n, axis=0), draws.random(n))
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
        ["log_probabilities"], {"observation": np.zeros((43, OBSERVATION_SIZE), np.int8), "action_mask": mask}
    )[0]
    for uniforms in (None, np.zeros(43), np.full(43, np.nextafter(1, 0))):
        assert pick_actions(log_probs, uniforms).tolist() == list(range(43))


def test_eight_bits_are_small_and_are_the_rounded_network_in_any_batch(bot: Path, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    bundle = quietly(bot, tmp_path / "int8", int8=True)
    assert (bundle / MODEL_FILE).stat().st_size < 100_000
    card, weights = read_network(bot, rules)
    multiplied_out = dict(weights)
    used = np.isin(np.arange(OBSERVATION_SIZE), used_entries(rules, "points"))
    for name, _, _ in layer_names(card.hidden):
        weight = weights[f"{name}.weight"] * (used if name == "hidden_0" else 1)
        whole, scale = rounded(weight)
        assert (np.abs(whole * scale[:, None] - weight) <= scale[:, None] * 0.501).all()
        multiplied_out[f"{name}.weight"] = whole * scale[:, None]
    agent = load_agent(f"onnx:{bundle}", rules)
    assert isinstance(agent, OnnxAgent)
    observation, mask, _ = reachable(rules, agent, tables=100)[0].canonical
    expected, values = forward(multiplied_out, 2, observation, np.ones(OBSERVATION_SIZE, np.float32))
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

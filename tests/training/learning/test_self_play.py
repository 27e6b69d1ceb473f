"""Learning: whose reward is whose, the arithmetic by hand, and that a network learns at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents import load_agent
from agents.bots.bot import BotError, read_bot
from agents.bots.network import forward, input_scale, masked_log_softmax
from buck_env import PROFILES, load_rules
from buck_env.environments.tables import Tables
from training.base.config import ConfigError, find_config, load_config
from training.learning.losses import entropy_of
from training.learning.network import Network, arrays
from training.learning.rollout import Rollout
from training.learning.self_play import Learner, TrainConfig, train
from training.measuring.measures import compare


def script(turns: list[tuple[int, float, dict[int, float], bool]]) -> Rollout:
    """One table of two seats: each turn is (seat, value, rewards by seat on that step, whether the episode ended)."""
    rollout = Rollout(len(turns) + 3, 1, 2)
    for turn in turns:
        take(rollout, *turn)
    return rollout


def take(rollout: Rollout, seat: int, value: float, rewards: dict[int, float], ended: bool) -> None:
    rollout.add(np.array([0]), np.array([seat]), value=np.array([value], np.float32))
    rollout.outcome(np.array([[rewards.get(s, 0.0) for s in range(2)]], np.float32), np.array([ended]))


def test_gae_by_hand_with_two_seats_interleaved() -> None:
    rollout = script(
        [
            (0, 1.0, {}, False),
            (1, 2.0, {0: 3.0}, False),  # seat 0's, on seat 1's turn
            (0, 0.5, {1: -1.0}, False),
            (1, 1.5, {0: 4.0, 1: 2.0}, True),
        ]
    )
    assert rollout.finish(gamma=0.9, gae_lambda=0.8).tolist() == [0, 1, 2, 3]
    last_0 = 4.0 - 0.5
    last_1 = 2.0 - 1.5
    first_0 = 3.0 + 0.9 * 0.5 - 1.0 + 0.9 * 0.8 * last_0
    first_1 = -1.0 + 0.9 * 1.5 - 2.0 + 0.9 * 0.8 * last_1
    assert rollout.advantage[:4].tolist() == pytest.approx([first_0, first_1, last_0, last_1])
    assert rollout.gathered[:4].tolist() == [3.0, -1.0, 4.0, 2.0]


def test_an_episode_that_ends_on_anothers_turn_ends_for_every_seat() -> None:
    rollout = script(
        [(0, 1.0, {}, False), (1, 0.0, {0: -5.0, 1: 1.0}, True), (0, 7.0, {}, False), (0, 3.0, {0: 2.0}, True)]
    )
    assert rollout.finish(1.0, 1.0).tolist() == [0, 1, 2, 3]
    assert rollout.advantage[:4].tolist() == pytest.approx([-6.0, 1.0, 2.0 - 7.0, 2.0 - 3.0])


def test_open_decisions_carry_over_with_what_they_have_gathered() -> None:
    rollout = script([(0, 1.0, {}, False), (1, 2.0, {0: 1.0}, False), (0, 3.0, {1: 5.0}, False)])
    assert rollout.finish(1.0, 1.0).tolist() == [0], "only seat 0's first decision has a next one"
    assert rollout.advantage[0] == pytest.approx(1.0 + 3.0 - 1.0)
    following = Rollout(8, 1, 2)
    rollout.carry_over(following)
    assert following.length == 2
    assert following.value[:2].tolist() == [2.0, 3.0]
    take(following, 1, 0.0, {0: 4.0, 1: 6.0}, True)
    assert following.finish(1.0, 1.0).tolist() == [0, 1, 2]
    assert following.advantage[:3].tolist() == pytest.approx([5.0 + 0.0 - 2.0 + 6.0, 4.0 - 3.0, 6.0])


@pytest.mark.parametrize("rules", PROFILES)
def test_every_seat_is_credited_with_all_that_it_scores(rules: str) -> None:
    """Lesson D1: a seat's rewards, whoever's turn they fall on, reach its own decisions, over many rollouts."""
    tables = Tables(rules, 8, episode="match", max_hands=5, autoreset="same_step")
    tables.reset(0)
    seats, rng = tables.rules.seats, np.random.default_rng(0)
    rollout, following = Rollout(400, 8, seats), Rollout(400, 8, seats)
    who: list[tuple[int, int]] = []
    credited, earned = np.zeros((8, seats)), np.zeros((8, seats))
    for _ in range(6):
        for _ in range(40):
            acting = tables.seats.copy()
            who += zip(range(8), acting.tolist(), strict=True)
            rollout.add(np.arange(8), acting)
            tables.step(np.array([rng.choice(np.flatnonzero(row)) for row in tables.masks]))
            rollout.outcome(tables.rewards, tables.flags[:, 3])
            earned += tables.rewards
        for row in rollout.finish(1.0, 1.0):
            credited[who[row]] += rollout.gathered[row]
        still_open = np.sort(rollout.last_row[rollout.last_row >= 0])
        rollout.carry_over(following)
        who = [who[row] for row in still_open]
        rollout, following = following, rollout
    for row, place in enumerate(who):
        credited[place] += rollout.gathered[row]
    unheard = earned - credited  # scored before a seat's first decision of an episode: nobody's decision
    assert np.abs(unheard).sum() <= 0.02 * np.abs(earned).sum()


def test_entropy_of_k_equal_actions_is_log_k_and_of_one_is_0() -> None:
    network = Network([16])
    with torch.no_grad():
        network.get_submodule("policy").weight.zero_()  # type: ignore[operator, union-attr]
    for k in (1, 2, 5, 43):
        mask = torch.zeros(1, 43, dtype=torch.int8)
        mask[0, :k] = 1
        log_probs, _ = network(torch.zeros(1, 512), mask)
        assert entropy_of(log_probs).item() == pytest.approx(np.log(k), abs=1e-5)


def test_gradients_stay_finite_where_one_action_is_legal() -> None:
    network = Network([16])
    mask = torch.zeros(4, 43, dtype=torch.int8)
    mask[:, 7] = 1
    log_probs, value = network(torch.randn(4, 512), mask)
    (entropy_of(log_probs).sum() + log_probs[:, 7].sum() + value.sum()).backward()
    assert all(torch.isfinite(p.grad).all() for p in network.parameters())


def test_numpy_and_torch_agree() -> None:
    network = Network([32, 32])
    rng = np.random.default_rng(0)
    observation = rng.integers(-128, 127, (50, 512)).astype(np.int8)
    mask = (rng.random((50, 43)) < 0.3).astype(np.int8)
    mask[:, 0] = 1
    with torch.no_grad():
        log_probs, value = network(torch.from_numpy(observation).float(), torch.from_numpy(mask))
    logits, ours = forward(arrays(network), 2, observation, input_scale("points"))
    legal = mask != 0
    assert np.allclose(masked_log_softmax(logits, mask)[legal], log_probs.numpy()[legal], atol=1e-4)
    assert np.allclose(ours, value.numpy(), atol=1e-3)


def small(folder: Path, **changes: Any) -> TrainConfig:
    return TrainConfig(
        **{
            "out": str(folder), "tables": 64, "steps": 16, "hidden": [32], "minibatch": 256, "decisions": 3_000,
            "evaluate": 0, "threads": 1, **changes,
        }
    )  # fmt: skip


def test_the_same_seed_gives_the_same_weights_and_another_does_not(tmp_path: Path) -> None:
    bots = [
        train(small(tmp_path / name, seed=seed), say=lambda _: None) for name, seed in (("a", 1), ("b", 1), ("c", 2))
    ]
    sums = [json.loads((bot / "bot.json").read_text())["sha256"] for bot in bots]
    assert sums[0] == sums[1] != sums[2]


def test_ppo_learns_to_beat_random_players(tmp_path: Path) -> None:
    folder = train(small(tmp_path / "bot", decisions=150_000, tables=256, hidden=[64]), say=lambda _: None)
    rules = load_rules("ohio")
    result = compare(rules, load_agent(f"ppo:{folder}", rules), load_agent("random", rules), deals=300)
    assert result.gain.low > 0.5
    assert result.edge.low > 0.5


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(small(tmp_path_factory.mktemp("bots") / "bot"), say=lambda _: None)


def test_a_bot_carries_its_weights_configuration_rules_versions_and_seed(bot: Path) -> None:
    card = json.loads((bot / "bot.json").read_text())
    assert card["environment"] == "buck_euchre_v0"
    assert card["rules"]["base"] == "ohio"
    assert len(card["rules"]) > 30
    assert {"rules_version", "observation_version", "actions_version", "seed", "config", "decisions"} <= set(card)
    assert len(list(bot.glob("weights-*.safetensors"))) == 1
    assert list((bot / "logs").iterdir())


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda card: card.update(observation_version=7), "observation_version is 7"),
        (lambda card: card.update(actions_version=None), "actions_version is None"),
        (lambda card: card.update(environment="buck_euchre_v9"), "environment is 'buck_euchre_v9'"),
        (lambda card: card.update(format="zip"), "format is 'zip'"),
        (lambda card: card.update(seed="x"), "seed"),
        (lambda card: card.update(note=1), "note"),
        (lambda card: card.pop("weights"), "weights"),
        (lambda card: card.update(weights="../x.safetensors"), "not a file name"),
        (lambda card: card.update(weights="other.safetensors"), "cannot be read"),
        (lambda card: card.update(hidden=[64]), "float32 of shape"),
        (lambda card: card["rules"].update(target=1), "trained for the rules"),
    ],
)
def test_a_bot_that_does_not_fit_is_refused_by_name(bot: Path, tmp_path: Path, edit: Any, said: str) -> None:
    card = json.loads((bot / "bot.json").read_text())
    weights = bot / card["weights"]
    (tmp_path / weights.name).write_bytes(weights.read_bytes())
    edit(card)
    (tmp_path / "bot.json").write_text(json.dumps(card))
    with pytest.raises(BotError, match=said):
        load_agent(f"ppo:{tmp_path}", load_rules("ohio"))


def test_damage_is_told(bot: Path, tmp_path: Path) -> None:
    card = json.loads((bot / "bot.json").read_text())
    data = (bot / card["weights"]).read_bytes()
    for text, weights, said in (
        ("{", data, "JSON"),
        ("[1]", data, "JSON"),
        (json.dumps(card), data[:-5], "checksum"),
        (json.dumps(card), b"", "checksum"),
    ):
        (tmp_path / "bot.json").write_text(text)
        (tmp_path / card["weights"]).write_bytes(weights)
        with pytest.raises(BotError, match=said):
            read_bot(tmp_path, load_rules("ohio"))
    with pytest.raises(BotError, match="cannot be read"):
        read_bot(tmp_path / "nothing", load_rules("ohio"))
    with pytest.raises(BotError, match="trained for the rules ohio, not for bucked"):
        read_bot(bot, load_rules("bucked"))


@pytest.mark.parametrize(
    ("text", "overrides", "said"),
    [
        ("seed: x", [], "seed: 'x'"),
        ("sead: 1", [], "sead.*allowed: rules"),
        ("seed: 1\nseed: 2", [], "line 2"),
        ("seed: [", [], "c.yaml"),
        ("- 1", [], "mapping"),
        ("seed: 1", ["tables=0"], "override: tables: 0"),
        ("seed: 1", ["tables"], "key=value"),
        ("seed: 1", ["learning_rate=fast"], "learning_rate"),
    ],
)
def test_a_bad_configuration_is_told(tmp_path: Path, text: str, overrides: list[str], said: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_config(TrainConfig, path, overrides)
    with pytest.raises(ConfigError, match=r"shipped: .*demo"):
        find_config("nothing", "train")


def test_overrides_lie_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("seed: 4\nlearning_rate: 1e-3\nrules: {base: ohio, target: -5}")
    config = load_config(TrainConfig, path, ["seed=5", "hidden=[8, 8]"])
    assert (config.seed, config.learning_rate, config.hidden) == (5, 1e-3, [8, 8])
    assert load_rules(config.rules).target == -5


def test_learner_reports_finite_figures() -> None:
    config = TrainConfig(tables=32, steps=8, hidden=[16], minibatch=64, rules="cutthroat", threads=1)
    learner = Learner(config, load_rules("cutthroat"))
    for _ in range(3):
        assert all(np.isfinite(list(learner.iterate(0.0).values())))
    learner.close()

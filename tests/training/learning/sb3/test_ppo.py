"""stable-baselines3: masks, forced decisions, logs; bots and checkpoints as self-play has them, and no archives."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv, VecMonitor
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents import load_agent
from agents.bots.bot import BotError
from agents.bots.network import NetworkAgent, forward, input_scale, masked_log_softmax
from buck_env import LAYOUT, PROFILES, BuckError, IllegalActionError, load_rules
from buck_env.environments.tables import Tables
from buck_env.observation.views import Views, original_actions
from training.base.config import ConfigError, configs_folder, find_config, load_config
from training.cli.app import main
from training.learning import self_play
from training.learning.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint
from training.learning.figures import COUNTS, HandCounts, count_views, shares
from training.learning.losses import entropy_of
from training.learning.network import Network, arrays
from training.learning.sb3.policy import bot_layers, policy_settings
from training.learning.sb3.ppo import HandFigures, MaskableLearner, PPOConfig, train
from training.learning.sb3.vec_env import SeatVecEnv, make_vec_env
from training.learning.train_config import TrainConfig
from training.measuring.arena import play_hands
from training.measuring.measures import gain
from training.tournament.event import TournamentConfig, play_tournament


def small(folder: Path, **changes: Any) -> PPOConfig:
    return PPOConfig(
        **{
            "out": str(folder), "envs": 8, "n_steps": 32, "batch_size": 64, "n_epochs": 2, "hidden": [16],
            "decisions": 1_280, "evaluate": 0, **changes,
        }
    )  # fmt: skip


def silently(config: PPOConfig, **options: bool) -> Path:
    return train(config, say=lambda _: None, **options)


def checksum(folder: Path) -> str:
    return str(json.loads((folder / "bot.json").read_text())["sha256"])


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard shows of a run: steps and values by name."""
    events = EventAccumulator(str(folder))
    events.Reload()
    return {name: [(s.step, s.value) for s in events.Scalars(name)] for name in events.Tags()["scalars"]}


def masks_of(env: VecEnv) -> np.ndarray:
    return np.stack(env.env_method("action_masks"))


def drawn(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """A legal action of each row."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


# --- The native VecEnv ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [{"canonical": True}, {"episode": "match", "max_hands": 3}, {"rules": "cutthroat", "opponents": "random"}],
)
def test_the_native_vec_env_gives_what_dummy_vec_env_gives(settings: dict[str, Any]) -> None:
    envs = [
        make_vec_env(kind, 5, **{"opponents": "rules-v1", "illegal_action": "random", **settings})
        for kind in ("dummy", "native")
    ]
    for env in envs:
        env.seed(7)
    seen = [env.reset() for env in envs]
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(120):
        assert (seen[0] == seen[1]).all()
        masks = [masks_of(env) for env in envs]
        assert (masks[0] == masks[1]).all()
        assert masks[1].dtype == np.bool_
        actions = np.where(rng.random(5) < 0.05, 99, drawn(rng, masks[0]))
        theirs, ours = (env.step(actions) for env in envs)
        seen = [theirs[0], ours[0]]
        assert (theirs[1] == ours[1]).all()
        assert (theirs[2] == ours[2]).all()
        for expected, info in zip([*theirs[3], *envs[0].reset_infos], [*ours[3], *envs[1].reset_infos], strict=True):
            assert expected.keys() == info.keys()
            assert all(np.array_equal(expected[key], info[key]) for key in expected)
        ends += ours[2].sum()
    assert ends > 5


def test_a_cut_match_says_so_as_sb3_expects() -> None:
    env = make_vec_env("native", 4, episode="match", max_hands=1)
    env.seed(0)
    env.reset()
    rng = np.random.default_rng(0)
    cut = []
    while not cut:
        _, _, _, infos = env.step(drawn(rng, masks_of(env)))
        cut = [info for info in infos if info["TimeLimit.truncated"]]
    assert cut[0]["terminal_observation"].shape == env.observation_space.shape


def test_the_native_vec_env_tells_what_it_has() -> None:
    env = SeatVecEnv(3, rules="ohio", render_mode="ansi")
    env.seed(0)
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("wheels")
    assert (env.get_attr("action_masks")[2]() == masks_of(env)[2]).all()
    assert [rules.base for rules in env.get_attr("rules", indices=[0, 2])] == ["ohio", "ohio"]
    assert len(env.env_method("action_masks", indices=1)) == 1
    assert all("seat" in text for text in env.env_method("render"))
    with pytest.raises(AttributeError, match="allowed: action_masks"):
        env.env_method("wheels")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("rules", None)
    env.set_options({"hands": []})
    with pytest.raises(BuckError, match="options"):
        env.reset()
    env.close()


# --- Masks (lessons D4, D5, D6) ---------------------------------------------------------------------------------------


class Illegal(BaseCallback):
    """The most illegal actions that an episode had."""

    most = 0

    def _on_step(self) -> bool:
        self.most = max(self.most, *(info["illegal_actions"] for info in self.locals["infos"]))
        return True


def registered() -> gymnasium.Env[Any, Any]:
    return gymnasium.make("BuckEuchre-v0", opponents="random", illegal_action="random", disable_env_checker=True)


@pytest.mark.parametrize("kind", ["dummy", "subproc", "native"])
def test_maskable_ppo_takes_no_illegal_action_in_any_vec_env(kind: str) -> None:
    env: VecEnv = (
        DummyVecEnv([registered] * 4) if kind == "dummy"
        else SubprocVecEnv([registered] * 2) if kind == "subproc"
        else SeatVecEnv(4, opponents="random", illegal_action="random")
    )  # fmt: skip
    illegal = Illegal()
    model = MaskablePPO("MlpPolicy", env, n_steps=400 // env.num_envs, n_epochs=1, batch_size=100, seed=1)
    model.learn(2_000, callback=illegal)
    assert model.num_timesteps == 2_000
    assert illegal.most == 0
    model.learn(400, callback=illegal, use_masking=False, reset_num_timesteps=False)
    assert illegal.most > 0, "unmasked, the same policy would have been caught"
    env.close()


class Counted(SeatVecEnv):
    """Keeps the most illegal actions that an episode had, and how many steps there were."""

    most = steps = 0

    def step_wait(self) -> Any:
        result = super().step_wait()
        self.most = max(self.most, *(info["illegal_actions"] for info in result[3]))
        self.steps += 1
        return result


def test_masks_hold_in_evaluations_within_training_and_after_them() -> None:
    training, evaluation = (Counted(4, opponents="random", illegal_action="random") for _ in range(2))
    model = MaskablePPO("MlpPolicy", VecMonitor(training), n_steps=64, n_epochs=1, batch_size=64, seed=1)
    model.learn(512, callback=MaskableEvalCallback(VecMonitor(evaluation), n_eval_episodes=4, eval_freq=10, verbose=0))
    assert evaluation.steps >= 12 * 4, "twelve evaluations"
    assert (training.most, evaluation.most) == (0, 0)
    evaluate_policy(model, VecMonitor(evaluation), n_eval_episodes=4, use_masking=False)
    assert evaluation.most > 0


def test_a_run_with_an_evaluation_each_rollout_takes_no_illegal_action(tmp_path: Path) -> None:
    config = small(tmp_path, evaluate=1, evaluate_deals=10, vec="dummy", envs=4, decisions=384)
    told = scalars(silently(config) / "logs")
    assert [value for _, value in told["game/illegal_actions"]] == [0, 0, 0]
    assert [step for step, _ in told["evaluate/gain_over_rules-v1"]] == [128, 256, 384]


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return silently(small(tmp_path_factory.mktemp("bots") / "bot"))


@pytest.mark.parametrize("mode", ["", "@sampled"])
def test_the_bot_plays_a_thousand_deals_in_strict_mode(bot: Path, mode: str) -> None:
    rules = load_rules("ohio")
    agents = {"bot": load_agent(f"ppo:{bot}{mode}", rules), "random": load_agent("random", rules)}
    play_hands(rules, agents, np.tile([0, 1, 0, 0], (1_000, 1)), np.arange(1_000))


def test_the_bot_sits_down_at_tournaments_and_in_the_terminal(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = TournamentConfig(agents=[f"ppo:{bot}", "random"], deals=10, out=str(bot.parent / "tournament"))
    assert play_tournament(config) is not None
    monkeypatch.setattr("builtins.input", lambda question: question.split("(")[1].split(")")[0].split(", ")[0].lower())
    assert main(["play", "--against", f"ppo:{bot}", "--seed", "1", "--hands", "3"]) == 0


def test_predict_with_masks_is_legal_in_strict_mode_and_without_them_is_caught() -> None:
    model = MaskablePPO("MlpPolicy", SeatVecEnv(4, illegal_action="raise"), n_steps=8, batch_size=8, seed=1)
    env = VecMonitor(SeatVecEnv(50, illegal_action="raise"))
    for deterministic in (True, False):
        evaluate_policy(model, env, n_eval_episodes=500, deterministic=deterministic)
    with pytest.raises(IllegalActionError):
        evaluate_policy(model, env, n_eval_episodes=50, use_masking=False)


# --- One network for torch, numpy and SB3 -----------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [[32, 16], [24]])
def test_numpy_plays_the_masked_logits_of_the_sb3_policy(hidden: list[int]) -> None:
    env = SeatVecEnv(64, canonical=True, rules="dirty-clubs")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=256, policy_kwargs=policy_settings(hidden), seed=1)
    model.learn(1_024)
    observation, masks = env.reset(), masks_of(env)
    with torch.no_grad():
        seen = torch.from_numpy(observation)
        theirs = model.policy.get_distribution(seen, masks).distribution.logits.numpy()
        values = model.policy.predict_values(seen).numpy()[:, 0]
    weights = arrays(bot_layers(model.policy))
    logits, ours = forward(weights, len(hidden), observation, input_scale("points"))
    assert np.abs(masked_log_softmax(logits, masks) - theirs)[masks].max() < 1e-5
    assert np.abs(values - ours).max() < 1e-4
    network = Network(hidden)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    with torch.no_grad():
        log_probs, _ = network(seen.float(), torch.from_numpy(masks))
    assert np.abs(log_probs.numpy() - theirs)[masks].max() < 1e-5


def test_the_bot_on_disk_chooses_what_predict_chooses(tmp_path: Path) -> None:
    learner = MaskableLearner(small(tmp_path), load_rules("ohio"))
    tables = Tables("ohio", 256, canonical=True)
    tables.reset(0)
    bot = SimpleNamespace(phases=learner.phases, objective="points", canonical=True, hidden=[16], sha256="")
    agent = NetworkAgent(bot, learner.weights())  # type: ignore[arg-type]
    expected, _ = learner.model.predict(tables.observations, deterministic=True, action_masks=tables.masks)
    chosen = agent.act(Views.of(tables.rules, tables.tables, tables.logs))
    assert (chosen == original_actions(expected, tables.labels)).all()
    assert len(set(chosen.tolist())) > 1
    learner.close()


# --- Forced decisions (lesson D7) -------------------------------------------------------------------------------------

LENGTHS = [4_096, pytest.param(300_000, marks=pytest.mark.soak)]


@pytest.mark.parametrize("decisions", LENGTHS)
@pytest.mark.parametrize("whose", ["sb3", "ours"])
def test_forced_decisions_have_no_entropy_and_finite_gradients(whose: str, decisions: int) -> None:
    torch.manual_seed(0)
    env = SeatVecEnv(64)
    policy = MaskablePPO("MlpPolicy", env, n_steps=2, policy_kwargs=policy_settings([32])).policy
    network: torch.nn.Module = policy if whose == "sb3" else Network([32])
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)  # so high that logits go to extremes
    rng = np.random.default_rng(0)
    observation, forced = env.reset(), 0
    for _ in range(decisions // 64):
        masks = masks_of(env)
        action = drawn(rng, masks)
        seen, taken = torch.from_numpy(observation).float(), torch.from_numpy(action)
        if whose == "sb3":
            value, log_prob, entropy = policy.evaluate_actions(seen, taken, torch.from_numpy(masks))
            assert entropy is not None
        else:
            log_probs, value = network(seen, torch.from_numpy(masks))
            log_prob, entropy = log_probs.gather(1, taken[:, None])[:, 0], entropy_of(log_probs)
        single = torch.from_numpy(masks.sum(axis=1) == 1)
        forced += int(single.sum())
        assert (entropy[single] == 0).all()
        assert torch.isfinite(entropy).all()
        optimizer.zero_grad()
        (value.square().mean() - 0.01 * entropy.mean() - (log_prob * torch.randn(64)).mean()).backward()
        assert all(torch.isfinite(p.grad).all() for p in network.parameters() if p.grad is not None)
        optimizer.step()
        observation = env.step(action)[0]
    assert forced > decisions / 20


@pytest.mark.parametrize("decisions", LENGTHS)
def test_maskable_ppo_outlives_forced_decisions(tmp_path: Path, decisions: int) -> None:
    config = small(tmp_path, envs=64, n_epochs=1, batch_size=256, learning_rate=0.01, decisions=decisions, checkpoint=0)
    told = scalars(silently(config) / "logs")
    assert all(np.isfinite([value for _, value in figures]).all() for figures in told.values())
    assert all(value == 0 for _, value in told["game/illegal_actions"])


# --- Logs (lessons D10, D11) ------------------------------------------------------------------------------------------


def test_five_rollouts_are_one_run_whose_steps_strictly_increase(tmp_path: Path) -> None:
    folder = silently(small(tmp_path, decisions=5 * 256, evaluate=2, evaluate_deals=4))
    assert len(list(tmp_path.rglob("events.out.tfevents.*"))) == 1
    told = scalars(folder / "logs")
    assert [step for step, _ in told["train/loss"]] == [256, 512, 768, 1024, 1280]
    for figures in told.values():
        assert (np.diff([step for step, _ in figures]) > 0).all()


def test_seven_successes_of_a_hundred_bids_are_logged_as_such(tmp_path: Path) -> None:
    view = np.zeros(LAYOUT["played_in"].stop, np.int8)
    view[[LAYOUT["maker"].start, LAYOUT["trump"].start, LAYOUT["contract"].start + 2]] = 1  # maker of three
    lost, won = view.copy(), view.copy()
    lost[LAYOUT["tricks"].start + 1] = 1
    won[LAYOUT["tricks"].start + 2] = 1
    figures = HandFigures(load_rules("ohio"))
    logger = Logger(None, [TensorBoardOutputFormat(str(tmp_path))])
    figures.model = SimpleNamespace(logger=logger, num_timesteps=0)  # type: ignore[assignment]
    figures.on_rollout_start()
    for step in range(100):
        seen = {"terminal_observation": won if step % 14 == 1 and step < 98 else lost, "illegal_actions": step == 5}
        figures.update_locals({"infos": [seen, {"illegal_actions": 0}], "rewards": np.array([-5.0, 0.0])})
        assert figures.on_step()
    figures.on_rollout_end()
    logger.dump(200)
    logger.close()
    told = {name: values for name, [(_, values)] in scalars(tmp_path).items()}
    assert told["game/bid_success"] == pytest.approx(0.07)
    assert told["game/bid_success/of"] == 100
    assert told["game/illegal_actions"] == pytest.approx(1 / 200)
    assert told["game/illegal_actions/of"] == 200
    assert told["game/points"] == -5
    assert all(f"{name}/of" in told for name in told if not name.endswith("/of"))


@pytest.mark.parametrize("rules", PROFILES)
def test_last_views_count_as_the_tables_do(rules: str) -> None:
    tables = Tables(rules, 64, autoreset="same_step")
    tables.reset(0)
    counts, counted = HandCounts(tables.rules, 64), np.zeros(len(COUNTS), np.int64)
    own = np.arange(64) % tables.rules.seats
    seats = own[:, None] == np.arange(tables.rules.seats)
    rng = np.random.default_rng(0)
    for _ in range(150):
        counts.watch(tables.logs["number"], tables.finals, seats)
        counts.decided[:] = True
        tables.step(drawn(rng, tables.masks))
        ended = np.flatnonzero(tables.flags[:, 3])
        if len(ended):
            counted += count_views(tables.observe(own[ended], tables.finals.take(ended))[0], tables.rules)
    counts.watch(tables.logs["number"], tables.finals, seats)
    assert counted[0] > 200
    assert shares(counted) == counts.figures()


# --- Checkpoints ------------------------------------------------------------------------------------------------------


def test_a_run_gone_on_with_ends_as_one_left_alone_whatever_its_kind(tmp_path: Path) -> None:
    whole = silently(small(tmp_path / "whole", vec="dummy"))
    parts = tmp_path / "parts"
    silently(small(parts, decisions=512))
    kept = (parts / CHECKPOINT).read_bytes()
    silently(small(parts, decisions=1_024), resume=True)
    (parts / CHECKPOINT).write_bytes(kept)  # as if the run had been killed before its next checkpoint
    silently(small(parts, vec="native"), resume=True)
    assert checksum(parts) == checksum(whole)
    assert checksum(silently(small(tmp_path / "other", seed=2))) != checksum(whole)
    told, expected = scalars(parts / "logs"), scalars(whole / "logs")
    for name, figures in told.items():
        assert (np.diff([step for step, _ in figures]) > 0).all()
        assert figures == expected[name] or name == "time/fps"


def test_a_checkpoint_that_does_not_fit_is_refused_by_name(bot: Path, tmp_path: Path) -> None:
    def resume(**changes: Any) -> None:
        silently(small(tmp_path, **{"decisions": 9_000, **changes}), resume=True)

    path = tmp_path / CHECKPOINT
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        resume()
    whole = (bot / CHECKPOINT).read_bytes()
    for damaged in (whole[:-7], whole[: len(whole) // 2], b"", b"PK\x03\x04" + whole):
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"checkpoint\.safetensors: is no checkpoint, or a damaged one"):
            resume()
    path.write_bytes(whole)
    for key, value in (("hidden", [8]), ("seed", 5), ("envs", 4), ("learning_rate", 1e-3), ("rules", "bucked")):
        with pytest.raises(CheckpointError, match=f"{key} is .* in this run, not"):
            resume(**{key: value})
    state, facts = read_checkpoint(bot)
    for lacking in ("torch_rng", "optimizer.0.exp_avg", "network.policy.weight", "tables.tables"):
        for rest in ({}, {lacking: state[lacking][:3]}):
            write_checkpoint(tmp_path, {name: array for name, array in state.items() if name != lacking} | rest, facts)
            with pytest.raises(CheckpointError, match="is damaged"):
                resume()
    for fact in ("decisions", "seconds", "numpy_rng"):
        write_checkpoint(tmp_path, state, {name: value for name, value in facts.items() if name != fact})
        with pytest.raises(CheckpointError, match="is damaged"):
            resume()
    model = MaskablePPO("MlpPolicy", SeatVecEnv(2), n_steps=2, batch_size=2)
    model.save(tmp_path / "model.zip")
    shutil.move(tmp_path / "model.zip", path)
    with pytest.raises(CheckpointError, match="is no checkpoint"):
        resume()
    with pytest.raises(BotError, match=r"bot\.json"):
        load_agent(f"ppo:{tmp_path}", load_rules("ohio"))


def test_a_checkpoint_of_self_play_is_refused_and_the_other_way_round(bot: Path, tmp_path: Path) -> None:
    config = TrainConfig(out=str(tmp_path), tables=16, steps=8, hidden=[16], minibatch=64, decisions=100, evaluate=0)
    self_play.train(config, say=lambda _: None)
    with pytest.raises(CheckpointError, match="of a run of 'buck train', not of 'buck ppo'"):
        silently(small(tmp_path), resume=True)
    shutil.copy(bot / CHECKPOINT, tmp_path / CHECKPOINT)
    with pytest.raises(CheckpointError, match="of a run of 'buck ppo', not of 'buck train'"):
        self_play.train(config, say=lambda _: None, resume=True)


def test_neither_pickle_nor_archive_is_read_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("pickle or archive")

    for place, name in (
        (torch, "load"), (torch, "save"), (pickle, "load"), (pickle, "loads"), (pickle, "Unpickler"),
        (zipfile, "ZipFile"), (BaseAlgorithm, "load"), (BaseAlgorithm, "save"),
    ):  # fmt: skip
        monkeypatch.setattr(place, name, refuse)
    silently(small(tmp_path, decisions=512))
    silently(small(tmp_path), resume=True)
    load_agent(f"ppo:{tmp_path}", load_rules("ohio"))
    found = sorted(path.name.split(".", 1)[1].split(".")[0] for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["json", "out", "out", "safetensors", "safetensors"]


def test_a_run_begins_with_a_bot_of_either_learner(bot: Path, tmp_path: Path) -> None:
    learner = MaskableLearner(small(tmp_path, initial=str(bot)), load_rules("ohio"))
    learner.begin()
    agent = load_agent(f"ppo:{bot}", load_rules("ohio"))
    assert isinstance(agent, NetworkAgent)
    assert all(
        (array == agent._weights[name]).all() for name, array in learner.weights().items() if "hidden_0" not in name
    )
    learner.close()


def test_a_bot_says_how_it_was_made(bot: Path) -> None:
    card = json.loads((bot / "bot.json").read_text())
    assert card["decisions"] == 1_280
    assert card["config"]["n_steps"] == 32
    assert card["config"]["opponents"] == ["rules-v1"]
    assert (card["objective"], card["canonical"], card["hidden"]) == ("points", True, [16])


def test_it_learns_to_beat_random_players(tmp_path: Path) -> None:
    config = small(
        tmp_path, envs=128, batch_size=256, hidden=[64], learning_rate=3e-3, gamma=1.0, opponents=["random"],
        decisions=40_000, checkpoint=0,
    )  # fmt: skip
    rules = load_rules("ohio")
    agent = load_agent(f"ppo:{silently(config)}", rules)
    assert gain(rules, agent, load_agent("random", rules), deals=300).low > 0.5


# --- Configurations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["envs=0"], "envs: 0"),
        (["vec=ray"], "vec: 'ray'"),
        (["tables=3"], "tables: 3 is set, but there is no such key"),
        (["opponents=[random, random]"], "opponents is .* allowed: one for all, or 3"),
        (["seat=4"], "seat is 4; allowed: 0 to 3"),
        (["envs=5", "n_steps=13"], "batch_size is 64; allowed: one that leaves no minibatch of a single decision"),
        (["batch_size=1"], "batch_size: 1"),
    ],
)
def test_a_bad_configuration_is_told(overrides: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_config(PPOConfig, None, overrides)


def test_the_defaults_are_those_of_maskable_ppo() -> None:
    config, model = PPOConfig(), MaskablePPO("MlpPolicy", SeatVecEnv(2))
    for name in ("n_steps", "batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda", "ent_coef", "vf_coef",
                 "max_grad_norm"):  # fmt: skip
        assert getattr(config, name) == getattr(model, name), name
    assert config.clip_range == model.clip_range(1.0)  # type: ignore[operator]


@pytest.mark.parametrize("name", sorted(path.stem for path in (configs_folder() / "ppo").glob("*.yaml")))
def test_shipped_configurations_are_valid(name: str) -> None:
    config = load_config(PPOConfig, find_config(name, "ppo"))
    load_rules(config.rules)


def test_the_command_runs_and_tells_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "ppo",
        "ohio",
        f"out={tmp_path}",
        "envs=4",
        "n_steps=32",
        "batch_size=64",
        "decisions=128",
        "evaluate=0",
    ]
    assert main(arguments) == 0
    assert main(arguments) == 1
    assert "holds a run already" in capsys.readouterr().err
    for name in ("training.learning.sb3.ppo", "training.learning.sb3.policy", "training.learning.sb3.vec_env"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    assert main(arguments) == 1
    assert "pip install 'buck-euchre-rl[sb3]'" in capsys.readouterr().err

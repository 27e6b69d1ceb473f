"""The parts of learning, each against numbers worked by hand or an answer known beforehand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from agents import load_agent
from agents.bots.network import load_bot
from agents.rules_v1.player import RulesV1
from buck_env import ACTIONS, BuckError, load_rules
from buck_env.environments.tables import Tables
from buck_env.game.table import PHASES
from buck_env.observation.layout import LAYOUT
from buck_env.observation.views import original_actions
from training.base.config import ConfigError, load_config
from training.learning.collector import Choice, Collector
from training.learning.figures import COUNTS, HandCounts, by_phase
from training.learning.losses import clipped_policy_loss, entropy_of, kl_of, playout_loss, playout_points, scheduled
from training.learning.network import masked_log_softmax
from training.learning.opponents import LEARNER, OpponentPool
from training.learning.rollout import Rollout
from training.learning.self_play import Learner, TrainConfig, train
from training.learning.unseen_cards import UNSEEN_SIZE

# --- Arithmetic -------------------------------------------------------------------------------------------------------


def test_the_clipped_loss_by_hand() -> None:
    ratios, advantage = torch.tensor([1.5, 1.5, 0.5, 0.5, 1.1]), torch.tensor([1.0, -1.0, 1.0, -1.0, 2.0])
    gained = [1.2, -1.5, 0.5, -0.8, 2.2]  # clipped at 1.2; not; not; clipped at 0.8; within
    assert clipped_policy_loss(ratios.log(), advantage, 0.2).item() == pytest.approx(-sum(gained) / 5)


def test_the_divergence_by_hand() -> None:
    p = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]).clamp_min(1e-30).log()
    q = torch.tensor([[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]).clamp_min(1e-30).log()
    assert kl_of(p, q)[0].item() == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(2 / 3))
    assert kl_of(p, q)[1].item() == pytest.approx(0.0)
    assert kl_of(p, p).abs().max().item() == pytest.approx(0.0)


def test_the_distance_from_playouts_by_hand() -> None:
    log_probs = torch.tensor([[0.0, 1.0, 3.0, -80.0], [0.0, -2.0, -80.0, -80.0]])
    outcomes = torch.tensor([[2.0, 1.0, 3.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    mask = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]])
    # half a point each: 0, 0.5, 1.5 for 2, 1, 3 told; about their means -2/3, -1/6, 5/6 for 0, -1, 1; the second agrees
    missed = (2 / 3) ** 2 + (5 / 6) ** 2 + (1 / 6) ** 2
    assert playout_loss(log_probs, mask, outcomes, 0.5).item() == pytest.approx(missed / 2)


def test_what_a_policy_brings_by_playouts_and_its_gradient_by_hand() -> None:
    logits = torch.tensor([[0.0, 0.0, 7.0], [2.0, 9.0, 7.0]], requires_grad=True)
    outcomes = torch.tensor([[4.0, -2.0, 0.0], [3.0, 0.0, 0.0]])
    points = playout_points(masked_log_softmax(logits, torch.tensor([[1, 1, 0], [1, 0, 0]])), outcomes)
    assert points.item() == pytest.approx((1 + 3) / 2)
    points.backward()
    # p (q - mean q) of each action, 0 where there is no choice
    assert logits.grad is not None
    assert np.allclose(logits.grad, np.array([[0.5 * 3, 0.5 * -3, 0], [0, 0, 0]]) / 2)


@pytest.mark.parametrize(("progress", "value"), [(-1, 0.1), (0, 0.1), (0.25, 0.08), (1, 0.02), (3, 0.02)])
def test_a_schedule_is_a_straight_line_that_ends(progress: float, value: float) -> None:
    assert scheduled(0.1, 0.02, progress) == pytest.approx(value)


def test_figures_by_phase_are_means_of_the_decisions_of_each() -> None:
    phases = np.array([PHASES.index(name) for name in ("stay", "play", "stay", "play", "play")], np.int8)
    assert by_phase(np.array([1.0, 3.0, 2.0, 4.0, 5.0]), phases, PHASES) == {"stay": 1.5, "play": 4.0}


# --- Toy games with known answers -------------------------------------------------------------------------------------


class Toy:
    """A tabular policy over S states and A actions that learns by this project's rollouts, GAE and losses."""

    def __init__(self, states: int, actions: int, seats: int, rate: float = 0.05, entropy: float = 0.01) -> None:
        self.logits = nn.Parameter(torch.zeros(states, actions))
        self.values = nn.Parameter(torch.zeros(states))
        self.optimizer = torch.optim.Adam([self.logits, self.values], lr=rate)
        self.entropy = entropy
        self.generator = torch.Generator().manual_seed(0)
        self.rollout = Rollout(4096, 1, seats)
        self.states: list[int] = []

    def policy(self, mask: torch.Tensor | None = None) -> torch.Tensor:
        logits = self.logits if mask is None else self.logits.masked_fill(mask == 0, -1e8)
        return torch.log_softmax(logits, dim=1)

    def decide(self, state: int, seat: int, mask: torch.Tensor | None = None) -> int:
        log_probs = self.policy(mask)[state].detach()
        action = int(torch.multinomial(log_probs.exp(), 1, generator=self.generator))
        self.rollout.add(
            np.array([0]),
            np.array([seat]),
            action=np.array([action]),
            log_prob=log_probs[action : action + 1].numpy(),
            value=self.values.detach()[state : state + 1].numpy(),
        )
        self.states.append(state)
        return action

    def learn(self, mask: torch.Tensor | None = None) -> None:
        rollout = self.rollout
        rows = rollout.finish(1.0, 0.95)
        states = torch.tensor(self.states)[rows]
        advantage = torch.from_numpy(rollout.advantage[rows])
        target = advantage + torch.from_numpy(rollout.value[rows])
        log_probs = self.policy(mask)[states]
        taken = log_probs.gather(1, torch.from_numpy(rollout.action[rows])[:, None])[:, 0]
        loss = clipped_policy_loss(taken - torch.from_numpy(rollout.log_prob[rows]), advantage, 0.2)
        loss = loss + 0.5 * (self.values[states] - target).square().mean() - self.entropy * entropy_of(log_probs).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        rollout.length, self.states = 0, []
        rollout.last_row[:] = -1


def test_a_masked_bandit_finds_the_best_legal_arm() -> None:
    toy, mask = Toy(1, 4, 1), torch.tensor([[1, 1, 0, 1]])
    worth = [0.1, 0.5, 9.0, 0.2]  # the best arm is not legal
    for _ in range(200):
        for _ in range(32):
            arm = toy.decide(0, 0, mask)
            toy.rollout.outcome(np.array([[worth[arm]]], np.float32), np.array([True]))
        toy.learn(mask)
    chances = toy.policy(mask)[0].exp()
    assert chances[1] > 0.9
    assert chances[2] == 0


def test_two_seats_find_the_only_equilibrium_of_a_matrix_game() -> None:
    """Seat 0 wins where both choose alike, on 1 three times as much: each mixes 3 to 1, seat 1 seeing nothing."""
    toy = Toy(2, 2, 2, rate=0.005, entropy=0.1)
    mean = torch.zeros(2, 2)
    rounds = 900
    for i in range(rounds):
        for _ in range(32):
            one, other = toy.decide(0, 0), toy.decide(1, 1)
            won = (1.0 if one == 0 else 3.0) if one == other else 0.0
            toy.rollout.outcome(np.array([[won, -won]], np.float32), np.array([True]))
        toy.learn()
        mean += toy.policy().exp().detach() * (i >= rounds // 3) / (rounds - rounds // 3)
    assert mean[:, 0].numpy() == pytest.approx([0.75, 0.75], abs=0.08)


def test_a_chain_whose_rewards_fall_on_others_turns_is_learned() -> None:
    """Seat 0 decides four times; each 1 brings it a point, two turns of seat 1 later, where seat 1 decides nothing."""
    toy = Toy(5, 2, 2)
    for _ in range(150):
        for _ in range(16):
            owed = 0.0
            for step in range(4):
                owed += toy.decide(step, 0)
                toy.rollout.outcome(np.zeros((1, 2), np.float32), np.array([False]))
                toy.decide(4, 1)
                toy.rollout.outcome(np.array([[owed if step == 3 else 0.0, 0]], np.float32), np.array([step == 3]))
        toy.learn()
    assert (toy.policy()[:4, 1].exp() > 0.9).all()
    assert toy.values[0].item() == pytest.approx(4, abs=0.5)


# --- The opponent pool ------------------------------------------------------------------------------------------------


def pool(**changes: Any) -> OpponentPool:
    settings = {"names": ["a", "b"], "snapshots": 2, "share": 0.5, "sampling": "uniform", "seed": 0, **changes}
    return OpponentPool(1000, 4, **settings)


def test_a_share_of_the_tables_seats_the_learner_alone_against_one_of_the_pool() -> None:
    full = pool()
    full.remember({"w": np.zeros(1)})
    full.seat(np.ones(1000, bool))
    assert (full.sitting[500:] == LEARNER).all()
    assert ((full.sitting[:500] == LEARNER).sum(axis=1) == 1).all()
    met = full.sitting[:500].max(axis=1)
    assert all(len(np.unique(row)) == 2 for row in full.sitting[:500])
    assert np.bincount(met, minlength=4)[1:].tolist() == pytest.approx([500 / 3] * 3, rel=0.25)
    where = (full.sitting[:500] == LEARNER).sum(axis=0)
    assert where.tolist() == pytest.approx([125] * 4, rel=0.3)


def test_hard_opponents_are_met_more_often_in_proportion_to_exp_of_minus_edge() -> None:
    hard = pool(sampling="hard")
    hard.edges[:2] = [np.log(3), 0.0]
    assert hard.chances().tolist() == pytest.approx([0.25, 0.75])
    hard.sitting[:] = LEARNER
    hard.sitting[0] = [1, LEARNER, 1, 1]
    earned = np.zeros((1000, 4))
    earned[0] = [0.0, 6.0, 1.0, 2.0]  # the learner 6, the others 1 on average
    before = hard.edges[0]
    hard.seat(np.arange(1000) == 0, earned)
    assert hard.edges[0] == pytest.approx(0.99 * before + 0.01 * 5.0)


def test_the_oldest_of_the_earlier_selves_gives_way() -> None:
    full = pool(names=[])
    for i in range(3):
        full.remember({"w": np.array([i])})
    assert [int(weights["w"][0]) for weights in full.weights] == [2, 1]
    arrays, facts = full.save()
    other = pool(names=[])
    other.restore(arrays, facts)
    assert [int(weights["w"][0]) for weights in other.weights] == [2, 1]


# --- Who decides what -------------------------------------------------------------------------------------------------


def collected(rules: str, learn: list[str], names: list[str], share: float, decisions: int = 400) -> tuple[Any, Any]:
    house = load_rules(rules)
    tables = Tables(house, 32, autoreset="same_step", skip_forced=True)
    tables.reset(3)
    rng = np.random.default_rng(0)

    def act(observation: np.ndarray, mask: np.ndarray, hidden: np.ndarray) -> Choice:
        n = len(mask)
        return Choice(np.array([rng.choice(np.flatnonzero(row)) for row in mask]), np.zeros(n), np.zeros(n))

    seats = OpponentPool(32, house.seats, names=names, snapshots=0, share=share, sampling="uniform", seed=0)
    collector = Collector(
        house, tables, seats, act=act, sample=lambda *_: np.zeros(0), learn=learn,
        otherwise=load_agent("rules-v1", house), opponents=[load_agent(name, house) for name in names], hidden=True,
    )  # fmt: skip
    rollout = Rollout(decisions + 64, 32, house.seats, hidden=True)
    collector.collect(rollout, decisions)
    return collector, rollout


@pytest.mark.parametrize(
    ("rules", "learn"), [("ohio", ["stay"]), ("dirty-clubs", ["bid", "name"]), ("cutthroat", ["exchange"])]
)
def test_only_learned_phases_are_recorded_and_other_hands_are_counted(rules: str, learn: list[str]) -> None:
    collector, rollout = collected(rules, learn, [], 0.0)
    assert {PHASES[phase] for phase in rollout.phase[: rollout.length]} == set(learn)
    figures = collector.counts.figures()
    assert figures["game/hands_without_decision/of"] == collector.counts.counts[COUNTS.index("hands")] > 0
    assert 0 <= figures["game/hands_without_decision"] < 1


def test_against_a_pool_only_the_learners_own_seat_is_recorded() -> None:
    collector, rollout = collected("ohio", list(PHASES), ["random"], 1.0)
    assert (rollout.last_row >= 0).sum(axis=1).max() == 1
    sitting = collector.pool.sitting
    open_seats = np.nonzero(rollout.last_row >= 0)
    assert (sitting[open_seats] == LEARNER).all()


# --- Figures of the game ----------------------------------------------------------------------------------------------


def test_seven_successful_bids_in_a_hundred_are_logged_as_7_percent_of_100() -> None:
    """Lesson D11: counts are kept whole until they are divided, and each share tells its denominator."""
    rules = load_rules("dirty-clubs")
    tables = Tables(rules, 100)
    counts = HandCounts(rules, 100)
    own = np.zeros((100, 4), bool)
    own[:, 2] = True
    finals = tables.finals.copy()
    finals["trump"], finals["maker"], finals["contract"] = 1, 2, 3
    finals["stayed"] = 0b1011  # three others; the maker's seat takes no stay decision
    finals["tricks"][:] = [1, 1, 2, 1]
    finals["tricks"][:7] = [1, 1, 3, 0]
    counts.watch(np.zeros(100, np.int64), finals, own)
    counts.watch(np.ones(100, np.int64), finals, own)
    figures = counts.figures()
    assert figures["game/bid_success"] == pytest.approx(0.07)
    assert figures["game/bid_success/of"] == 100
    assert figures["game/bid_level"] == 3
    assert figures["game/hands_without_decision"] == 1
    assert "game/stay_rate" not in figures, "nothing to divide by is no figure"


# --- The learner's options --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"oracle_critic": True},
        {"oracle_critic": True, "playouts": True, "critic_hidden": [8], "playout_weight": 0.1},
        {"canonical": False, "suit_augmentation": True, "oracle_critic": True, "playouts": True, "playout_weight": 1.0},
        {"oracle_critic": True, "playouts": True, "playout_gradient": 4.0, "playout_correction": True},
        {
            "canonical": False,
            "suit_augmentation": True,
            "oracle_critic": True,
            "playouts": True,
            "playout_gradient": 1.0,
        },
        {
            "learn": ["stay"],
            "oracle_critic": True,
            "playouts": True,
            "playout_weight": 1.0,
            "playout_correction": True,
        },
        {"magnet": 0.1, "entropy": 0.02, "entropy_end": 0.0},
        {"canonical": False, "suit_augmentation": True, "oracle_critic": True},
        {"opponents": ["rules-v1", "random"], "snapshots": 2, "snapshot_every": 1, "opponent_sampling": "hard"},
        {"learn": ["order", "call"], "otherwise": "random"},
        {"objective": "win"},
    ],
)
def test_every_option_learns_with_finite_figures(options: dict[str, Any]) -> None:
    config = TrainConfig(tables=32, steps=8, hidden=[16], minibatch=64, **options)
    learner = Learner(config, load_rules("ohio"))
    before = learner.weights()
    for _ in range(3):
        assert np.isfinite(list(learner.iterate(0.5).values())).all()
    learner.close()
    after = learner.weights()
    assert any(not np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["suit_augmentation=true"], "suit_augmentation is True; allowed: false where canonical is true"),
        (["snapshots=2", "opponent_share=0"], "opponent_share is 0.0; allowed: above 0 where there are snapshots"),
        (
            ["opponents=[random]", "opponent_share=0"],
            "opponent_share is 0.0; allowed: above 0 where there are opp",
        ),
        (["playouts=true"], "playouts is True; allowed: false where oracle_critic is false"),
        (["critic_hidden=[8]"], "critic_hidden is [8]; allowed: null where oracle_critic is false"),
        (["oracle_critic=true", "playout_weight=1"], "playout_weight is 1.0; allowed: 0 where playouts is false"),
        (["oracle_critic=true", "playout_gradient=1"], "playout_gradient is 1.0; allowed: 0 where playouts is false"),
        (
            ["oracle_critic=true", "playouts=true", "playout_correction=true"],
            "playout_correction is True; allowed: false where playout_weight and playout_gradient are 0",
        ),
        (
            [
                "oracle_critic=true",
                "playouts=true",
                "playout_gradient=1",
                "playout_correction=true",
                "learn=[order, call]",
                "otherwise=random",
            ],
            "playout_correction is True; allowed: false where otherwise, here random, is not rules-v1",
        ),
        (["oracle_critic=true", "playouts=true", "gamma=0.9"], "gamma is 0.9; allowed: 1 where playouts is true"),
        (["oracle_critic=true", "playouts=true", "objective=win"], "playouts is True; allowed: false where objective"),
        (["steps=4"], "steps is 4; allowed: more than 4, the seats of these rules"),
        (["rules=bucked-3", "steps=3"], "steps is 3; allowed: more than 3"),
        (["initial=''"], "initial"),
        (["out=''"], "out"),
        (["learn=[]"], "learn is []; allowed: at least one phase"),
        (["learn=[name]"], "learn: name does not occur in these rules; allowed: order"),
    ],
)
def test_options_that_exclude_one_another_are_refused(overrides: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(told)):
        load_config(TrainConfig, None, overrides)


def test_the_policy_never_sees_what_the_oracle_critic_sees() -> None:
    config = TrainConfig(tables=32, steps=8, hidden=[16], minibatch=64, oracle_critic=True)
    learner = Learner(config, load_rules("ohio"))
    tables = learner.collector.tables
    seen, mask = tables.observations[:4], tables.masks[:4]
    nothing, everything = np.zeros((4, UNSEEN_SIZE), np.int8), np.ones((4, UNSEEN_SIZE), np.int8)
    state = learner.generator.get_state()
    one = learner.act(seen, mask, nothing)
    learner.generator.set_state(state)
    other = learner.act(seen, mask, everything)
    learner.close()
    assert np.array_equal(one.action, other.action)
    assert np.array_equal(one.log_prob, other.log_prob)
    assert not np.allclose(one.value, other.value)


def test_the_oracle_critic_learns_what_a_playout_does_not_foretell() -> None:
    config = TrainConfig(
        tables=32, steps=8, hidden=[16], oracle_critic=True, playouts=True, critic_hidden=[], gae_lambda=1
    )
    learner = Learner(config, load_rules("ohio"))
    critic = learner.networks["critic"].layers[-1]
    torch.nn.init.zeros_(critic.weight)
    torch.nn.init.constant_(critic.bias, 0.25)
    learner.player.load_state_dict(learner.networks.state_dict())
    rollout = learner.rollouts[0]
    learner.collector.collect(rollout, 320)
    rows = rollout.finish(1.0, 1.0)
    rows = rows[rollout.final[rows]]
    assert len(set(rollout.playout[rows].tolist())) > 4
    assert np.array_equal(rollout.value[rows], rollout.playout[rows] + 0.25)
    figures, _ = learner.update(rollout, rows)
    learner.close()
    missed = rollout.gathered[rows] - rollout.playout[rows]
    assert figures["value/critic_loss"] == pytest.approx(0.5 * ((missed - 0.25) ** 2).mean(), rel=1e-5)


@pytest.mark.parametrize("canonical", [True, False])
def test_playouts_tell_of_actions_as_the_learner_sees_them(canonical: bool) -> None:
    config = TrainConfig(
        tables=64, steps=8, hidden=[16], canonical=canonical, oracle_critic=True, playouts=True, playout_weight=1.0
    )
    learner = Learner(config, load_rules("ohio"))
    rollout, game = learner.rollouts[0], learner.collector.tables
    for _ in range(8):
        first, tables, labels = rollout.length, game.tables.copy(), game.labels.copy()
        learner.collector._step(rollout)
        each, own, *_ = RulesV1(learner.rules).play_out(tables)
        at, seen = np.nonzero(rollout.mask[first : rollout.length])
        told = rollout.outcomes[first : rollout.length]
        assert np.array_equal(told[at, seen], each[at, original_actions(seen, labels[at])])
        assert np.count_nonzero(told) == np.count_nonzero(each) > 0
        assert np.array_equal(rollout.playout[first : rollout.length], own)
    learner.close()


@pytest.mark.parametrize("canonical", [True, False])
def test_corrected_playouts_of_what_was_done_are_what_followed(canonical: bool) -> None:
    """Alone against rules-v1 a playout comes to the learner's next decision as the hand did."""
    config = TrainConfig(
        tables=64, steps=8, hidden=[16], canonical=canonical, oracle_critic=True, playouts=True, playout_gradient=1.0,
        playout_correction=True, opponents=["rules-v1"], opponent_share=1.0,
    )  # fmt: skip
    learner = Learner(config, load_rules("ohio"))
    for rollout, following in (learner.rollouts, learner.rollouts[::-1]):  # the second begins with open decisions
        learner.collector.collect(rollout, 512)
        rows = rollout.finish(1.0, 1.0)
        after = np.where(rollout.final[rows], 0.0, rollout.value[rollout.following[rows]])
        foretold = rollout.outcomes[rows, rollout.action[rows]]
        assert foretold == pytest.approx(rollout.gathered[rows] + after, abs=1e-4)
        assert (~rollout.final[rows]).sum() > 100
        rollout.carry_over(following)
    learner.close()


def test_phases_learned_alone_are_corrected_where_they_are_decided_next() -> None:
    config = TrainConfig(
        tables=64, steps=8, hidden=[16], oracle_critic=True, playouts=True, playout_weight=1.0,
        playout_correction=True, learn=["order", "call"], opponents=["rules-v1"], opponent_share=1.0,
    )  # fmt: skip
    learner = Learner(config, load_rules("ohio"))
    rollout = learner.rollouts[0]
    learner.collector.collect(rollout, 512)
    rows = rollout.finish(1.0, 1.0)
    learner.close()
    order, stop = ACTIONS.index("order"), ACTIONS.index("pass")
    ordering = rows[rollout.phase[rows] == PHASES.index("order")]
    later = ordering[~rollout.final[ordering]]
    assert len(later) > 20
    assert (rollout.action[later] == stop).all()
    assert rollout.outcomes[later, stop] == pytest.approx(rollout.value[rollout.following[later]], abs=1e-4)
    ended = ordering[rollout.action[ordering] == order]
    assert rollout.outcomes[ended, order] == pytest.approx(rollout.gathered[ended])


def test_a_run_with_an_initial_bot_plays_by_it_from_the_first_decision(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "tables": 64,
        "steps": 8,
        "hidden": [16],
        "evaluate": 0,
        "checkpoint": 0,
        "minibatch": 64,
    }
    train(TrainConfig(out=str(tmp_path / "bot"), decisions=1000, **options), say=lambda _: None)
    rules = load_rules("ohio")
    learner = Learner(TrainConfig(initial=str(tmp_path / "bot"), **options), rules)
    learner.begin()
    seen, mask = learner.collector.tables.observations, learner.collector.tables.masks
    choice = learner.act(seen, mask, np.empty((64, 0), np.int8))
    learner.close()
    log_probs, values = load_bot(str(tmp_path / "bot"), rules).policy(seen, mask)
    assert choice.log_prob == pytest.approx(log_probs[np.arange(64), choice.action], abs=1e-5)
    assert choice.value == pytest.approx(values, abs=1e-5)


def updated_by_playouts(figure: str, **weights: Any) -> tuple[list[float], Rollout, np.ndarray]:
    """A figure of each of a hundred updates on the same decisions; their rollout and rows."""
    config = TrainConfig(
        tables=64, steps=8, hidden=[64], oracle_critic=True, playouts=True, max_grad_norm=10, **weights
    )
    learner = Learner(config, load_rules("ohio"))
    rollout = learner.rollouts[0]
    learner.collector.collect(rollout, 512)
    rows = rollout.finish(1.0, 0.5)
    figures = [learner.update(rollout, rows)[0][figure] for _ in range(100)]
    learner.close()
    return figures, rollout, rows


def test_the_policy_comes_to_bring_more_points_by_playouts() -> None:
    points, rollout, rows = updated_by_playouts("policy/playout_points", playout_gradient=10.0)
    best = np.where(rollout.mask[rows] > 0, rollout.outcomes[rows], -99).max(axis=1).mean()
    assert points[0] < points[-1] <= best
    assert points[-1] > points[0] + 0.7 * (best - points[0])


def test_the_policy_comes_nearer_to_what_playouts_say_as_far_as_they_weigh() -> None:
    for weight, low, high in ((10.0, 0.0, 0.7), (1e-9, 0.8, 2.0)):
        distances, _, _ = updated_by_playouts("policy/playout_loss", playout_weight=weight)
        assert low < distances[-1] / distances[0] < high


@pytest.mark.parametrize(("rules", "steps"), [("ohio", 5), ("bucked-3", 4)])
def test_the_shortest_rollouts_learn(rules: str, steps: int) -> None:
    learner = Learner(TrainConfig(rules=rules, tables=64, steps=steps, hidden=[8], objective="win"), load_rules(rules))
    before = 0
    for _ in range(20):
        learner.iterate(0.0)
        assert learner.decisions > before
        before = learner.decisions
    learner.close()


def test_an_opponent_at_fault_is_told_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty.py").write_text(
        "class Raises:\n"
        "    def __init__(self, rules): pass\n"
        "    def act(self, views): raise ValueError('no luck')\n"
        "class Illegal(Raises):\n"
        "    def act(self, views): return views.action_mask.argmin(1)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, told in (("faulty:Raises", "act failed: ValueError: no luck"), ("faulty:Illegal", "may not")):
        learner = Learner(
            TrainConfig(tables=16, steps=8, hidden=[8], opponents=[name], opponent_share=1.0), load_rules("ohio")
        )
        with pytest.raises(BuckError, match=f"^{name}: .*{told}"):
            learner.iterate(0.0)
        learner.close()


def test_points_are_played_for_without_seeing_the_score(tmp_path: Path) -> None:
    for objective, same in (("points", True), ("win", False)):
        learner = Learner(TrainConfig(tables=32, steps=8, hidden=[16], objective=objective), load_rules("ohio"))  # type: ignore[arg-type]
        seen, mask = learner.collector.tables.observations[:1].copy(), learner.collector.tables.masks[:1]
        log_probs = [learner.network(torch.from_numpy(seen).float(), torch.from_numpy(mask))[0]]
        seen[:, LAYOUT["scores"]] = 3
        log_probs.append(learner.network(torch.from_numpy(seen).float(), torch.from_numpy(mask))[0])
        learner.close()
        assert torch.equal(*log_probs) is same

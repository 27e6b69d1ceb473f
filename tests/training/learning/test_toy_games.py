"""Rollouts, advantages and losses together, on toy games whose answer is known beforehand."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from training.learning.losses import clipped_policy_loss, entropy_of
from training.learning.rollout import Rollout


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
        advantage = torch.from_numpy(rollout["advantage"][rows])
        target = advantage + torch.from_numpy(rollout["value"][rows])
        log_probs = self.policy(mask)[states]
        taken = log_probs.gather(1, torch.from_numpy(rollout["action"][rows])[:, None])[:, 0]
        loss = clipped_policy_loss(taken - torch.from_numpy(rollout["log_prob"][rows]), advantage, 0.2)
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
            toy.rollout.add_rewards(np.array([[worth[arm]]], np.float32), np.array([True]))
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
            toy.rollout.add_rewards(np.array([[won, -won]], np.float32), np.array([True]))
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
                toy.rollout.add_rewards(np.zeros((1, 2), np.float32), np.array([False]))
                toy.decide(4, 1)
                toy.rollout.add_rewards(np.array([[owed if step == 3 else 0.0, 0]], np.float32), np.array([step == 3]))
        toy.learn()
    assert (toy.policy()[:4, 1].exp() > 0.9).all()
    assert toy.values[0].item() == pytest.approx(4, abs=0.5)

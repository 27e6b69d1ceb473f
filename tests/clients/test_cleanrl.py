"""CleanRL style: PPO in one file, over Gymnasium's vector of one learning seat, masked by minus infinity."""

from __future__ import annotations

import gymnasium
import numpy as np
from clients.scored import STEPS, client


def test_a_ppo_loop_of_its_own_keeps_to_the_masks_and_stays_finite() -> None:
    torch = client("torch")
    torch.manual_seed(1)
    envs = gymnasium.make_vec("buck_env:BuckEuchre-v0", num_envs=4, opponents="random", obs_dtype="float32")
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    network = torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, actions + 1))
    optimizer = torch.optim.Adam(network.parameters(), lr=2.5e-4, eps=1e-5)

    def policy(obs, mask):  # type: ignore[no-untyped-def]
        out = network(obs)
        logits = out[..., :actions].masked_fill(~mask, -torch.inf)
        return torch.distributions.Categorical(logits=logits), out[..., actions]

    num_steps = 100
    next_obs, infos = envs.reset(seed=1)
    next_done = np.zeros(4)
    episodes = []
    for _ in range(STEPS // (num_steps * 4)):
        rows = []
        for _ in range(num_steps):
            obs, mask = torch.as_tensor(next_obs), torch.as_tensor(infos["action_mask"]).bool()
            with torch.no_grad():
                probs, value = policy(obs, mask)
                action = probs.sample()
            before = next_done
            next_obs, reward, termination, truncation, infos = envs.step(action.numpy())  # an illegal one would raise
            next_done = np.logical_or(termination, truncation)
            if next_done.any():
                episodes += infos["episode"]["r"][next_done].tolist()
            rows.append((obs, mask, action, probs.log_prob(action), value, torch.as_tensor(reward), before))
        advantages, advantage = [], torch.zeros(4)
        with torch.no_grad():
            value_after = policy(torch.as_tensor(next_obs), torch.ones(4, actions, dtype=torch.bool))[1]
        done_after = next_done
        for _, _, _, _, value, reward, done in reversed(rows):
            going = 1.0 - torch.as_tensor(done_after, dtype=torch.float32)
            advantage = reward + going * (value_after + 0.95 * advantage) - value
            advantages.insert(0, advantage)
            value_after, done_after = value, done
        obs, mask, action, logprob, value, _, dead = (
            torch.cat([torch.as_tensor(row[i]) for row in rows]) for i in range(7)
        )
        live = dead == 0  # the steps that only deal the next hand
        adv = torch.cat(advantages)
        probs, new_value = policy(obs[live], mask[live])
        ratio = (probs.log_prob(action[live]) - logprob[live]).exp()
        policy_loss = -torch.min(adv[live] * ratio, adv[live] * ratio.clamp(0.8, 1.2)).mean()
        value_loss = (new_value - (adv + value)[live]).square().mean() / 2
        loss = policy_loss - 0.01 * probs.entropy().mean() + 0.5 * value_loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimizer.step()
        assert all(torch.isfinite(parameter).all() for parameter in network.parameters())
    assert len(episodes) > 100
    assert {float(reward).is_integer() for reward in episodes} == {True}

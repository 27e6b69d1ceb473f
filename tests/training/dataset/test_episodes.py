"""Episodes of a hand: what a learner in that seat would have met."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from training.dataset.episodes import episodes_of


@pytest.mark.parametrize("rules", ["ohio", "cutthroat"])
def test_an_episode_is_what_the_environment_gives_a_learner_in_that_seat(rules: str) -> None:
    env = gymnasium.make("buck_env:BuckEuchre-v0", rules=rules, opponents="random", seat=1)
    chance = np.random.default_rng(4)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        seen, masks, actions = [observation], [info["action_mask"]], []
        over = False
        while not over:
            actions.append(int(chance.choice(np.flatnonzero(masks[-1]))))
            observation, _, over, _, info = env.step(actions[-1])
            seen.append(observation)
            masks.append(info["action_mask"])
        record = env.unwrapped.record(finished=True)  # type: ignore[attr-defined]
        episode = next(episode for episode in episodes_of(record) if episode.seat == 1)
        assert episode.actions.tolist() == actions
        assert (episode.observations == np.stack(seen)).all()
        assert (episode.masks[:-1] == np.stack(masks[:-1])).all()
        assert episode.masks[-1].all()
    env.close()

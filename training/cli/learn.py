"""The commands that learn: train, ppo."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from cyclopts import Group, Parameter

from training.cli.configured import configuration
from training.cli.options import Anew, Config, Resume
from training.cli.panels import PanelsAfter, settings_panels
from training.cli.terminal import say, writing

__all__ = ["ppo", "train"]

_TRAIN = Group(
    "Overrides",
    help_formatter=PanelsAfter(partial(settings_panels, "training.learning.train_config", "TrainConfig", "train")),
)
_PPO = Group(
    "Overrides",
    help_formatter=PanelsAfter(partial(settings_panels, "training.learning.sb3.config", "PPOConfig", "ppo")),
)


def train(
    config: Config,
    /,
    *overrides: Annotated[
        str, Parameter(name="KEY=VALUE", group=_TRAIN, help="Settings that replace those of the configuration.")
    ],
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Train a bot by self-play PPO.

    A configuration says what is learned, from which rules and for how long; `KEY=VALUE` overrides single settings.
    Ctrl-C stops the run and saves the bot as it is.

    Example: `buck train ohio seed=3 decisions=20000000 out=runs/mine`
    """
    from training.learning.self_play import TrainConfig
    from training.learning.self_play import train as learn

    settings, out = configuration(TrainConfig, "train", config, overrides)
    with writing({"out=": out}):
        learn(settings, say, resume=resume, anew=anew)


def ppo(
    config: Config,
    /,
    *overrides: Annotated[
        str, Parameter(name="KEY=VALUE", group=_PPO, help="Settings that replace those of the configuration.")
    ],
    resume: Resume = False,
    anew: Anew = False,
) -> None:
    """Train a bot in one seat with MaskablePPO of stable-baselines3.

    It plays on the same tables as `buck train` and writes the same kind of bot, so that the two can be compared.
    Ctrl-C stops the run and saves the bot as it is.

    Example: `buck ppo ohio seed=3 out=runs/mine`
    """
    from training.learning.sb3.ppo import PPOConfig
    from training.learning.sb3.ppo import train as learn

    settings, out = configuration(PPOConfig, "ppo", config, overrides)
    with writing({"out=": out}):
        learn(settings, say, resume=resume, anew=anew)

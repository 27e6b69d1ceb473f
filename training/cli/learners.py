"""The learners of `buck train`: a configuration names one by its key `learner`, and so chooses its own settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from training.cli.configured import configuration

if TYPE_CHECKING:
    from training.learning.run.config import RunConfig
    from training.learning.run.loop import Trained

__all__ = ["DEFAULT_LEARNER", "LEARNERS", "learner_of", "run_of", "settings_of_learner"]

LEARNERS: Final = {
    "ppo": ("training.learning.train_config", "TrainConfig", "training.learning.self_play"),
    "cfr": ("training.learning.cfr.config", "CfrConfig", "training.learning.cfr.learner"),
    "gradient": ("training.learning.gradient.config", "GradientConfig", "training.learning.gradient.learner"),
}
"""By the name of a learner: the module and the class of its settings, and the module whose
`train` carries out its runs."""
DEFAULT_LEARNER: Final = "ppo"
"""Who learns where a configuration does not say."""


def settings_of_learner(name: str) -> type[Any]:
    """The class of a learner's settings."""
    module, kind, _ = LEARNERS[name]
    found: type[Any] = getattr(import_module(module), kind)
    return found


def learner_of(config: str, overrides: Sequence[str]) -> tuple[type[Any], Callable[..., Trained]]:
    """The class of the settings of a configuration with its overrides, and what carries out its run.

    ConfigError where it asks for a learner that there is not.
    """
    from training.base.config import ConfigError, find_config, named_values

    values, places = named_values(find_config(config, "train"), overrides)
    name = values.get("learner", DEFAULT_LEARNER)
    if name not in LEARNERS:
        raise ConfigError(f"{places['learner']}: learner: {name!r} is not allowed; allowed: {', '.join(LEARNERS)}")
    return settings_of_learner(name), import_module(LEARNERS[name][2]).train


def run_of(config: str, overrides: Sequence[str]) -> tuple[RunConfig, Callable[..., Trained]]:
    """The run that a configuration with its overrides describes, and what carries it out.

    ConfigError names the key and the value that are not allowed.
    """
    kind, learn = learner_of(config, overrides)
    settings: RunConfig = configuration(kind, "train", config, overrides)[0]
    return settings, learn

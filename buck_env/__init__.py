"""Buck Euchre for reinforcement learning: rules engine and environments.

>>> from buck_env import buck_euchre_v0
>>> env = buck_euchre_v0.env(rules="ohio")

Importing this package loads little: each name below is looked up in its own file when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from buck_env.base.errors import BuckError, IllegalActionError, RecordError, RulesError
from buck_env.base.version import ACTIONS_VERSION, ENVIRONMENT, OBSERVATION_VERSION, RULES_VERSION, __version__
from buck_env.environments.registration import register

if TYPE_CHECKING:
    from buck_env import buck_euchre_v0
    from buck_env.game.actions import ACTIONS, NUM_ACTIONS, action_id, action_text
    from buck_env.game.house import load_rules
    from buck_env.game.rules import PROFILES, Rules
    from buck_env.observation.layout import LAYOUT, OBSERVATION_SIZE
    from buck_env.observation.pieces import PIECES, Piece

__all__ = [
    "ACTIONS",
    "ACTIONS_VERSION",
    "ENVIRONMENT",
    "LAYOUT",
    "NUM_ACTIONS",
    "OBSERVATION_SIZE",
    "OBSERVATION_VERSION",
    "PIECES",
    "PROFILES",
    "RULES_VERSION",
    "BuckError",
    "IllegalActionError",
    "Piece",
    "RecordError",
    "Rules",
    "RulesError",
    "__version__",
    "action_id",
    "action_text",
    "buck_euchre_v0",
    "load_rules",
]

_HOMES = {
    "ACTIONS": "buck_env.game.actions",
    "LAYOUT": "buck_env.observation.layout",
    "NUM_ACTIONS": "buck_env.game.actions",
    "OBSERVATION_SIZE": "buck_env.observation.layout",
    "PIECES": "buck_env.observation.pieces",
    "PROFILES": "buck_env.game.rules",
    "Piece": "buck_env.observation.pieces",
    "Rules": "buck_env.game.rules",
    "action_id": "buck_env.game.actions",
    "action_text": "buck_env.game.actions",
    "load_rules": "buck_env.game.house",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


register()

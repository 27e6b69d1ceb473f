"""Buck Euchre for reinforcement learning: rules engine and environments.

>>> from buck_env import buck_euchre_v0
>>> env = buck_euchre_v0.env(rules="ohio")

Importing this package loads little: each name below is looked up in its own file when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from buck_env.base.errors import BuckError, IllegalActionError, RecordError, RulesError
from buck_env.base.lazy import lazily
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

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazily(__name__, __file__)

register()

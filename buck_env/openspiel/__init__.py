"""The game for OpenSpiel: importing this package makes ``pyspiel.load_game("buck_euchre")`` work.

>>> import pyspiel, buck_env.openspiel
>>> game = pyspiel.load_game("buck_euchre(rules=dirty-clubs)")
"""

from importlib.util import find_spec

from buck_env.base.errors import BuckError

if find_spec("pyspiel") is None:
    raise BuckError("buck_env.openspiel: OpenSpiel is not installed; install buck-euchre-rl[openspiel]")

from buck_env.openspiel.game import BuckEuchreGame, BuckEuchreState

__all__ = ["BuckEuchreGame", "BuckEuchreState"]

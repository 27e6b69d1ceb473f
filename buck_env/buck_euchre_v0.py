"""Version 0 of Buck Euchre's environments, as PettingZoo names them: `env`, `raw_env`, and N tables at once.

The version covers rules, observation and actions: a change to any of them makes a `buck_euchre_v1`.
"""

from buck_env.environments.aec import env, flat_env, raw_env
from buck_env.environments.vector import VectorAEC as vector_env

__all__ = ["env", "flat_env", "raw_env", "vector_env"]

"""The ids under which Gymnasium and PettingZoo make these environments."""

from __future__ import annotations

import gymnasium
import pettingzoo

__all__ = ["register"]

GYMNASIUM_ID = "BuckEuchre-v0"
PETTINGZOO_ID = "buck_euchre/BuckEuchre-v0"


def register() -> None:
    """Make `gymnasium.make`, `gymnasium.make_vec` and, where PettingZoo has a registry, `pettingzoo.make` work."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="buck_env.environments.seat:SeatEnv",
            vector_entry_point="buck_env.environments.seat:SeatVectorEnv",
        )
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", PETTINGZOO_ID, "buck_env.environments.aec:env")

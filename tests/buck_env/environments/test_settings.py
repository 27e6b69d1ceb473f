"""Settings that an environment was made with."""

from __future__ import annotations

from buck_env import (
    buck_euchre_v0,
)


def test_settings_survive_every_reset() -> None:
    env = buck_euchre_v0.env(
        rules={"base": "ohio", "start": 7, "sweep_wins": False}, episode="match", max_hands=3, canonical=True
    )
    for arguments in ({"seed": 1}, {}, {"seed": 2, "options": {}}, {"options": {"scores": [1, 1, 1, 1]}}):
        env.reset(**arguments)  # type: ignore[arg-type]
        table = env.unwrapped._tables
        assert table.rules.start == 7
        assert not table.packed["sweep_wins"][0]
        assert table.settings["max_hands"][0] == 3
        assert table.settings["canonical"][0]
        assert table.tables["scores"][0].tolist() == ([1] * 4 if arguments.get("options") else [7] * 4)

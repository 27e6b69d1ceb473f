"""Short names for agents, from a YAML file: ``dropper: phases:stay=ppo:runs/b,else=rules-v1``."""

from __future__ import annotations

from pathlib import Path

from buck_env.base.errors import BuckError
from buck_env.base.yaml import read_yaml
from buck_env.observation.agent import AgentError

__all__ = ["Nicknames"]


class Nicknames:
    """The names that a YAML file gives. AgentError where it cannot be read."""

    def __init__(self, file: str) -> None:
        self.file = file
        try:
            self._names = read_yaml(Path(file))
        except BuckError as error:
            raise AgentError(f"agent: {error}") from None

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> str:
        """The agent string of a name; AgentError where the file gives none."""
        text = self._names.get(name)
        if not isinstance(text, str):
            raise AgentError(
                f"agent: {self.file}: {name!r} names no agent; allowed: {', '.join(map(str, self._names))}"
            )
        return text

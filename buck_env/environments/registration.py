"""The names under which Gymnasium and PettingZoo make these environments, and under which these find agents."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from buck_env.base.errors import BuckError

if TYPE_CHECKING:
    from buck_env.game.rules import Rules
    from buck_env.observation.agent import Agent

__all__ = ["load_by_name", "register"]

GYMNASIUM_ID = "BuckEuchre-v0"
PETTINGZOO_ID = "buck_euchre/BuckEuchre-v0"
AGENTS = "buck_env.agents"
"""The entry point under which a package offers a function that loads an agent by its name, for a game of some rules."""


def load_by_name(name: str, rules: Rules) -> Agent:
    """The agent of a name, from whichever installed package offers agents; BuckError where none does."""
    for point in entry_points(group=AGENTS):
        agent: Agent = point.load()(name, rules)
        return agent
    raise BuckError(
        f"opponents: {name!r}: no installed package offers agents by name; install this one, or give an object"
    )


def register() -> None:
    """Make `gymnasium.make`, `gymnasium.make_vec` and, where PettingZoo has a registry, `pettingzoo.make` work.

    A library that is loaded registers the environments at once. One that is not does so at the end of its own import:
    the two take half a second to load, which those who only want the rules or a command's help need not wait for.
    """
    for name, enter in _REGISTRIES.items():
        if name in sys.modules:
            enter(sys.modules[name])
    if _WHEN_IMPORTED not in sys.meta_path:
        sys.meta_path.insert(0, _WHEN_IMPORTED)


def _enter_gymnasium(gymnasium: ModuleType) -> None:
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="buck_env.environments.seat:SeatEnv",
            vector_entry_point="buck_env.environments.seat:SeatVectorEnv",
        )


def _enter_pettingzoo(pettingzoo: ModuleType) -> None:
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", PETTINGZOO_ID, "buck_env.environments.aec:env")


_REGISTRIES = {"gymnasium": _enter_gymnasium, "pettingzoo": _enter_pettingzoo}


class _WhenImported(MetaPathFinder):
    """Finds the two libraries as Python does, and enters the environments once they are loaded."""

    def __init__(self) -> None:
        self._searching = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _REGISTRIES or self._searching:
            return None
        self._searching = True  # the finders after this one are asked
        try:
            spec = find_spec(fullname)
        finally:
            self._searching = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Entering(spec.loader)
        return spec


class _Entering(Loader):
    """A library's own loader, and then the entry in its registry."""

    def __init__(self, own: Loader) -> None:
        self._own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._own  # a library that asks for its files asks its own loader
        self._own.exec_module(module)
        _REGISTRIES[module.__name__](module)


_WHEN_IMPORTED = _WhenImported()

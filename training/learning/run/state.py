"""Networks and optimizers as the arrays of a checkpoint, and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

__all__ = ["arrays", "load", "load_optimizer", "marked", "optimizer_arrays", "part"]


def marked(mark: str, state: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same arrays, each under the name ``mark.name``."""
    return {f"{mark}.{name}": array for name, array in state.items()}


def part(state: Mapping[str, np.ndarray], mark: str) -> dict[str, np.ndarray]:
    """The arrays that `marked` put under a mark, by their own names."""
    return {name[len(mark) + 1 :]: array for name, array in state.items() if name.startswith(f"{mark}.")}


def arrays(network: nn.Module) -> dict[str, np.ndarray]:
    """A network's weights as numpy arrays, by the names that bots use."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in network.state_dict().items()}


def load(network: nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Give a network the weights that `arrays` returned. RuntimeError where they do not fit."""
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})


def optimizer_arrays(optimizer: torch.optim.Adam) -> dict[str, np.ndarray]:
    """Adam's step count and moments of each parameter i, as ``i.step``, ``i.exp_avg`` and ``i.exp_avg_sq``; nothing
    before its first step."""
    found: dict[str, np.ndarray] = {}
    for i, parameter in enumerate(_parameters(optimizer)):
        of = optimizer.state.get(parameter, {})
        found |= {f"{i}.{name}": tensor.cpu().numpy().copy() for name, tensor in of.items()}
    return found


def load_optimizer(optimizer: torch.optim.Adam, state: Mapping[str, np.ndarray], *, stepped: bool) -> None:
    """Give Adam the state that `optimizer_arrays` returned; `stepped` says whether it had taken a step by then.

    ValueError where an array is missing, left over, or of another size.
    """
    for i, parameter in enumerate(_parameters(optimizer)):
        shape = tuple(parameter.shape)
        shapes = {"step": (), "exp_avg": shape, "exp_avg_sq": shape} if stepped else {}
        of = part(state, str(i))
        if set(of) != set(shapes):
            raise ValueError(f"optimizer.{i} is not whole")
        if of:
            moments = {name: torch.from_numpy(of[name].reshape(shape)) for name, shape in shapes.items()}
            devices = {name: "cpu" if name == "step" else parameter.device for name in moments}
            optimizer.state[parameter] = {name: tensor.to(devices[name]) for name, tensor in moments.items()}


def _parameters(optimizer: torch.optim.Adam) -> list[nn.Parameter]:
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]

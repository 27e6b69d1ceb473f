"""The processes of one run that `torchrun` started: each plays tables of its own, and all take the same steps.

They are called ranks. The first one leads: it keeps the folder, and says to the others what comes next.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar

import torch
import torch.distributed as dist

from buck_env import BuckError

__all__ = ["ALONE", "Ranks", "joined", "started"]

T = TypeVar("T")

_PATIENCE = timedelta(hours=24)
"""How long a rank waits for the others, as they do while the first one evaluates. A rank that ends is noticed at
once."""


def started() -> int:
    """The number of processes that `torchrun` started with this one; 1 without it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


@cache
def joined() -> Ranks:
    """The ranks that `torchrun` started, connected; a single one without it."""
    if started() == 1:
        return ALONE
    _noticing(lambda: dist.init_process_group("gloo", timeout=_PATIENCE))
    return Ranks(dist.get_rank(), dist.get_world_size())


class Ranks:
    """All processes that learn together, as one of them sees it. BuckError where one of the others has ended."""

    def __init__(self, number: int, count: int) -> None:
        self.number = number
        """Which one this is; the first is 0."""
        self.count = count

    def share(self, number: int, what: str) -> int:
        """This rank's share of a number of things. BuckError where they cannot be shared evenly."""
        if number % self.count:
            raise BuckError(
                f"{what}: {number} is not allowed; allowed: a multiple of {self.count}, the ranks of torchrun"
            )
        return number // self.count

    def announce(self, word: Any) -> None:
        """Tell the other ranks what comes next; nothing on those, and where there is one rank."""
        if self.count > 1 and self.number == 0:
            _noticing(lambda: dist.broadcast_object_list([word]))

    def heard(self) -> Any:
        """What the first rank announces next."""
        words = [None]
        _noticing(lambda: dist.broadcast_object_list(words))
        return words[0]

    def gathered(self, mine: T) -> list[T]:
        """What each rank has, in their order, on the first rank; on others nothing."""
        if self.count == 1:
            return [mine]
        found: list[Any] | None = [None] * self.count if self.number == 0 else None
        _noticing(lambda: dist.gather_object(mine, found))
        return found or []

    def least(self, number: int) -> int:
        """The least of the ranks' numbers."""
        return int(self._reduced(torch.tensor(number), dist.ReduceOp.MIN))

    def total(self, values: torch.Tensor) -> torch.Tensor:
        """The sum of the ranks' tensors of the same shape."""
        return self._reduced(values.detach().cpu(), dist.ReduceOp.SUM).to(values.device)

    def normalised(self, values: torch.Tensor) -> torch.Tensor:
        """This rank's values (B,), less the mean of all ranks' and divided by their standard deviation."""
        if self.count == 1:
            return (values - values.mean()) / (values.std() + 1e-8)
        number = self.count * len(values)
        mean = self.total(values.sum()) / number
        spread = self.total((values - mean).square().sum()) / (number - 1)
        return (values - mean) / (spread.sqrt() + 1e-8)

    def average_gradients(self, parameters: Iterable[torch.Tensor]) -> None:
        """Replace each parameter's gradient by the mean of the ranks'."""
        if self.count == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        mean = self.total(torch.cat([gradient.reshape(-1) for gradient in gradients])) / self.count
        for gradient, part in zip(
            gradients, torch.split(mean, [gradient.numel() for gradient in gradients]), strict=True
        ):
            gradient.copy_(part.view_as(gradient))

    def _reduced(self, values: torch.Tensor, how: Any) -> torch.Tensor:
        if self.count > 1:
            values = values.clone()
            _noticing(lambda: dist.all_reduce(values, how))
        return values


ALONE = Ranks(0, 1)
"""A process that learns by itself."""


def _noticing(communicate: Callable[[], Any]) -> None:
    try:
        communicate()
    except (RuntimeError, ValueError) as error:
        raise BuckError(
            f"torchrun: another process of this run has ended: {' '.join(str(error).split())[:200]}; --resume goes on "
            "from the last checkpoint"
        ) from None

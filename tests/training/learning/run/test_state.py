"""Networks and optimizers come back from a checkpoint's arrays as they were."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from training.learning.run.state import arrays, load, load_optimizer, marked, optimizer_arrays, part


def stepped(network: nn.Module, optimizer: torch.optim.Adam) -> None:
    optimizer.zero_grad()
    network(torch.ones(1, 3)).sum().backward()
    optimizer.step()


def test_parts_are_found_by_their_mark_alone() -> None:
    one, other = {"a": np.zeros(1)}, {"a.b": np.ones(2)}
    state = marked("net", one) | marked("network", other)
    assert sorted(state) == ["net.a", "network.a.b"]
    assert list(part(state, "net")) == ["a"]
    assert list(part(state, "network")) == ["a.b"]


def test_a_network_and_adam_step_on_from_their_arrays_as_from_themselves() -> None:
    torch.manual_seed(1)
    network = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.1)
    stepped(network, optimizer)
    other = nn.Linear(3, 2)
    again = torch.optim.Adam(other.parameters(), lr=0.1)
    load(other, arrays(network))
    load_optimizer(again, optimizer_arrays(optimizer), stepped=True)
    for one, its in ((network, optimizer), (other, again)):
        stepped(one, its)
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), other.parameters(), strict=True))


def test_arrays_are_copies_that_later_steps_leave_alone() -> None:
    network = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.1)
    before = arrays(network)
    kept = before["weight"].copy()
    stepped(network, optimizer)
    assert (before["weight"] == kept).all()
    assert not (arrays(network)["weight"] == kept).all()


def test_an_optimizer_that_is_not_whole_is_refused() -> None:
    network = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(network.parameters())
    assert optimizer_arrays(optimizer) == {}
    load_optimizer(optimizer, {}, stepped=False)
    with pytest.raises(ValueError, match=r"optimizer\.0 is not whole"):
        load_optimizer(optimizer, {}, stepped=True)
    stepped(network, optimizer)
    state = optimizer_arrays(optimizer)
    with pytest.raises(ValueError, match=r"optimizer\.0 is not whole"):
        load_optimizer(optimizer, state, stepped=False)
    del state["1.exp_avg"]
    with pytest.raises(ValueError, match=r"optimizer\.1 is not whole"):
        load_optimizer(optimizer, state, stepped=True)
    with pytest.raises(ValueError, match="cannot reshape"):
        load_optimizer(optimizer, optimizer_arrays(optimizer) | {"1.exp_avg": np.zeros(3, np.float32)}, stepped=True)

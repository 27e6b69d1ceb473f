"""Numbers as callers may give them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from buck_env import IllegalActionError
from buck_env.base.checks import whole_number, whole_numbers


class Indexed:
    def __index__(self) -> int:
        return 7


@pytest.mark.parametrize("action", [7, np.int8(7), np.array(7), np.array([[7]]), torch.tensor(7), Indexed()])
def test_an_action_is_whatever_python_takes_for_an_index(action: Any) -> None:
    assert whole_number(action) == 7


@pytest.mark.parametrize(
    "action", [True, np.bool_(True), 7.0, np.array([7.0]), torch.tensor(7.0), None, "7", [7], [7, 7]]
)
def test_an_action_is_no_truth_value_no_fraction_and_no_list(action: Any) -> None:
    with pytest.raises(IllegalActionError, match="is not a whole number"):
        whole_number(action)


def test_actions_of_several_tables_are_arrays_or_tensors() -> None:
    for actions in ([1, 2], (1, 2), np.array([1, 2], np.uint8), torch.tensor([1, 2])):
        assert whole_numbers(actions, 2).tolist() == [1, 2]
    for wrong in ([1], [1.0, 2.0], [[1], [1, 2]], torch.empty(2, dtype=torch.int64, device="meta")):
        with pytest.raises(IllegalActionError, match=r"whole numbers of shape \(2,\)"):
            whole_numbers(wrong, 2)

"""Options of a reset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from buck_env import (
    BuckError,
    buck_euchre_v0,
)


@pytest.mark.parametrize("options", [[1], "x", 5, {"reset_mask": [[1], [1, 2]]}, {"reset_mask": np.ones(2)}])
def test_options_that_are_none_are_named(options: Any) -> None:
    with pytest.raises(BuckError, match="options"):
        buck_euchre_v0.vector_env(2).reset(seed=0, options=options)
    with pytest.raises(BuckError, match="options"):
        buck_euchre_v0.env().reset(seed=0, options=options)

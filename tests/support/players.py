"""Agents of a line for the tests."""

from __future__ import annotations

import numpy as np

from buck_env.observation.views import Views


class First:
    """Takes the first legal action."""

    def act(self, views: Views) -> np.ndarray:
        return views.action_mask.argmax(axis=1)

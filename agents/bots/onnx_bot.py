"""A bundle as an agent: the ONNX network, run by onnxruntime."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnxruntime

from agents.bots.bot import BotError
from agents.bots.bundle import OUTPUTS, Bundle
from agents.bots.bundle_files import MODEL_FILE, read_bundle
from agents.bots.onnx_model import check_model, shortened_error
from agents.bots.policy import PolicyAgent, split_style
from buck_env import Rules, load_rules

__all__ = ["OnnxAgent", "load_onnx"]


class OnnxAgent(PolicyAgent):
    """Plays as its bundle says, greedy or sampled, unless it is asked otherwise."""

    def __init__(self, bundle: Bundle, model: bytes, where: Path, play: str = "") -> None:
        super().__init__(bundle.canonical, bundle.phases, (play or bundle.play) == "sampled")
        self.bundle = bundle
        self.sha256 = hashlib.sha256(model).hexdigest()
        """The checksum of its model."""
        self._where = where
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # the network is small, and agents are many
        options.log_severity_level = 3  # errors, which are raised
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has a dozen types of its own
            raise BotError(f"{where}: onnxruntime cannot load it: {shortened_error(error)}") from None

    @property
    def rules(self) -> Rules:
        """The rules it was trained for."""
        return load_rules(self.bundle.rules)

    def policy(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-probabilities (B, A) of the legal actions, -inf elsewhere, and values (B,), of (B, D) and (B, A) int8."""
        try:
            outputs = self._session.run(list(OUTPUTS), {"observation": observation, "action_mask": mask})
        except Exception as error:
            raise BotError(f"{self._where}: onnxruntime cannot run it: {shortened_error(error)}") from None
        return np.asarray(outputs[0]), np.asarray(outputs[1])


def load_onnx(path: str, rules: Rules) -> OnnxAgent:
    """The bundle of a folder, playing as it says; ``folder@greedy`` or ``folder@sampled`` overrides that.

    BotError says what is wrong with it. Its samples are not looked at: `buck check` does that.
    """
    folder, play = split_style(path)
    bundle, model, _ = read_bundle(Path(folder), rules)
    where = Path(folder) / MODEL_FILE
    check_model(model, where)
    return OnnxAgent(bundle, model, where, play)

"""A training run on disk, one file, as it was or whole: arrays as safetensors, facts as JSON in its header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from buck_env.base.errors import BuckError
from buck_env.base.files import replace_file

__all__ = ["CHECKPOINT", "CheckpointError", "as_type", "read_checkpoint", "write_checkpoint"]

CHECKPOINT = "checkpoint.safetensors"
FORMAT = "buck-euchre-checkpoint-v0"


class CheckpointError(BuckError):
    """A checkpoint that is not there, is damaged, or is of another run."""


def write_checkpoint(folder: Path, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
    """Write or replace the checkpoint of a folder; records are stored as bytes, (N,) as (N, itemsize) uint8."""
    plain = {name: np.ascontiguousarray(_bytes(array)) for name, array in arrays.items()}
    folder.mkdir(parents=True, exist_ok=True)
    header = {"format": FORMAT, "facts": json.dumps(facts)}
    replace_file(folder / CHECKPOINT, save(plain, metadata=header))


def read_checkpoint(folder: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """What `write_checkpoint` was given. CheckpointError says what is wrong."""
    path = folder / CHECKPOINT
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no checkpoint to go on from; train without --resume")
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata() or {}
            if header.get("format") != FORMAT:
                raise CheckpointError(f"{path}: format is {header.get('format')!r}, this version reads {FORMAT!r}")
            return {name: file.get_tensor(name) for name in file.keys()}, json.loads(header["facts"])  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path}: is no checkpoint, or a damaged one: {error}") from None


def _bytes(array: np.ndarray) -> np.ndarray:
    if array.dtype.names is None:
        return array
    return np.frombuffer(array.tobytes(), np.uint8).reshape(*array.shape, array.dtype.itemsize)


def as_type(array: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    """An array that was stored as bytes as the records it holds; any other as it is."""
    return array.view(dtype)[..., 0] if dtype.names else array

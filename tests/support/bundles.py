"""Bundles for the tests: exported quickly, and signed again after a change."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import onnxruntime

from agents.bots.bundle_files import MODEL_FILE, SAMPLES_FILE, SUMS_FILE
from training.export.bundles import export


def quietly(bot: Path, out: Path, **options: Any) -> Path:
    """The bundle of a bot, not measured unless told so."""
    export(str(bot), out, **{"deals": 0, "samples": 24, "say": lambda _: None, **options})
    return out


def raw(bundle: Path) -> onnxruntime.InferenceSession:
    """The model as a foreign host has it."""
    return onnxruntime.InferenceSession(bundle / MODEL_FILE, providers=["CPUExecutionProvider"])


def with_sums(folder: Path) -> Path:
    """Checksums as they should be: what is wrong has to be found elsewhere."""
    sums = "".join(
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("bot.json", MODEL_FILE, SAMPLES_FILE)
    )
    (folder / SUMS_FILE).write_text(sums)
    return folder

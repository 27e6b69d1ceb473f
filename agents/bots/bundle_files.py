"""A bundle on disk, written and read. Reading runs no code.

`model.onnx` is the network, `bot.json` says all that a host must know, `samples.jsonl` holds positions by which a port
proves itself, and `SHA256SUMS` the checksums of the three, as ``sha256sum -c`` reads them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from agents.bots.bot import MANIFEST_FILE, BotError, check_rules, read_manifest
from agents.bots.bundle import Bundle, check_layout
from buck_env import Rules
from buck_env.base.files import replace_file

__all__ = ["BUNDLE_FILES", "MODEL_FILE", "SAMPLES_FILE", "SUMS_FILE", "read_bundle", "write_bundle"]

MODEL_FILE = "model.onnx"
SAMPLES_FILE = "samples.jsonl"
SUMS_FILE = "SHA256SUMS"
LARGEST_FILE = 64 * 2**20
"""Bytes; a larger file of a bundle is refused unread."""

_SUMMED = (MANIFEST_FILE, MODEL_FILE, SAMPLES_FILE)
BUNDLE_FILES = (*_SUMMED, SUMS_FILE)
"""All files of a bundle."""


def write_bundle(folder: Path, bundle: Bundle, model: bytes, samples: bytes) -> None:
    """Write or replace a bundle; BotError where the folder cannot be written."""
    manifest = json.dumps(asdict(bundle), indent=1, ensure_ascii=False).encode()
    files = dict(zip(_SUMMED, (manifest, model, samples), strict=True))
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in {**files, SUMS_FILE: sums.encode()}.items():
            replace_file(folder / name, data)
    except OSError as error:
        raise BotError(f"{folder}: cannot be written: {error.strerror}; give another folder") from None


def read_bundle(folder: Path, rules: Rules | None = None) -> tuple[Bundle, bytes, bytes]:
    """What `bot.json` says, the model and the samples, the last two unread but their checksums right.

    Without rules a bundle of any rules will do. BotError says what is wrong: nothing there, truncated, exchanged, made
    under another version, for another layout, or for other rules.
    """
    files = {name: _read(folder / name) for name in BUNDLE_FILES}
    sums = _parsed_sums(folder / SUMS_FILE, files[SUMS_FILE])
    for name in _SUMMED:
        if hashlib.sha256(files[name]).hexdigest() != sums[name]:
            raise BotError(f"{folder / name}: checksum is not the one in {SUMS_FILE}: truncated or exchanged")
    manifest = folder / MANIFEST_FILE
    bundle = read_manifest(manifest, Bundle, "a bundle is a folder that `buck export` wrote", "export the bot again")
    try:
        check_layout(bundle)
    except ValueError as error:
        raise BotError(f"{manifest}: {error}; export the bot again") from None
    asked = check_rules(folder, bundle.rules, rules).phases
    unknown = [phase for phase in bundle.phases if phase not in asked]
    if unknown or not bundle.phases:
        raise BotError(f"{manifest}: phases: {', '.join(unknown) or 'none'} is no phase of its rules")
    return bundle, files[MODEL_FILE], files[SAMPLES_FILE]


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BotError(f"{path}: is larger than {LARGEST_FILE // 2**20} MiB; no bundle's file is")
        return path.read_bytes()
    except OSError as error:
        raise BotError(
            f"{path}: cannot be read: {error.strerror}; a bundle is a folder that `buck export` wrote, "
            f"with {', '.join(_SUMMED)} and {SUMS_FILE}"
        ) from None


def _parsed_sums(path: Path, data: bytes) -> dict[str, str]:
    """Name: checksum."""
    try:
        pairs = [line.split(maxsplit=1) for line in data.decode("ascii").splitlines()]
        sums = {name.removeprefix("*"): digest.lower() for digest, name in pairs}
    except ValueError:
        raise BotError(f"{path}: is not a list of checksums, one `SHA256  FILE` a line") from None
    if set(sums) != set(_SUMMED) or len(sums) < len(pairs):
        raise BotError(f"{path}: lists {', '.join(sums) or 'nothing'}; allowed: {', '.join(_SUMMED)}, each once")
    return sums

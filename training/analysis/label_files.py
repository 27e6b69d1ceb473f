"""The folder of labels: a Parquet file a shard, what they follow from, and a data card. An interrupted run goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

from agents import load_agent
from buck_env.base.errors import BuckError
from buck_env.base.files import replace_file, write_json
from training.analysis.labels import COLUMNS, Labelling, begin_labelling
from training.base.cluster import on_cluster
from training.base.processes import in_processes
from training.base.provenance import checksum_of, versions

__all__ = ["CARD_FILE", "SETTINGS_FILE", "write_labels"]

SETTINGS_FILE: Final = "labels.json"
CARD_FILE: Final = "README.md"


def write_labels(
    labelling: Labelling,
    out: Path,
    *,
    processes: int = 1,
    ray: str | None = None,
    resume: bool = False,
    anew: bool = False,
) -> list[Path]:
    """Write the labels into a folder, and return its Parquet files.

    They are made by processes of this machine, or by the cores of a Ray cluster at an address. The files depend on the
    settings alone, not on who makes them or on interruptions. BuckError where the
    folder holds other labels, or holds these and neither `resume` nor `anew` is given.
    """
    settings = _settings(labelling)
    _open_folder(out, settings, resume=resume, anew=anew)
    files = [out / f"positions-{shard:06d}.parquet" for shard in range(labelling.shards)]
    missing = [shard for shard, file in enumerate(files) if not file.exists()]
    makers = _makers(labelling, min(processes, len(missing)), ray, settings["sha256"])
    with makers as make, tqdm(total=labelling.positions, unit=" positions", disable=None) as bar:
        bar.update(sum(labelling.size(shard) for shard in range(len(files)) if shard not in missing))
        for shard, table in zip(missing, make(missing), strict=True):
            replace_file(files[shard], _parquet(table))
            bar.update(len(table))
    replace_file(out / CARD_FILE, _card(settings, files).encode())
    return files


def _makers(
    labelling: Labelling, processes: int, ray: str | None, checksums: dict[str, Any]
) -> AbstractContextManager[Callable[[list[int]], Iterable[pa.Table]]]:
    """What makes shards by their numbers: processes of this machine, or a Ray cluster."""
    begin = partial(begin_labelling, labelling)
    if ray is not None and processes:
        return on_cluster(ray, begin, checksums)
    return nullcontext(lambda shards: in_processes(begin, shards, processes, "label"))


def _settings(labelling: Labelling) -> dict[str, Any]:
    names = dict.fromkeys((*labelling.agents, labelling.model))
    checksums = {name: checksum_of(load_agent(name, labelling.rules)) for name in names}
    return {**labelling.as_record(), "sha256": checksums, "versions": versions()}


def _open_folder(out: Path, settings: dict[str, Any], *, resume: bool, anew: bool) -> None:
    """Make the folder ready for these settings; RecordError and BuckError as `write_labels` has them."""
    file = out / SETTINGS_FILE
    if file.exists():
        if anew:
            for old in (*out.glob("positions-*.parquet"), out / CARD_FILE, file):
                old.unlink(missing_ok=True)
        elif not resume:
            raise BuckError(f"{out}: holds labels; give --resume to go on with them, or --anew to replace them")
        else:
            _check_same(file, settings)
    elif out.is_dir() and any(out.iterdir()):
        raise BuckError(f"{out}: holds other files; give a folder that is new or empty")
    write_json(file, settings)


def _check_same(file: Path, settings: dict[str, Any]) -> None:
    try:
        before = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise BuckError(f"{file}: not one JSON object: {error}; give --anew to make the labels again") from None
    known = before if isinstance(before, dict) else {}
    for key, value in settings.items():
        if known.get(key) != value:
            raise BuckError(
                f"{file}: {key}: the labels there were made with {known.get(key)!r}, not {value!r}; "
                "give the same settings, another folder, or --anew"
            )


def _parquet(table: pa.Table) -> bytes:
    content = pa.BufferOutputStream()
    pq.write_table(table, content, compression="zstd")
    return bytes(content.getvalue().to_pybytes())


def _card(settings: dict[str, Any], files: list[Path]) -> str:
    rules = settings["rules"]
    sums = [f"| `{file.name}` | {hashlib.sha256(file.read_bytes()).hexdigest()} |" for file in files]
    columns = [f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items()]
    checksums = [f"| {name} | {checksum or 'no weights'} |" for name, checksum in settings["sha256"].items()]
    return "\n".join(
        [
            "# Action values of Buck Euchre positions",
            "",
            f"{settings['positions']:,} positions of `{rules if isinstance(rules, str) else rules['base']}`, in the "
            f"phases {', '.join(settings['phases'])}, one of a hand. The hands were played by "
            f"{', '.join(settings['agents'])}; chance decides who sits where.",
            "",
            f"Each position was played on from every legal action in {settings['deals']} deals that fit what the seat "
            f"knows, weighted by how likely the model was to do what the others did, with the model at every seat. "
            f"The model is {settings['model']}. `errors` are standard errors. "
            "The highest of a position's values flatters the best action: it was chosen by the deals that value it.",
            "",
            f"Seed {settings['seed']}. `buck label` with these settings writes the same files again.",
            "",
            "```json",
            json.dumps({key: settings[key] for key in ("rules", "versions")}, indent=1),
            "```",
            "",
            "| column | what it holds |",
            "|---|---|",
            *columns,
            "",
            "| agent | sha256 of its weights |",
            "|---|---|",
            *checksums,
            "",
            "| file | sha256 |",
            "|---|---|",
            *sums,
            "",
        ]
    )

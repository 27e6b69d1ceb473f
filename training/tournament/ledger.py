"""An event on disk as it is played: `event.json` says what is played, `hands/` and `matches/` hold Parquet files.

Each file is a shard. It is named by its first deal, and it is either whole or not there. A row is a table: deal i is
the deal of a table whose seed is the first seed plus i, and `seating` is a row of the seatings in `event.json`, so that
any hand can be played again.

The metadata of a file are JSON. `programs` holds the decisions and faults of programs. In files of hands `behaviour`
holds what each agent did: under the name of each field of BEHAVIOUR its counts by block of deals, agent and seat from
the dealer. These are sums over the tables of a block, and therefore not columns. In files written before the counts had
names, `behaviour` is one list with the fields as its last axis.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from buck_env.base.errors import BuckError
from buck_env.base.files import replace_file, write_json
from training.base.provenance import play_alike
from training.measuring.behaviour import BEHAVIOUR
from training.measuring.counts import as_records
from training.tournament.shards import Event, Job, Kind, Shard
from training.tournament.tally import BLOCK

__all__ = ["EVENT_FILE", "Ledger", "kept_hands"]

EVENT_FILE = "event.json"
_FORMATS = "buck-euchre-event-"
FORMAT = f"{_FORMATS}v2"


class Ledger:
    """The shards of one event in a folder."""

    def __init__(self, folder: Path, event: Event, facts: dict[str, Any], *, resume: bool, anew: bool) -> None:
        """Open the folder for an event of these facts.

        BuckError where the folder holds something else, or an unfinished event and neither `resume` nor `anew` is
        given; also where the event to be resumed is missing or is another one.
        """
        self.folder = folder
        self._event = event
        self._held = 0
        """The number of deals of hands on disk, where fewer of them were read."""
        self._facts = {"format": FORMAT, **facts, "seatings": event.lineups.seatings.tolist()}
        kept = _kept_facts(folder)
        if resume:
            self._compare(kept)
            self._write(finished=False)
            return
        shards = [path for kind in ("hands", "matches") for path in (folder / kind).glob("*")]
        if not str((kept or {}).get("format", "")).startswith(_FORMATS) and (kept is not None or shards):
            raise BuckError(
                f"{folder}: holds {EVENT_FILE}, hands or matches of something else; give out= another folder"
            )
        if kept is not None and not kept.get("finished") and not anew:
            raise BuckError(
                f"{folder}: holds an event that was not finished; --resume goes on with it, --anew replaces it, "
                "or give out="
            )
        for path in shards:
            if path.suffix in (".parquet", ".tmp"):
                path.unlink()
        self._write(finished=False)

    def _compare(self, kept: dict[str, Any] | None) -> None:
        if kept is None:
            raise BuckError(f"{self.folder}: holds no event to resume; leave out --resume, or give its out=")
        # as texts: seatings go by the places of agents, so that their order counts
        different = [key for key, value in self._facts.items() if not _alike(key, kept.get(key), value)]
        if different:
            raise BuckError(
                f"{self.folder / EVENT_FILE}: is of another event: {', '.join(different)} differ; resume it as it was, "
                "replace it with --anew, or give out="
            )

    def _write(self, *, finished: bool) -> None:
        write_json(self.folder / EVENT_FILE, {"finished": finished, **self._facts})

    def finish(self) -> None:
        """Note in the folder that every deal has been played."""
        self._write(finished=True)

    # --- Shards ---

    def append(self, shard: Shard) -> bool:
        """Write a shard. False where a longer shard on disk already holds its deals."""
        if shard.job.kind == "hands" and shard.job.first < self._held:
            return False
        deals, seatings, seats = shard.scores.shape
        rows = shard.scores.reshape(-1, seats)
        columns = {
            "deal": np.repeat(np.arange(shard.job.first, shard.job.first + deals), seatings),
            "seating": np.tile(np.arange(seatings, dtype=np.int32), deals),
        }
        if shard.lengths is None:
            columns |= {f"points_{seat}": rows[:, seat] for seat in range(seats)}
        else:
            columns |= {f"share_{seat}": rows[:, seat] / 12 for seat in range(seats)}
            columns["hands"] = shard.lengths[..., 0].reshape(-1)
            columns["truncated"] = shard.lengths[..., 1].reshape(-1) == 1
        sink = pa.BufferOutputStream()
        metadata = {"programs": json.dumps(shard.program_counts)}
        if shard.behaviour is not None:
            counts = {name: shard.behaviour[name].tolist() for name in BEHAVIOUR.names or ()}
            metadata["behaviour"] = json.dumps(counts, separators=(",", ":"))
        pq.write_table(pa.table(columns, metadata=metadata), sink, compression="zstd")
        path = self._path(shard.job.kind, shard.job.first)
        path.parent.mkdir(exist_ok=True)
        replace_file(path, sink.getvalue())
        return True

    def read(self, kind: Kind, deals: int) -> Iterator[Shard]:
        """Yield the shards of the first `deals` deals that were kept, in order and without a gap.

        A shard that ends within a block, because no more deals were wanted then, is left out if more are wanted now. A
        shard of which fewer deals are wanted counts the faults of all of its deals. Of hands only its whole blocks are
        yielded, because what was done is kept by blocks.
        """
        first = 0
        while first < deals and self._path(kind, first).exists():
            shard = self._read(kind, first)
            fewer = min(shard.job.deals, deals - first)
            if fewer % BLOCK and first + fewer < deals:
                return
            cut = kind == "hands" and fewer < shard.job.deals
            if cut:
                self._held = first + shard.job.deals
                fewer -= fewer % BLOCK
            lengths = None if shard.lengths is None else shard.lengths[:fewer]
            behaviour = None if shard.behaviour is None else shard.behaviour[: -(-fewer // BLOCK)]
            yield Shard(Job(kind, first, fewer), shard.scores[:fewer], lengths, shard.program_counts, behaviour)
            if cut:
                return
            first += fewer

    def _path(self, kind: Kind, first: int) -> Path:
        return self.folder / kind / f"{first:010d}.parquet"

    def _read(self, kind: Kind, first: int) -> Shard:
        path = self._path(kind, first)
        seatings, seats = self._event.seatings(kind).shape
        try:
            table = pq.read_table(pa.BufferReader(path.read_bytes()))
            score = "points" if kind == "hands" else "share"
            columns = {name: table[name].to_numpy() for name in table.column_names}
            scores = np.stack([columns[f"{score}_{seat}"] for seat in range(seats)], axis=1)
            scores = np.rint(scores * (1 if kind == "hands" else 12)).astype(np.int16).reshape(-1, seatings, seats)
            lengths = behaviour = None
            metadata = table.schema.metadata or {}
            if kind == "hands":
                blocks, agents = -(-len(scores) // BLOCK), self._event.lineups.agents
                behaviour = _behaviour(json.loads(metadata[b"behaviour"]), (blocks, agents, seats))
            else:
                ends = np.stack([columns["hands"], columns["truncated"]], axis=1)
                lengths = ends.astype(np.int32).reshape(-1, seatings, 2)
            counted = json.loads(metadata[b"programs"])
            program_counts = {label: Counter(counts) for label, counts in counted.items()}
            if not len(scores) or columns["deal"][0] != first:
                raise ValueError("other deals than its name says")
        except (OSError, AttributeError, KeyError, OverflowError, TypeError, ValueError, pa.ArrowException) as error:
            line = " ".join(str(error).split())
            raise BuckError(f"{path}: is not a shard of this event: {line}; remove it, and --resume") from None
        return Shard(Job(kind, first, len(scores)), scores, lengths, program_counts, behaviour)


def _behaviour(kept: Any, shape: tuple[int, int, int]) -> np.ndarray:
    """The counts (B, K, S) BEHAVIOUR of a shard, from lists by the names of the fields, or from one list in which the
    fields are the last axis."""
    if isinstance(kept, list):
        return as_records(np.array(kept, np.int64).reshape(*shape, -1), BEHAVIOUR)
    counts = np.zeros(shape, BEHAVIOUR)
    for name in BEHAVIOUR.names or ():
        counts[name] = np.array(kept[name], np.int64).reshape(shape)
    return counts


def _alike(key: str, kept: Any, ours: Any) -> bool:
    """Whether an event may go on where a fact was kept as it is here."""
    return play_alike(kept) if key == "versions" else json.dumps(kept) == json.dumps(ours)


def _kept_facts(folder: Path) -> dict[str, Any] | None:
    """What the event of a folder follows from; None where the folder holds no event."""
    path = folder / EVENT_FILE
    try:
        kept = json.loads(path.read_text())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise BuckError(f"{path}: cannot be read: {error}") from None
    return kept if isinstance(kept, dict) else {}


def kept_hands(folder: Path, deal: int) -> tuple[dict[str, Any], np.ndarray]:
    """What the event of a folder follows from, and the points (M, S) of one of its deals.

    BuckError where the folder holds no event, the deal is not among its hands, or a file cannot be read.
    """
    facts = _kept_facts(folder)
    if facts is None or facts.get("format") != FORMAT:
        raise BuckError(f"{folder}: holds no event of `buck tournament` ({EVENT_FILE} of {FORMAT})")
    files = sorted((folder / "hands").glob("[0-9]*.parquet"))
    path = next((path for path in reversed(files) if path.stem.isdecimal() and int(path.stem) <= deal), None)
    try:
        table = pq.read_table(pa.BufferReader(path.read_bytes())) if path else pa.table({"deal": [], "points_0": []})
        rows = np.flatnonzero(table["deal"].to_numpy() == deal)
        names = sorted(name for name in table.column_names if name.startswith("points_"))
        points = np.stack([table[name].to_numpy()[rows] for name in names], axis=1)
        if len(rows) and (points.dtype.kind not in "iuf" or not np.isfinite(points).all()):
            raise ValueError("points are not numbers")
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise BuckError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None
    if not len(rows):
        raise BuckError(f"--deal: {folder} keeps no hands of deal {deal}; deals count from 0")
    return facts, points

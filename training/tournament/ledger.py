"""An event on disk as it is played: `event.json` says what is played, `hands/` and `matches/` hold Parquet files.

Each file is a shard. It is named by its first deal, and it is either whole or not there. The shards of a block become
one file once the block is whole; until then a shard may also be part of one deal's tables, and a number after a hyphen
is the first of its seatings. A row is a table: deal i is
the deal of a table whose seed is the first seed plus i, and `seating` is a row of the seatings in `event.json`, so that
any hand can be played again.

The metadata of a file are JSON. `programs` holds the decisions and faults of programs. In files of hands `behaviour`
holds what each agent did: under the name of each field of BEHAVIOUR its counts by block of deals, agent and seat from
the dealer. These are sums over the tables of a block, and therefore not columns. In files written before the counts had
names, `behaviour` is one list with the fields as its last axis.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
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
from training.tournament.blocks import cut, ends_with_block, join
from training.tournament.shards import Event, Job, Kind, Shard
from training.tournament.tally import BLOCK

__all__ = ["EVENT_FILE", "Ledger", "kept_hands"]

EVENT_FILE = "event.json"
_FORMATS = "buck-euchre-event-"
FORMAT = f"{_FORMATS}v2"


class Ledger:
    """The shards of one event in a folder."""

    def __init__(
        self,
        folder: Path,
        event: Event,
        facts: dict[str, Any],
        code: dict[str, dict[str, str]],
        *,
        resume: bool,
        anew: bool,
    ) -> None:
        """Open the folder for an event of these facts. `code` holds for each label the sha256 of its files of code,
        which may change while an event is interrupted.

        BuckError where the folder holds something else, or an unfinished event and neither `resume` nor `anew` is
        given; also where the event to be resumed is missing or is another one. An event that makes way does so with
        the first shard of the new one.
        """
        self.folder = folder
        self._event = event
        self._held = 0
        """The number of deals of hands on disk, where fewer of them were read."""
        self._pieces: list[Shard] = []
        """The shards of a block that is not whole."""
        self._old: list[Path] | None = None
        """The shards of an event that makes way."""
        self._facts = {"format": FORMAT, **facts, "seatings": event.lineups.seatings.tolist()}
        self._code = code
        self.code_changed: list[str] = []
        """The labels of agents whose code is not that of all hands that are kept."""
        kept = _kept_facts(folder)
        if resume:
            self._compare(kept)
            for path in folder.glob("*/*.parquet.tmp"):
                path.unlink()  # of a write that was killed
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
        self._old = [path for path in shards if path.suffix in (".parquet", ".tmp")]

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
        before, earlier = kept.get("code") or {}, kept.get("code_changed") or []
        self.code_changed = [
            label for label, now in self._code.items() if label in earlier or before.get(label, now) != now
        ]

    def _write(self, *, finished: bool) -> None:
        code = {"code": self._code, "code_changed": self.code_changed}
        write_json(self.folder / EVENT_FILE, {"finished": finished, **self._facts, **code})

    def _begin(self) -> None:
        """Remove the shards of an event that makes way, and say what is played."""
        if self._old is not None:
            for path in self._old:
                path.unlink(missing_ok=True)
            self._old = None
            self._write(finished=False)

    def finish(self) -> None:
        """Note in the folder that every deal has been played."""
        self._begin()
        self._write(finished=True)

    # --- Shards ---

    def holds(self, job: Job) -> bool:
        """Whether a longer shard on disk holds the deals of a job."""
        return job.kind == "hands" and job.first < self._held

    def append(self, shard: Shard) -> None:
        """Write the next shard."""
        self._begin()
        self._write_shard(shard)
        self._gather(shard)

    def _gather(self, shard: Shard) -> None:
        """Join the shards of a block to one file once it is whole."""
        seatings = len(self._event.seatings(shard.job.kind))
        self._pieces.append(shard)
        if not ends_with_block(self._pieces, seatings):
            return
        pieces, self._pieces = self._pieces, []
        if len(pieces) > 1 and shard.job.first + shard.job.deals - pieces[0].job.first == BLOCK:
            self._write_shard(join(pieces, seatings))
            for piece in pieces[1:]:
                self._path(piece.job.kind, piece.job.start).unlink(missing_ok=True)

    def _write_shard(self, shard: Shard) -> None:
        deals, seatings, seats = shard.scores.shape
        rows = shard.scores.reshape(-1, seats)
        columns = {
            "deal": np.repeat(np.arange(shard.job.first, shard.job.first + deals), seatings),
            "seating": np.tile(np.arange(seatings, dtype=np.int32) + shard.job.start[1], deals),
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
        path = self._path(shard.job.kind, shard.job.start)
        path.parent.mkdir(exist_ok=True)
        replace_file(path, sink.getvalue())

    def read(self, kind: Kind, deals: int) -> Iterator[Shard]:
        """Yield the shards of the first `deals` deals that were kept, in order and without a gap.

        A shard of which fewer deals are wanted counts the faults of all of its deals. Of hands only its whole blocks
        are yielded, because what was done is kept by blocks. Pieces whose hands are also in the block that they became,
        because a kill came before they were removed, are removed.
        """
        seatings, at, self._pieces = len(self._event.seatings(kind)), (0, 0), []
        starts = deque(sorted(filter(None, map(_start, (self.folder / kind).glob("*")))))
        while self._old is None and at[0] < deals and self._path(kind, at).exists():
            shard = self._read(kind, at)
            job, (first, _) = shard.job, at
            while starts and starts[0] < job.end(seatings):
                if (start := starts.popleft()) != at:
                    self._path(kind, start).unlink(missing_ok=True)
            fewer = min(job.deals, deals - first)
            if fewer == job.deals:
                self._gather(shard)
                yield shard
            else:
                if kind == "hands":
                    self._held = first + job.deals
                    fewer -= fewer % BLOCK
                yield replace(cut(shard, 0, fewer), program_counts=shard.program_counts)
                return
            at = job.end(seatings)

    def _path(self, kind: Kind, start: tuple[int, int]) -> Path:
        deal, seating = start
        return self.folder / kind / f"{deal:010d}{f'-{seating:05d}' if seating else ''}.parquet"

    def _read(self, kind: Kind, at: tuple[int, int]) -> Shard:
        """The shard that begins with a deal, and with one of its seatings."""
        path = self._path(kind, at)
        seatings, seats = self._event.seatings(kind).shape
        try:
            table = pq.read_table(pa.BufferReader(path.read_bytes()))
            score = "points" if kind == "hands" else "share"
            columns = {name: table[name].to_numpy() for name in table.column_names}
            scores = np.stack([columns[f"{score}_{seat}"] for seat in range(seats)], axis=1)
            tables = min(len(scores), seatings)
            scores = np.rint(scores * (1 if kind == "hands" else 12)).astype(np.int16).reshape(-1, tables, seats)
            lengths = behaviour = None
            metadata = table.schema.metadata or {}
            if kind == "hands":
                blocks, agents = -(-len(scores) // BLOCK), self._event.lineups.agents
                behaviour = _behaviour(json.loads(metadata[b"behaviour"]), (blocks, agents, seats))
            else:
                ends = np.stack([columns["hands"], columns["truncated"]], axis=1)
                lengths = ends.astype(np.int32).reshape(-1, tables, 2)
            counted = json.loads(metadata[b"programs"])
            program_counts = {label: Counter(counts) for label, counts in counted.items()}
            if not len(scores) or (columns["deal"][0], columns["seating"][0]) != at or at[1] + tables > seatings:
                raise ValueError("other deals than its name says")
        except (OSError, AttributeError, KeyError, OverflowError, TypeError, ValueError, pa.ArrowException) as error:
            line = " ".join(str(error).split())
            raise BuckError(f"{path}: is not a shard of this event: {line}; remove it, and --resume") from None
        part = None if tables == seatings else (at[1], at[1] + tables)
        return Shard(Job(kind, at[0], len(scores), part), scores, lengths, program_counts, behaviour)


def _start(path: Path) -> tuple[int, int] | None:
    """The first deal and seating of a shard, by its name; None for another file."""
    name = re.fullmatch(r"(\d{10,})(?:-(\d{5,}))?\.parquet", path.name)
    return (int(name[1]), int(name[2] or 0)) if name else None


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
    found: dict[int, np.ndarray] = {}
    for path in _files_of(folder, deal):  # pieces may still be there beside the block that they became
        found |= _points(path, deal)
    seatings = facts.get("seatings")
    if not found or (isinstance(seatings, list) and len(found) < len(seatings)):
        raise BuckError(f"--deal: {folder} keeps no hands of deal {deal}; deals count from 0")
    return facts, np.stack([found[seating] for seating in sorted(found)])


def _files_of(folder: Path, deal: int) -> list[Path]:
    """The files that may hold a deal: those of its block up to it, or the one that the block is part of."""
    starts = sorted((start, path) for path in (folder / "hands").glob("*") if (start := _start(path)))
    upto = [(start, path) for start, path in starts if start[0] <= deal]
    first = max((start for start, _ in upto if start <= (deal - deal % BLOCK, 0)), default=(0, 0))
    return [path for start, path in upto if start >= first]


def _points(path: Path, deal: int) -> dict[int, np.ndarray]:
    """The points (S,) of the seatings of a deal in one file."""
    try:
        table = pq.read_table(pa.BufferReader(path.read_bytes()))
        rows = np.flatnonzero(table["deal"].to_numpy() == deal)
        names = sorted(name for name in table.column_names if name.startswith("points_"))
        points = np.stack([table[name].to_numpy()[rows] for name in names], axis=1)
        if len(rows) and (points.dtype.kind not in "iuf" or not np.isfinite(points).all()):
            raise ValueError("points are not numbers")
        return dict(zip(table["seating"].to_numpy()[rows].tolist(), points, strict=True))
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise BuckError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None

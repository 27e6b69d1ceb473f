"""A sweep: what was kept is taken, the rest is trained and measured, and all of it is reported."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from buck_env import BuckError
from training.base.cells import Cells
from training.base.cluster import on_cluster
from training.base.processes import in_processes
from training.learning.run.folder import holds_a_run
from training.sweep.config import SweepConfig
from training.sweep.files import write_files
from training.sweep.plan import Cell, RunOf, plan
from training.sweep.rows import gain_of
from training.sweep.work import Made, begin

__all__ = ["sweep"]


def sweep(
    config: SweepConfig, run_of: RunOf, say: Callable[[str], None], *, resume: bool = False, anew: bool = False
) -> str:
    """Carry out a sweep, and write its table and picture into its folder; the table, as Markdown.

    With `resume`, runs whose figures are kept in the folder and follow from the same settings are not done again, and
    runs that were stopped go on. Ctrl-C ends the sweep with a table of the runs that are done, if there is one.

    BuckError where the folder holds a sweep and neither `resume` nor `anew` is given, or holds none to resume.
    """
    cells = plan(config, run_of)
    folder = Path(config.out) / "cells"
    begun = _is_begun(Path(config.out))
    if begun and not (resume or anew):
        raise BuckError(
            f"{config.out}: holds a sweep already; --resume goes on with it, --anew replaces it, or give out="
        )
    if resume and not begun:
        raise BuckError(f"{config.out}: holds no sweep to resume; leave out --resume, or give its out=")
    kept = Cells(folder)
    done: dict[str, Mapping[str, Any]] = {}
    if resume:
        done = {cell.name: found for cell in cells if (found := kept.kept(cell.name, cell.facts)) is not None}
    missing = [cell for cell in cells if cell.name not in done]
    say(f"{len(cells)} runs, {len(done)} of them kept, into {config.out}")
    with tqdm(total=len(cells), initial=len(done), unit=" runs") as bar:
        try:
            with closing(_made(config, folder, missing, resume)) as results:
                for made in results:
                    kept.keep(made.cell.name, made.cell.facts, made.figures, made.seconds)
                    done[made.cell.name] = made.figures
                    bar.update()
                    gains = ", ".join(f"{gain_of(made.figures, name)} over {name}" for name in config.against)
                    bar.write(f"{made.cell.name}: gain {gains}")
        except KeyboardInterrupt:
            if _is_begun(Path(config.out)):
                bar.write(f"stopped after {len(done)} of {len(cells)} runs; --resume goes on")
            if not done:
                raise
    return write_files(config, [(cell, done[cell.name]) for cell in cells if cell.name in done])


def _is_begun(out: Path) -> bool:
    """Whether the figures of a run are in a sweep's folder, or a run that was stopped."""
    return (out / "cells").is_dir() or any(map(holds_a_run, (out / "runs").glob("*")))


def _made(config: SweepConfig, folder: Path, cells: Sequence[Cell], resume: bool) -> Generator[Made, None, None]:
    """Make cells in processes of this machine or on a Ray cluster, and yield them in their order."""
    worker = partial(begin, folder, resume)
    if not cells:
        return
    if config.ray is None:
        yield from in_processes(worker, cells, min(config.processes, len(cells)), "sweep")
        return
    with on_cluster(config.ray, worker, {}) as do:
        yield from do(cells)

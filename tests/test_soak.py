"""Long tests of what is used for long: kills at random moments, and memory over an hour."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from places import ROOT
from runs import SMALL

from training.cli.app import main

pytestmark = pytest.mark.soak


@contextmanager
def buck(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command at work, which is killed at the end."""
    command = [sys.executable, "-m", "training.cli.app", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def deals_kept(folder: Path) -> int:
    """How many deals of an event are on disk, whole or in part."""
    return 1 + max(pc.max(pq.read_table(path)["deal"]).as_py() for path in folder.glob("hands/*.parquet"))


def test_an_event_killed_time_and_again_has_the_table_of_one_left_alone(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    number, moments = pytestconfig.getoption("kills"), random.Random(100)
    names = ("tournament", "ohio", "agents=[rules-v1, random]", "matches=0", "mixed=0")
    killed = tmp_path / "killed"
    for kills in range(number):
        before = len(list(killed.glob("hands/*")))
        how = "--resume" if (killed / "event.json").exists() else "--anew"
        with buck(*names, "deals=1_000_000", f"out={killed}", how) as process:  # it does not end by itself
            while process.poll() is None and len(list(killed.glob("hands/*"))) <= before:
                time.sleep(0.002)
            time.sleep(moments.random())
            assert process.poll() is None, f"the event ended by itself after {kills} kills"
    deals = f"deals={deals_kept(killed) + 100}"
    for folder, how in ((killed, "--resume"), (tmp_path / "alone", "--anew")):
        assert main([*names, deals, f"out={folder}", how]) == 0
    resumed, alone = (json.loads((folder / "results.json").read_text()) for folder in (killed, tmp_path / "alone"))
    assert resumed.pop("run")["hands"] < alone.pop("run")["hands"]
    assert resumed == alone


@pytest.mark.parametrize("command", ["train", "tournament"])
def test_memory_stays_flat(command: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    minutes = pytestconfig.getoption("minutes")
    settings, written = {
        "train": (
            {**SMALL, "decisions": 10**12, "opponents": ["rules-v1"], "snapshots": 3, "snapshot_every": 20},
            "checkpoint*",
        ),
        "tournament": ({"agents": ["rules-v1", "random"], "deals": 10**7}, "hands/*"),
    }[command]
    config = tmp_path / "config.yaml"
    config.write_text(json.dumps({**settings, "out": str(tmp_path / "out")}))
    used: list[int] = []
    with buck(command, str(config)) as process:
        while process.poll() is None and not any((tmp_path / "out").glob(written)):
            time.sleep(0.1)
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            assert process.poll() is None
            used.append(psutil.Process(process.pid).memory_info().rss)
            time.sleep(min(1.0, minutes))
    third = len(used) // 3  # the first one is for starting
    assert max(used[2 * third :]) < 1.05 * max(used[third : 2 * third])

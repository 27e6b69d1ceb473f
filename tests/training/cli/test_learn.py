"""A bot is trained, compared, and saved on ctrl-C, all from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from places import ROOT

from training.cli.app import main

SMALL = ["tables=64", "steps=16", "hidden=[16]", "minibatch=256", "evaluate=0"]


def test_train_and_tournament_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot, out = tmp_path / "bot", tmp_path / "table"
    assert main(["train", "demo", *SMALL, "decisions=2000", f"out={bot}", "rules=bucked-3"]) == 0
    agents = f"agents={{mine: 'ppo:{bot}', random: random, rules: rules-v1}}"
    assert main(["tournament", "demo", "rules=bucked-3", agents, "deals=20", "matches=2", f"out={out}"]) == 0
    told = capsys.readouterr().out
    assert "mine" in told
    assert str(bot) in told
    results = json.loads((out / "results.json").read_text())
    assert results["complete"] is True
    assert (out / "results.csv").read_text().count("\n") > 3
    assert (out / "payoff.png").read_bytes()[:4] == b"\x89PNG"


def test_ctrl_c_ends_training_with_the_bot_saved(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    command = [sys.executable, "-m", "training.cli.app", "train", "demo", *SMALL, "decisions=100000000", f"out={bot}"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not list(bot.glob("logs/*")) and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "stopped; bot and checkpoint are saved" in out + err
    assert "Traceback" not in err
    assert (bot / "bot.json").is_file()

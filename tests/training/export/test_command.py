"""Export and check as commands, and what they load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from agents.bots.bundle import Bundle
from training.cli.app import main


def test_export_and_check_by_command(bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bundle"
    assert (
        main(["export", f"ppo:{bot}", "--out", str(out), "--deals", "0", "--samples", "8", "--license", "CC0-1.0"]) == 0
    )
    assert main(["check", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2
    assert "plays ohio, greedy, float32" in told[0]
    assert told[0] == told[1]
    card = json.loads((out / "bot.json").read_text())
    assert card["license"] == "CC0-1.0"
    assert Bundle(**card).strength == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere"], "cannot be read"),
        (["export", "nowhere", "--out", "x"], "cannot be read"),
        (["export", "pretrained:nobody", "--out", "x"], "no such bot"),
        (["export", "BOT", "--out", "x", "--deals", "1"], "--deals: 1 gives no interval"),
        (["export", "BOT", "--out", "x", "--samples", "0"], "--samples: 0 is too few"),
        (["export", "BOT", "--out", "BOT/bot.json", "--deals", "0"], "cannot be written"),
        (["export", "BOT", "--out", "BOT"], "holds a bot that is no bundle"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main([argument.replace("BOT", str(bot)) for argument in arguments]) == 1
    told = capsys.readouterr().err
    assert told.startswith("buck: ")
    assert said in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("name", ["model.onnx", "samples.jsonl", "SHA256SUMS"])
def test_files_of_something_else_are_not_written_over(
    name: str, bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / name).write_text("mine")
    assert main(["export", str(bot), "--out", str(tmp_path / "x"), "--deals", "0"]) == 1
    assert f"holds {name}, but no bundle's bot.json; give --out another folder" in capsys.readouterr().err
    assert [path.read_text() for path in (tmp_path / "x").iterdir()] == ["mine"]


def test_onnxruntime_is_loaded_only_for_a_bundle() -> None:
    code = (
        "import sys, agents, agents.bots.bundle, agents.bots.network, agents.bots.policy, training.cli.app\n"
        "assert not {'onnx', 'onnxruntime', 'torch'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_without_onnxruntime_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from training.cli.app import main\n"
        "sys.exit(main(['tournament', 'demo', 'agents=[random, onnx:somewhere]']))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.startswith("buck: this command needs onnxruntime, which the extra onnx brings: pip install")


def test_export_and_check_load_no_torch(bot: Path, tmp_path: Path) -> None:
    arguments = ["export", str(bot), "--out", str(tmp_path / "x"), "--deals", "2", "--samples", "4"]
    code = (
        f"import sys; from training.cli.app import main\nassert main({arguments}) == 0\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)

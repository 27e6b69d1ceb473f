"""The command line as a person meets it, and the wheel outside the repository."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import venv
import zipfile
from dataclasses import fields
from pathlib import Path

import pytest
from places import ROOT

from buck_env import PROFILES, Rules
from buck_env.game.house import explain_fields
from buck_env.records import read_records, verify
from training.cli.app import main

SMALL = ["tables=64", "steps=16", "hidden=[16]", "minibatch=256", "evaluate=0"]


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    told = capsys.readouterr().out
    commands = re.findall(r"^    ([a-z]+)\b", told.partition("COMMAND\n")[2], re.MULTILINE)
    assert {"rules", "replay", "evaluate", "scores", "export", "bot"} <= set(commands)
    for command in commands:
        assert f"buck {command}" in told
        with pytest.raises(SystemExit):
            main([command, "--help"])


def test_rules_lists_and_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in PROFILES)
    assert main(["rules", str(ROOT / "configs" / "rules" / "bucked-race.yaml")]) == 0
    told = capsys.readouterr().out
    assert "start: -25   (in bucked: 0)" in told
    assert "illegal_play: refuse" in told
    assert [field.name for field in fields(Rules) if field.name != "base"] == list(explain_fields())
    assert all(meaning and allowed for allowed, meaning in explain_fields().values())


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "euchre"],
        ["verify", "none.jsonl"],
        ["play", "--rules", "euchre"],
        ["play", "--seat", "9"],
        ["play", "--against", "nobody"],
        ["play", "--against", "ppo:/nowhere"],
        ["play", "--hands", "0"],
        ["train", "nothing"],
        ["train", "demo", "seed=x"],
        ["train", "demo", "references=[nobody]"],
        ["ppo", "nothing"],
        ["ppo", "ohio", "envs=0"],
        ["tournament", "nothing"],
        ["tournament", "demo", "agents=[random]"],
        ["tournament", "ohio", "agents=[random, nobody]"],
        ["tournament", "ohio", "deals=0"],
        ["tournament", "ohio", "--until", "narrow"],
        ["tournament", "ohio", "--resume", "out=runs/there-is-none"],
    ],
)
def test_bad_input_is_one_line_on_stderr_and_1(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith("buck: ")
    assert len(told.splitlines()) == 1


def test_a_reader_that_goes_is_no_error() -> None:
    out, into = os.pipe()
    os.close(out)
    program = subprocess.run(
        [sys.executable, "-m", "training.cli.app", "rules", "ohio"], stdout=into, stderr=subprocess.PIPE, cwd=ROOT
    )
    os.close(into)
    assert program.returncode == 0
    assert program.stderr == b""


def test_to_resume_and_to_replace_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("train", "ppo", "tournament"):
        with pytest.raises(SystemExit) as left:
            main([command, "demo", "--resume", "--anew"])
        assert left.value.code == 2
        assert "--anew: not allowed with argument --resume" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["train", "ohio", "decision=3"], "there is no such key; is decisions meant?"),
        (["train", "ohio", "learn=stay"], "a list is needed, as in learn=[stay]"),
        (["tournament", "demo", "agents=random"], "allowed: a list of agents' names, or a mapping of labels to names"),
        (["tournament", "demo", "agents=[random, 3]"], "allowed: a list of agents' names"),
        (["rules", "no-base.yaml"], "no-base.yaml: says no base; add a line, as in `base: ohio`"),
        (["rules", "misspelt.yaml"], "target_: 3 is set, but there is no such key; is target meant?"),
    ],
)
def test_what_is_meant_is_told(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("no-base.yaml").write_text("target: 15\n")
    Path("misspelt.yaml").write_text("base: bucked\ntarget_: 3\n")
    assert main(arguments) == 1
    assert told in capsys.readouterr().err


def test_what_is_wrong_with_a_class_of_ones_own_is_told_by_its_name_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_faulty_bots.py").write_text(
        "class Faulty:\n    def __init__(self, rules): pass\n    def act(self, views):\n        return views.nothing\n"
        "class Leaving(Faulty):\n    def act(self, views): exit(3)\n"
        "class Mute(Exception):\n    def __str__(self): raise ValueError\n"
        "class Silent(Faulty):\n    def act(self, views): raise Mute\n"
        "class Deep(Faulty):\n    def act(self, views):\n        import pyarrow\n        return pyarrow.table(5)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name, told, number in (
        ("Faulty", "AttributeError: 'Views' object has no attribute 'nothing'", 4),
        ("Leaving", "SystemExit: 3", 6),
        ("Silent", "my_faulty_bots.Mute: <exception str() failed>", 10),
        ("Deep", "TypeError: ", 14),
    ):
        assert main(["evaluate", f"my_faulty_bots:{name}", "--against", "random", "--deals", "2"]) == 1
        error = capsys.readouterr().err
        assert f"buck: my_faulty_bots:{name}: act failed: {told}" in error
        assert f"(my_faulty_bots.py, line {number})" in error


def test_a_person_plays_a_hand_and_its_record_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(question: str) -> str:
        legal = question.split("(")[1].split(")")[0].split(", ")
        answers = iter([legal[0].lower()])
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    path = tmp_path / "hands.jsonl"
    assert main(["play", "--rules", "dirty-clubs", "--hands", "2", "--seed", "3", "--record", str(path)]) == 0
    told = capsys.readouterr().out
    assert "Hand over." in told
    assert verify(read_records(path)) == 2


def test_a_person_may_err_and_leave(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["", "bid:9", "hello", "quit"])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    assert main(["play", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert told.count("is not possible now") == 3
    assert "You left the table." in told


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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(folder),
            str(ROOT),
        ],
        check=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_outside_the_repository_runs_buck_and_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.startswith("tests")]
    venv.create(tmp_path / "venv", with_pip=False, system_site_packages=False, symlinks=True)
    site = next((tmp_path / "venv").glob("lib/*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    here = Path(next(path for path in sys.path if path.endswith("site-packages")))
    (site / "borrowed.pth").write_text(f"{here}\n")  # the libraries; the project itself comes first, from the wheel
    python = str(tmp_path / "venv" / "bin" / "python")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*arguments: str) -> str:
        return subprocess.run(
            [python, "-m", "training.cli.app", *arguments],
            cwd=tmp_path,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    where = subprocess.run(
        [python, "-c", "import training; print(training.__file__)"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert where.stdout.startswith(str(site))
    assert "ohio" in run("rules")
    run("evaluate", "pretrained:ohio", "--against", "random", "--deals", "20")
    assert "300" in run("tournament", "ohio", "deals=300", "matches=0", "agents=[random, rules-v1]", "out=table")
    assert (tmp_path / "table" / "results.json").is_file()
    assert (tmp_path / "table" / "report.html").is_file()

"""The command line as a whole: help, errors, exit codes, completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from agents.naming.kinds import KINDS, Kind
from buck_env import __version__
from training.cli.app import main


def test_help_names_every_command_and_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    page = capsys.readouterr().out
    for group in ("Look", "Play", "Learn", "Measure", "Export", "Help", "Agents"):
        assert f"╭─ {group}" in page
    commands = re.findall(r"^│ ([a-z]+)  ", page.partition("╭─ Agents")[0], re.MULTILINE)
    assert set(commands) == {
        *("rules", "verify", "replay", "play", "bot", "serve", "site", "train", "ppo", "exploit"),
        *("sweep", "dataset", "tournament", "evaluate", "scores", "bench", "export", "check", "analyse", "label"),
    }
    for command in commands:
        assert main([command, "--help"]) == 0
        page = capsys.readouterr().out
        assert f"Usage: buck {command}" in page
        assert f"Example: `buck {command}" in page


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"buck {__version__}\n"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.form)
def test_the_first_page_lists_every_kind_of_agent(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert f"│ {kind.form} " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "a command is needed; buck --help lists them"),
        (["tain"], 'Unknown command "tain". Did you mean "train"?'),
        (["train", "demo", "--resme"], "Unknown option: --resme. Did you mean --resume?"),
        (["train"], "CONFIG requires an argument"),
        (["replay", "hands.jsonl"], "--out"),
        (["export", "bot", "--out", "x", "--level", "cruel"], 'Invalid value "cruel" for --level'),
        (["play", "--seat", "north"], "Invalid value for --seat: 'north' is not a whole number"),
        (["bench", "everything"], 'Invalid value "everything"'),
        (["rules", "ohio", "x=1"], "x=1"),
        (["evaluate", "random", "--against"], "--against"),
        (["evaluate", "random", "--json", "/"], "--json: '/' names no file but a folder"),
    ],
)
def test_wrong_usage_is_one_line_on_stderr_and_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("buck: ")
    assert said in error
    assert len(error.splitlines()) == 1


def test_to_resume_and_to_replace_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("train", "ppo", "sweep", "tournament"):
        assert main([command, "demo", "--resume", "--anew"]) == 2
        assert "--resume and --anew exclude each other" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_learns_to_complete_commands_and_options(shell: str, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "training.cli.app", "--install-completion", "--shell", shell, "-o", str(script)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    assert {"tournament", "evaluate", "resume"} <= set(re.findall(r"\w+", script.read_text()))


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
    lines = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("buck_env: compiling ")]
    assert len(lines) == 1
    assert lines[0].startswith("buck: ")


def test_a_reader_that_goes_is_no_error() -> None:
    out, into = os.pipe()
    os.close(out)
    program = subprocess.run(
        [sys.executable, "-m", "training.cli.app", "rules", "ohio"], stdout=into, stderr=subprocess.PIPE, cwd=ROOT
    )
    os.close(into)
    assert program.returncode == 0
    assert program.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["train", "ohio", "decision=3"], "there is no such key; is decisions meant?"),
        (["train", "ohoi"], "ohoi: no such file, nor a shipped configuration; is ohio meant?; shipped: "),
        (["train", "ohio", "learn=stay"], "learn: 'stay' is not allowed; allowed: a list of the words exchange, "),
        (
            ["tournament", "demo", "agents=random"],
            "allowed: a list of agents' names, or a mapping of labels to agents' names",
        ),
        (["tournament", "demo", "agents=[random, 3]"], "allowed: a list of agents' names"),
        (["rules", "no-base.yaml"], "no-base.yaml: says no base; add a line, as in `base: ohio`"),
        (["rules", "ohoi"], "rules: 'ohoi' is not known; is ohio meant?; allowed: "),
        (["evaluate", "ruels-v1", "--against", "random"], "'ruels-v1' is not known; is rules-v1 meant?; allowed: "),
        (["rules", "bucked15"], "rules: 'bucked15' is not known; is bucked-15 meant?; allowed: "),
        (["evaluate", "mine", "--against", "random"], "agent: 'mine' is not known; is ppo:mine meant?; allowed: "),
        (
            ["evaluate", "bundle", "--against", "random"],
            "agent: 'bundle' is not known; is onnx:bundle meant?; allowed: ",
        ),
        (["evaluate", "strategy", "--against", "random"], "agent: 'strategy' is not known; is cfr:strategy meant?; "),
        (["rules", "misspelt.yaml"], "target_: 3 is set, but there is no such key; is target meant?"),
    ],
)
def test_what_is_meant_is_told(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("no-base.yaml").write_text("target: 15\n")
    for folder in ("mine", "bundle", "strategy"):
        Path(folder).mkdir()
        Path(folder, "bot.json").write_text('{"format": "buck-euchre-cfr-v1"}' if folder == "strategy" else "{}")
    Path("bundle", "model.onnx").touch()
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

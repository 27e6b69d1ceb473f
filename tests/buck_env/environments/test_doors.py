"""Bad input at the public doors: one clear error, and nothing changed or lost."""

from __future__ import annotations

import copy
import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from places import CONFORMANCE

from agents import AgentError, load_agent
from agents.bots.bot import BotError
from agents.bots.network import load_bot
from buck_env import PROFILES, BuckError, IllegalActionError, RecordError, Rules, RulesError, buck_euchre_v0, load_rules
from buck_env.base.yaml import parse_yaml
from buck_env.environments.seat import SeatEnv, SeatVectorEnv
from buck_env.records import parse_record, verify, write_records
from training.cli.app import main
from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.report import payoff_png

HANDS = CONFORMANCE / "ohio.jsonl"


def played(rules: str = "ohio", steps: int = 60) -> Any:
    env = buck_euchre_v0.vector_env(2, rules=rules, episode="match")
    env.reset(seed=1)
    for _ in range(steps):
        env.step(env.sample())
    return env


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("logs", "pack", 77),
        ("logs", "pack", 3),
        ("logs", "steps", 72),
        ("logs", "actions", 60),
        ("logs", "dealer", 9),
        ("past", "pack", -5),
    ],
)
def test_a_state_that_no_play_leads_to_is_refused(name: str, field: str, value: int) -> None:
    env = played()
    state = env.get_state()
    hostile = copy.deepcopy(state)
    hostile["tables"][name][field] = value
    with pytest.raises(BuckError, match="no play leads to the hand"):
        env.set_state(hostile)
    assert all(np.array_equal(array, state["tables"][key]) for key, array in env.get_state()["tables"].items())


def test_what_a_state_says_of_a_table_is_played_again_not_believed() -> None:
    env = played()
    state = env.get_state()
    hostile = copy.deepcopy(state)
    for array in (hostile["tables"]["tables"], hostile["tables"]["finals"]):
        array["seat"], array["played"], array["phase"] = 100, 120, 7
    hostile["tables"]["permitted"][:] = -1
    env.set_state(hostile)
    assert all(np.array_equal(array, state["tables"][key]) for key, array in env.get_state()["tables"].items())


@pytest.mark.parametrize("state", [None, 5, {}, {"tables": 5, "final": {}, "sampler": (0, 0)}])
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(BuckError, match="state"):
        played().set_state(state)


def test_a_state_of_another_game_is_refused() -> None:
    other = buck_euchre_v0.vector_env(2, rules="dirty-clubs", episode="match")
    with pytest.raises(BuckError, match="rules are not those"):
        other.set_state(played().get_state())


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_first_reset_is_of_all_tables(mode: AutoresetMode) -> None:
    env = buck_euchre_v0.vector_env(4, autoreset_mode=mode)
    with pytest.raises(BuckError, match="reset all of them first"):
        env.reset(seed=5, options={"reset_mask": np.array([True, False, False, False])})
    for asked in (lambda: env.observe(0), lambda: env.step(np.zeros(4, int))):
        with pytest.raises(BuckError, match="reset first"):
            asked()


@pytest.mark.parametrize("options", [[1], "x", 5, {"reset_mask": [[1], [1, 2]]}, {"reset_mask": np.ones(2)}])
def test_options_that_are_none_are_told(options: Any) -> None:
    with pytest.raises(BuckError, match="options"):
        buck_euchre_v0.vector_env(2).reset(seed=0, options=options)
    with pytest.raises(BuckError, match="options"):
        buck_euchre_v0.env().reset(seed=0, options=options)


@pytest.mark.parametrize("action", [1.5, None, [24, 24], "pass", True, [[1], [2, 3]]])
def test_the_single_seat_takes_whole_numbers_only(action: Any) -> None:
    for illegal in ("raise", "random"):
        env = SeatEnv(illegal_action=illegal)  # type: ignore[arg-type]
        env.reset(seed=0)
        before = env.record()
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env.record() == before


@pytest.mark.parametrize("seed", [-1, 1.0, True, "x", 2**63])
def test_a_seed_is_a_whole_number_everywhere(seed: Any) -> None:
    for env in (buck_euchre_v0.env(), buck_euchre_v0.vector_env(2), SeatEnv(), SeatVectorEnv(2)):
        with pytest.raises(BuckError, match="seed"):
            env.reset(seed=seed)
    SeatEnv().reset(seed=np.int64(3))  # type: ignore[arg-type]
    with pytest.raises(BuckError, match="seed"):
        buck_euchre_v0.vector_env(2, seed=seed)


def test_doors_of_the_vector_name_what_is_wrong() -> None:
    env = played()
    for asked, said in (
        (lambda: env.record(99), "99 is no table"),
        (lambda: env.record(-1), "-1 is no table"),
        (lambda: env.render("0"), "'0' is no table"),
        (lambda: env.observe(np.array([0, 1])), "no seat"),
        (lambda: env.observe(1.0), "no seat"),
        (lambda: env.sample("x"), "masks"),
        (lambda: buck_euchre_v0.vector_env(10**19), "num_envs"),
        (lambda: buck_euchre_v0.vector_env(2, canonical="no"), "canonical"),
        (lambda: buck_euchre_v0.raw_env().observe("seat_9"), "seat_9"),
        (lambda: buck_euchre_v0.env().unwrapped.step(24), "reset first"),
        (lambda: SeatEnv(opponents=5), "opponents"),  # type: ignore[arg-type]
        (lambda: SeatEnv(opponents=SeatEnv), "opponents"),  # type: ignore[arg-type]
        (lambda: SeatVectorEnv(2).step(np.zeros(2, int)), "reset first"),
    ):
        with pytest.raises(BuckError, match=said):
            asked()
    masks = np.full((3, 43), 300)
    assert ((env.sample(masks) >= 0) & (env.sample(masks) < 43)).all()


def test_after_a_reset_by_hand_no_final_views_are_promised() -> None:
    env = played(steps=0)
    while not env.last()[4]["_final_obs"].any():
        env.step(env.sample())
    env.reset(options={"reset_mask": ~env.last()[4]["_final_obs"]})
    assert not env.last()[4]["_final_obs"].any()
    assert "final_obs" not in env.last()[4]


def test_hands_of_a_format_with_a_number_of_them_are_confirmed_alone() -> None:
    env = buck_euchre_v0.env(rules={"base": "bucked", "hands": 2}, episode="match")
    env.reset(seed=3)
    records = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        deals = env.unwrapped._tables.episodes["hands"][0]
        env.step(env.action_space(agent).sample(observation["action_mask"]))
        if env.unwrapped._tables.episodes["hands"][0] != deals or env.terminations[agent]:
            records.append(env.unwrapped.record(finished=True))
    assert records[-1]["result"]["winners"]
    assert verify(("here", parse_record(json.dumps(record))) for record in records) == len(records)
    records[-1]["result"]["winners"] = [0, 1, 2, 3]
    with pytest.raises(RecordError, match="winners"):
        verify([("here", records[-1])])


def test_a_record_names_no_file_and_a_file_holds_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "h.yaml"
    house.write_text("base: ohio")
    record = dict(played().record(0, finished=True), rules=str(house))
    with pytest.raises(RecordError, match=r"here: rules: .* is no profile"):
        verify([("here", record)])  # type: ignore[list-item]
    (tmp_path / "empty.jsonl").touch()
    assert main(["verify", str(tmp_path / "empty.jsonl")]) == 1
    assert "holds no record" in capsys.readouterr().err


@pytest.mark.parametrize("text", ['a: !!int ""', "a: !!bool maybe", 'a: !!float ""', "a: !!python/object:os.system x"])
def test_yaml_tags_that_do_not_fit_are_told(text: str) -> None:
    with pytest.raises(BuckError, match="here"):
        parse_yaml(text, "here")


def test_yaml_that_blows_up_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(BuckError, match="blow it up"):
        parse_yaml("\n".join(lines), "here")


@pytest.mark.parametrize("name", ["x" * 300, "\0.yaml", "euchre"])
def test_rules_of_no_name_are_told(name: str) -> None:
    with pytest.raises(RulesError):
        load_rules(name)


@pytest.mark.parametrize("weights", ["a\0b", "\ud800", "../x", ""])
def test_a_bot_names_a_file_beside_it(weights: str, tmp_path: Path) -> None:
    card = {"weights": weights}
    (tmp_path / "bot.json").write_text(json.dumps(card))
    with pytest.raises(BotError):
        load_bot(str(tmp_path), PROFILES["ohio"])


@pytest.mark.parametrize("labels", [("$x_$", "b^2$"), ("中文", "🂡"), ("W" * 200, "V" * 200)])
def test_labels_are_drawn_as_far_as_fonts_and_room_go(labels: tuple[str, str]) -> None:
    config = TournamentConfig(agents=dict.fromkeys(labels, "random"), deals=2)
    assert payoff_png(play_tournament(config, progress=False)).startswith(b"\x89PNG")  # and no warning, an error here


@pytest.mark.parametrize("match", ["\x1b[2J\r\n\u202e", "x" * 100_000, "\x1b" * 100_000])
def test_an_error_is_one_line_of_bounded_length_that_can_be_printed(
    match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = dict(played().record(0, finished=True), match={"id": match, "hand": 0})
    hands = tmp_path / "hands\udcff.jsonl"
    write_records(hands, [record])  # type: ignore[list-item]
    assert main(["verify", str(hands)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(rf"buck: {tmp_path}/hands\udcff.jsonl:1: match ")
    assert told.endswith("\n")
    assert told[:-1].isprintable()
    assert len(told) < 10_000


def test_what_a_command_says_of_a_foreign_name_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a\x1b[2J\nb\udcff.html"
    named = tmp_path / "c\x1b\u202e\udcff.jsonl"
    named.write_bytes(HANDS.read_bytes().splitlines()[0])
    assert main(["replay", str(named), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"1 of 1 hands: {tmp_path}/a\\x1b[2J\\nb\\udcff.html\n"
    assert r"c\x1b\u202e\udcff.jsonl" in out.read_text(encoding="utf-8")


def test_an_agent_or_a_folder_whose_name_cannot_be_printed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AgentError, match=r"agent: 'ppo:\\x1b\[2J' cannot be printed"):
        load_agent("ppo:\x1b[2J", "ohio")
    for command in ("train", "ppo", "tournament"):
        assert main([command, "ohio", r'out="a\0\ud800"']) == 1
        assert r"out: 'a\x00\ud800' is not allowed" in capsys.readouterr().err


@pytest.mark.parametrize("until", ["", " ", "nan", ".nan", "-1", "0", "1e400"])
def test_an_interval_that_is_none_is_refused(until: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "ohio", "--until", until]) == 1
    assert "until" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_told_with_its_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    out, there = tmp_path / "file" / "x", tmp_path / "file"
    there.touch()
    monkeypatch.setattr("training.tournament.event.play_tournament", full)
    for arguments, told in (
        (
            ["replay", str(HANDS), "--out", str(out)],
            f"{there}: File exists; mend that, or give another than --out {out}",
        ),
        (["play", "--record", str(out)], f"{out}: Not a directory; mend that, or give another than --record {out}"),
        (["tournament", "ohio", f"out={out}"], f"No space left on device; mend that, or give another than out={out}"),
    ):
        assert main(arguments) == 1
        assert capsys.readouterr().err == f"buck: {told}\n"


def test_a_person_adds_to_a_record_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("kept\n")
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    assert main(["play", "--seed", "1", "--record", str(path)]) == 0
    assert path.read_text() == "kept\n"


def test_a_match_id_is_text() -> None:
    record = dict(played().record(0, finished=True), match={"id": "a\ud800", "hand": 0})
    with pytest.raises(RecordError, match=r"here: match.id: .*surrogates not allowed \(found 'a\\ud800'\)"):
        parse_record(json.dumps(record), "here")


def test_a_base_that_is_no_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        Rules(base="euchre")

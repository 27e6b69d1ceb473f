"""Games gone through: what each decision lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from moments import played_hands

from agents import load_agent
from buck_env import BuckError, load_rules
from buck_env.records import confirmed, read_records, write_records
from training.analysis.analyst import make_analyst
from training.analysis.review import read_game, review, review_record, review_text
from training.cli.app import main

RULES = load_rules("bucked")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("game") / "game.jsonl"
    write_records(file, played_hands(RULES, load_agent("random", RULES), 3))
    return file


def test_every_choice_is_there_the_largest_loss_first_and_totals_add_up(game: Path) -> None:
    found = read_game(confirmed(read_records(game)))
    steps = [step for _, record in read_records(game) for step in record["steps"]]
    assert len(found.taken) == sum(len(step["legal"]) > 1 for step in steps)
    done = review(found, make_analyst(RULES, "rules-v1"), 8)
    lost = [loss.lost for loss in done.losses]
    assert lost == sorted(lost, reverse=True)
    record = json.loads(json.dumps(review_record(done)))
    for by in ("phase", "seat"):
        assert sum(total["lost"] for total in record["totals"][by].values()) == pytest.approx(sum(lost))
    for loss in done.losses:
        assert (loss.lost > loss.half) == loss.certain
    text = review_text(done)
    assert "within its interval" in text
    assert "warning" in text  # eight deals are few


def test_one_seat_can_be_looked_at_alone(game: Path) -> None:
    found = read_game(confirmed(read_records(game)), seat=2)
    assert set(found.views.seats) == {2}
    with pytest.raises(BuckError, match="--seat: 9"):
        read_game(confirmed(read_records(game)), seat=9)


def test_hands_of_other_rules_are_no_game(game: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_bytes(game.read_bytes())
    write_records(both, played_hands(load_rules("ohio"), load_agent("random", load_rules("ohio")), 1))
    with pytest.raises(BuckError, match="is of the rules"):
        read_game(confirmed(read_records(both)))


def test_the_command_writes_the_figures(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "review.json"
    arguments = ["--model", "rules-v1", "--deals", "4", "--seat", "0", "--json", str(figures)]
    assert main(["analyse", "--review", str(game), *arguments]) == 0
    assert "decisions" in capsys.readouterr().out
    assert json.loads(figures.read_text())["totals"]["seat"].keys() == {"0"}
    assert main(["analyse", "--review", str(game), "--picture", str(tmp_path / "a.svg")]) == 1
    assert main(["analyse"]) == 1
    assert main(["analyse", "--review", str(tmp_path / "none")]) == 1

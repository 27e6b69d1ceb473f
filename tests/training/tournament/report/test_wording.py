"""The wording of the terminal and the page, and what they say beside the figures."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from entrants import AnyLegal, Clocked
from events import played, run

from training.tournament.measures import FURTHER, RANKING
from training.tournament.report.data import results_csv, results_json
from training.tournament.report.page import report_page
from training.tournament.report.table import results_table
from training.tournament.report.wording import cell, columns, gain_text, lead_text, notes, title


def test_agents_that_decide_by_a_clock_are_marked_wherever_results_are_shown() -> None:
    results = played({"timed": Clocked(), "any": AnyLegal(), "other": AnyLegal(101.0)}, deals=50, mixed=0)
    mark = "Not repeatable: timed. They decide by a clock"
    assert mark in results_table(results)
    assert mark in report_page(results)
    written = results_json(results)
    assert written["unrepeatable"] == ["timed"]
    assert all(pair["repeatable"] == ("timed" not in (pair["x"], pair["y"])) for pair in written["pairs"])
    lines = csv.DictReader(results_csv(results).splitlines())
    assert [line["repeatable"] for line in lines] == [str(pair["repeatable"]).lower() for pair in written["pairs"]]


def test_results_of_repeatable_agents_have_no_mark() -> None:
    results = played(deals=50, mixed=0)
    assert "Not repeatable" not in results_table(results)
    assert "Not repeatable" not in report_page(results)
    assert results_json(results)["unrepeatable"] == []


def test_the_title_says_what_was_played_and_what_of_it_now() -> None:
    results = replace(run(rules="ohio", matches=2), seconds=61.4)
    hands = results.hands_played
    whole = replace(results, played=hands)
    assert title(whole) == f"ohio: 30 deals, 2 match deals, seed 5, {hands:,} hands in 61 s"
    assert f"{hands:,} hands, 7 of them now in 61 s" in title(replace(results, played=7))


def test_columns_without_anything_to_count_are_left_out() -> None:
    without, both = run(matches=0, mixed=0), run(matches=2, mixed=1)
    assert [measure.key for measure in columns(without, RANKING)] == ["edge", "edge_adjusted", "gain", "points"]
    assert not columns(without, FURTHER)
    assert [measure.key for measure in columns(both, (*RANKING, *FURTHER))][-2:] == ["win_share", "mixed"]
    assert cell(without.standings[0], FURTHER[0]) == ""
    assert cell(both.standings[0], RANKING[0]) == str(both.standings[0].ranked_by)


def test_stars_mark_what_is_clear() -> None:
    results = run(deals=200, matches=0)
    for x in range(3):
        for y in results.others(x):
            text = gain_text(results, x, y)
            assert text.endswith(" **") == bool(results.clear[x, y])
            assert text.endswith("*") == results.beats(x, y)
            assert text.startswith(str(results.pair("gain", x, y)))
    for (x, y), (lead, p) in results.leads.items():
        assert lead_text(results, x, y) == f"{lead} *" if p < 0.05 else str(lead)


def test_a_note_says_when_ratings_are_of_a_whitewash(monkeypatch: pytest.MonkeyPatch) -> None:
    results = run(matches=0)
    assert not [note for note in notes(results) if note.startswith("Separable")]
    wins = np.array([[0, 0, 9], [9, 0, 9], [0, 0, 0]])
    monkeypatch.setattr(results.hands, "wins", lambda: wins)
    note = next(note for note in notes(results) if note.startswith("Separable"))
    assert note.startswith("Separable: any | eager | other. ")


def test_notes_name_faults_and_an_event_that_was_cut_short() -> None:
    results = run(matches=0)
    counts = {"decisions": 120, "replaced": 3, "timeout": 3}
    faulty = replace(results, program_counts={"eager": counts}, complete=False)
    assert "eager: 3 of 120 decisions replaced: 3 timeout." in notes(faulty)
    assert notes(faulty)[-1] == "Interrupted: these are the deals until then."
    assert not set(notes(faulty)[-2:]) & set(notes(results))
    forfeited = replace(faulty, config=replace(results.config, on_fault="forfeit"))
    assert "eager: 3 of 120 decisions replaced: 3 timeout, the hands forfeited." in notes(forfeited)

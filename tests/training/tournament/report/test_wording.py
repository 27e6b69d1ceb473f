"""What the table and the page say beside the figures."""

from __future__ import annotations

import csv

from entrants import AnyLegal, Clocked
from events import played

from training.tournament.report.data import results_csv, results_json
from training.tournament.report.page import report_page
from training.tournament.report.table import results_table


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

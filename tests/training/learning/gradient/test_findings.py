"""The file that keeps what a best response has come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from buck_env import BuckError
from training.learning.gradient.findings import (
    RESULT_FILE,
    Exploit,
    Response,
    SearchGain,
    read_exploit,
    write_exploit,
)
from training.measuring.estimates import Estimate

GAIN = Estimate(0.02, 0.01, 0.03, 400)
FOUND = Exploit(
    "pretrained:ohio", "ohio", "runs/x/seed-2", 5.0, 1, 400, GAIN, 1000, "abc",
    (Response("runs/x/seed-1", 1, GAIN), Response("runs/x/seed-2", 2, GAIN)), SearchGain(200, 50, GAIN, GAIN),
)  # fmt: skip


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_exploit(tmp_path, FOUND)
    assert read_exploit(tmp_path / RESULT_FILE) == FOUND


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "Invalid JSON"),
        ('{"agent": 3}', "agent: Input should be a valid"),
        ('{"agent": "random"}', "rules: Field"),
    ],
)
def test_a_file_that_is_none_is_refused_with_what_is_wrong(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / RESULT_FILE).write_text(text)
    with pytest.raises(BuckError, match=fault) as error:
        read_exploit(tmp_path / RESULT_FILE)
    assert "`buck exploit` wrote" in str(error.value)
    with pytest.raises(BuckError, match="cannot be read: No such file"):
        read_exploit(tmp_path / "nothing.json")
